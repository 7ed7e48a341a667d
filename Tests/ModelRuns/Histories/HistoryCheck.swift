/// A result that isolated transactions cannot produce.
public struct Anomaly: Sendable, CustomStringConvertible {
    public enum Kind: String, Sendable, CaseIterable {
        case lostAppend = "an append that was acknowledged is lost"
        case tornAppend = "a part of an operation is there, and a part is not"
        case failedAppend = "an append came that failed or was rolled back"
        case undoneAppend = "an append is there that was undone"
        case duplicate = "a value is there twice"
        case stranger = "a value is there that nobody has appended"
        case incompatibleOrder = "two lists are no beginnings of one another"
        case unrepeatableRead = "one transaction reads a list in two states"
        case dirtyRead = "a value was read that never came to stay"
        case intermediateRead = "a part of what one operation appends was read"
        case staleRead = "a read has missed what was acknowledged before it began"
        // These are Adya's names, as in Elle.
        case writeCycle = "G0, a cycle of writes"
        case informationCycle = "G1c, a cycle of writes and reads of them"
        case singleAntiDependency = "G-single, a cycle with one read of what was replaced"
        case antiDependencyCycle = "G2, a cycle with several reads of what was replaced"
        case timeCycle = "a cycle with the order of time"
    }

    public let kind: Kind
    public let text: String

    public var description: String { "\(kind.rawValue): \(text)" }
}

extension History {
    /// The anomalies of the history; empty if a serial execution could have produced it.
    public var anomalies: [Anomaly] {
        var check = HistoryCheck(self)
        return check.run()
    }
}

/// The indexed contents of a history, and the checks of its values.
///
/// The kept values of a list have one order, which is that of the final list. Each read of them is a prefix of it. An
/// undone value also has a position in that order: after as many kept values as were read before it.
struct HistoryCheck {
    /// The operation that has appended a value, and whether the value was kept when the operation ended.
    struct Origin {
        let operation: Int
        let list: Int
        let isKept: Bool
    }

    let operations: [History.Operation]
    let lists: [Int: [Int]]
    /// The origins of values. Operations are identified by their indices from here on.
    private(set) var origins: [Int: Origin] = [:]
    /// The undo of each operation that was undone, by index.
    private(set) var undos: [Int: Int] = [:]
    /// The kept values of each list, in order, and their positions.
    private(set) var orders: [Int: [Int]] = [:]
    private(set) var places: [Int: Int] = [:]
    private(set) var found: [Anomaly] = []
    /// The reads and the kept appends of each operation.
    let reads: [[(list: Int, values: [Int])]]
    let appends: [[(list: Int, value: Int)]]

    init(_ history: History) {
        (operations, lists) = (history.operations, history.lists)
        reads = operations.map(\.reads)
        appends = operations.map(\.appends)
        let ids = Dictionary(operations.enumerated().map { ($1.id, $0) }) { first, _ in first }
        for (place, operation) in operations.enumerated() {
            if case .undo(let id) = operation.kind, operation.outcome != .failed, let undone = ids[id] {
                undos[undone] = place
            }
            let kept = Set(appends[place].map(\.value))
            for case .append(let list, let value) in operation.steps {
                if origins[value] != nil { report(.duplicate, "\(value) is appended twice, by #\(operation.id) too") }
                origins[value] = Origin(operation: place, list: list, isKept: kept.contains(value))
            }
        }
        for (list, values) in lists {
            orders[list] = values.filter { isExpected($0, in: list) }
            for (place, value) in (orders[list] ?? []).enumerated() { places[value] = place }
        }
    }

    mutating func run() -> [Anomaly] {
        for (list, values) in lists.sorted(by: { $0.key < $1.key }) {
            checkValues(values, of: list, "in the end")
        }
        for place in operations.indices {
            checkEnd(place)
            if operations[place].outcome == .unknown { continue }
            checkInside(operations[place])
            for (list, values) in reads[place] {
                checkValues(values, of: list, "read by #\(operations[place].id)")
                if checkOrder(values, of: list, place) { checkTime(values, of: list, place) }
                checkParts(values, of: list, place)
            }
        }
        var graph = HistoryGraph(self)
        found += graph.cycles()
        return found
    }

    mutating func report(_ kind: Anomaly.Kind, _ text: String) { found.append(Anomaly(kind: kind, text: text)) }

    /// Whether a value may be in a list, because an operation that has not failed has appended it there.
    private func isExpected(_ value: Int, in list: Int) -> Bool {
        guard let origin = origins[value] else { return false }
        return origin.isKept && origin.list == list && operations[origin.operation].outcome != .failed
    }

    /// Whether a value was undone.
    func isUndone(_ value: Int) -> Bool {
        guard places[value] == nil, let origin = origins[value] else { return false }
        return undos[origin.operation] != nil
    }

    private mutating func checkValues(_ values: [Int], of list: Int, _ whose: String) {
        if Set(values).count < values.count {
            let twice = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +).filter { $1 > 1 }.keys.sorted()
            report(.duplicate, "\(twice) in list \(list) \(whose)")
        }
        for value in values where !isExpected(value, in: list) {
            let isOfList = origins[value]?.list == list
            report(isOfList ? .failedAppend : .stranger, "\(value) in list \(list) \(whose)")
        }
    }

    /// Checks whether the values that an operation has appended are in the final lists.
    private mutating func checkEnd(_ place: Int) {
        let operation = operations[place]
        guard operation.outcome != .failed, !appends[place].isEmpty else { return }
        let there = appends[place].filter { places[$0.value] != nil }
        let name = "#\(operation.id) has appended \(appends[place].map(\.value))"
        if let undo = undos[place] {
            // If the outcome of the undo is unknown, all of its effect or nothing may be there.
            if operations[undo].outcome == .done, !there.isEmpty {
                report(.undoneAppend, "\(name), which #\(operations[undo].id) has undone")
            } else if !there.isEmpty, there.count < appends[place].count {
                report(.tornAppend, "\(name), and \(there.map(\.value)) are left by an undo")
            }
        } else if there.count < appends[place].count {
            if operation.outcome == .done {
                report(.lostAppend, "\(name), and \(there.map(\.value)) are there")
            } else if !there.isEmpty {
                report(.tornAppend, "\(name), and \(there.map(\.value)) are there")
            }
        }
    }

    /// Checks that an operation sees its own appends, and always the same appends of other operations.
    private mutating func checkInside(_ operation: History.Operation) {
        var before: [Int: [Int]] = [:]
        var levels: [[Int: [Int]]] = [[:]]
        for step in operation.steps {
            switch step {
            case .append(let list, let value): levels[levels.count - 1][list, default: []].append(value)
            case .begin: levels.append([:])
            case .commit where levels.count > 1:
                let inner = levels.removeLast()
                levels[levels.count - 1].merge(inner) { $0 + $1 }
            case .rollback where levels.count > 1: levels.removeLast()
            case .commit, .rollback: break
            case .read(let list, let values):
                let own = levels.flatMap { $0[list] ?? [] }
                let others = Array(values.dropLast(own.count))
                if Array(values.suffix(own.count)) != own {
                    report(.unrepeatableRead, "#\(operation.id) reads \(values) in list \(list), of its own \(own)")
                } else if let known = before[list], known != others {
                    report(.unrepeatableRead, "#\(operation.id) reads \(known) in list \(list), then \(others)")
                }
                before[list] = before[list] ?? others
            }
        }
    }

    /// Checks that the kept values of a read are a prefix of their order, and that no other values were read.
    private mutating func checkOrder(_ values: [Int], of list: Int, _ place: Int) -> Bool {
        let name = "#\(operations[place].id) has read \(values) in list \(list)"
        for value in values where places[value] == nil && isExpected(value, in: list) && !isUndone(value) {
            report(.dirtyRead, "\(name), and \(value) is not there in the end")
        }
        let staying = values.filter { places[$0] != nil && isExpected($0, in: list) }
        guard staying == Array((orders[list] ?? []).prefix(staying.count)) else {
            report(.incompatibleOrder, "\(name), which in the end is \(lists[list] ?? [])")
            return false
        }
        return true
    }

    /// Checks that a read has everything that was acknowledged before its operation began.
    private mutating func checkTime(_ values: [Int], of list: Int, _ place: Int) {
        let operation = operations[place]
        let order = orders[list] ?? []
        let count = values.count { places[$0] != nil }
        let missing = order.dropFirst(count).filter { value in
            origins[value].map { operations[$0.operation].ended < operation.began } ?? false
        }
        let undone = values.filter { value in
            guard isUndone(value), let origin = origins[value], let undo = undos[origin.operation] else { return false }
            return operations[undo].ended < operation.began
        }
        if !missing.isEmpty || !undone.isEmpty {
            let what = missing.isEmpty ? "\(undone), which were undone" : "\(values) without \(missing)"
            report(.staleRead, "#\(operation.id) has read \(what) in list \(list)")
        }
    }

    /// Checks that a read has all appends of another operation or none.
    private mutating func checkParts(_ values: [Int], of list: Int, _ place: Int) {
        for other in Set(values.compactMap { origins[$0]?.operation }) where other != place {
            let all = appends[other].filter { $0.list == list }.map(\.value)
            guard all.count > 1, !Set(all).isSubset(of: values), !Set(all).isDisjoint(with: values) else { continue }
            report(
                .intermediateRead, "#\(operations[place].id) has read \(values) in list \(list), and not all of \(all)")
        }
    }
}
