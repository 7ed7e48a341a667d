/// The effects of a deletion by the delete rules, according to the file and the unsaved edits of its session.
struct ModelDeletion {
    /// A row that an edit has moved away from a deleted object.
    private struct Spared {
        let number: Int
        /// The objects with these edits.
        let movers: [Int]
        /// The objects that own it now; empty if it needs no owner. If all of them are deleted, so is the row.
        let refuges: [Int]
    }

    private(set) var gone: Set<Int>
    /// The objects whose edits must be saved in the same transaction.
    private(set) var movers: Set<Int> = []
    private(set) var isDenied = false

    private let rows: [Int: ModelRow]
    private let side: ModelSide
    private var spared: [Spared] = []

    init(_ run: ModelRun, _ side: ModelSide, _ roots: [Int]) {
        (rows, self.side, gone) = (run.rows, side, Set(roots))
        var waiting = roots
        while !waiting.isEmpty {
            while let number = waiting.popLast() {
                for other in others(of: number) where gone.insert(other).inserted { waiting.append(other) }
            }
            for lost in spared where !lost.refuges.isEmpty && gone.isSuperset(of: lost.refuges) {
                if gone.insert(lost.number).inserted { waiting.append(lost.number) }
            }
        }
        movers = Set(spared.filter { !gone.contains($0.number) }.flatMap(\.movers))
        for (number, row) in rows where !gone.contains(number) {
            for keeper in row.record[.keeper].elements where gone.contains(keeper) {
                if hasMoved(number, .keeper, from: keeper) { movers.insert(number) } else { isDenied = true }
            }
        }
    }

    private mutating func others(of number: Int) -> [Int] {
        guard let row = rows[number] else { return [] }
        var others: [Int] = []
        for field in [ModelField.part, .parts] {
            for part in row.record[field].elements {
                let claimers = hasMoved(number, field, from: part) ? claimers(of: part) : []
                if claimers.isEmpty {
                    others.append(part)
                } else {
                    spared.append(Spared(number: part, movers: claimers, refuges: claimers))
                }
            }
        }
        for (badge, row) in rows where row.record[.badgeOwner] == .one(number) {
            guard hasMoved(badge, .badgeOwner, from: number) else {
                others.append(badge)
                continue
            }
            let targets = side.held[badge]?.values[.badgeOwner].elements ?? []
            let areSaved = targets.allSatisfy { side.held[$0]?.state != .new }
            spared.append(Spared(number: badge, movers: [badge], refuges: areSaved ? targets : []))
        }
        return others
    }

    /// Whether an unsaved edit has removed an object from a link.
    private func hasMoved(_ number: Int, _ field: ModelField, from target: Int) -> Bool {
        guard let held = side.held[number], held.state == .saved, held.isEdited(field) else { return false }
        return !held.values[field].elements.contains(target)
    }

    /// The objects that own a part by an unsaved edit.
    private func claimers(of part: Int) -> [Int] {
        side.numbers { held in
            held.state == .saved
                && [ModelField.part, .parts].contains { field in
                    held.isEdited(field) && held.values[field].elements.contains(part)
                        && !held.baseline[field].elements.contains(part)
                }
        }
    }
}
