import PersistentObjects

extension ModelRun {
    private struct Unwanted: Error {}
    private enum Ending { case well, error, rollBack }

    func transaction(_ side: ModelSide, _ depth: Int) throws {
        let ending: Ending = [.well, .well, .well, .error, .rollBack][random.below(5)]
        note("\(side.index): begin \(depth + 1)")
        levels.append(ModelLevel(rows: rows, held: side.held, isCurrent: side.isCurrent))
        do {
            try session(side, depth, ending)
        } catch is Unwanted where ending == .error {
            return try rollBack(side, depth, "an error")
        } catch let error as StoreError where depth == 0 {
            // The commit saves edits of objects that the user no longer holds.
            let dropped = side.numbers { $0.object == nil }
            let allowed = forecast(side, []).allowed
            guard !dropped.isEmpty, allowed.contains(error.code) else { throw error }
            return try rollBack(side, depth, "\(error.code)")
        }
        if ending == .rollBack { return try rollBack(side, depth, "a roll back") }
        note("\(side.index): commit \(depth + 1)")
        let level = levels.removeLast()
        guard levels.isEmpty else { return levels[levels.count - 1].absorb(level) }
        try resolveDropped(side)
        try takeSaved(side)
    }

    private func session(_ side: ModelSide, _ depth: Int, _ ending: Ending) throws {
        try side.session.transaction { () throws in
            for _ in 0..<12 {
                guard let code = nextOperation() else { break }
                if try step(side, code, depth: depth + 1) == .endsTransaction { break }
            }
            switch ending {
            case .well: break
            case .error: throw Unwanted()
            case .rollBack: side.session.rollBack()
            }
        }
    }

    /// Restores the model to the start of the transaction, except edits of objects that were neither saved nor deleted.
    private func rollBack(_ side: ModelSide, _ depth: Int, _ why: String) throws {
        note("\(side.index): \(depth + 1) ends by \(why)")
        let level = levels.removeLast()
        if !levels.isEmpty { levels[levels.count - 1].absorb(level) }
        rows = level.rows
        side.isCurrent = level.isCurrent
        // Edits of released objects that a deletion or a refresh had discarded are pending again.
        for (number, start) in level.held where start.object == nil && side.held[number] == nil {
            side.held[number] = start
        }
        for number in side.numbers {
            guard var held = side.held[number] else { continue }
            // If a row was restored, its object may differ from the object at the start.
            let start = level.held[number].flatMap { start in
                start.object == nil || held.object == nil || start.object === held.object ? start : nil
            }
            let (now, row) = (held, rows[number]?.record)
            let fields = version.of(held.kind).fields
            if let first = level.firstSaves[number] {
                (held.state, held.values, held.baseline) = (.new, first, first)
            } else if let start, level.touched.contains(number) {
                (held.state, held.values, held.baseline) = (start.state, start.values, start.baseline)
                if start.state == .saved, row == nil { held.state = .deleted }
            } else if let row, level.touched.contains(number) || now.state == .deleted && start?.state != .deleted {
                // The object was first fetched and then written inside the transaction.
                (held.state, held.values, held.baseline) = (.saved, row, row)
            } else if let row, held.state == .saved {
                // Its edits stay, and links that deletions had removed are restored.
                for field in fields where !now.isEdited(field) {
                    (held.values[field], held.baseline[field]) = (row[field], row[field])
                }
                for field in fields where now.isEdited(field) {
                    held.doubtful.insert(field)
                    if let start, field.target != nil { held.baseline[field] = start.baseline[field] }
                }
            }
            for field in fields where start?.isEdited(field) == true { held.doubtful.insert(field) }
            // The transaction may have seen that another session had deleted it, and the object may still show that.
            if row == nil, held.state != .new, let object = held.object {
                held.state = object.isDeleted ? .deleted : .saved
            }
            if level.hasRefused, held.state == .saved, let access = version.of(held.kind).access(.lazyNext),
                let object = held.object, access.get(object, false) == nil
            {
                held.values[.lazyNext] = held.baseline[.lazyNext]
            }
            if start == nil, held.state == .saved, !side.isCurrent, let object = held.object {
                // The object may have been in memory before it was fetched, with earlier values of its row.
                for access in version.of(held.kind).accesses {
                    guard let value = access.get(object, false) else { continue }
                    (held.values[access.field], held.baseline[access.field]) = (value, value)
                }
            }
            side.held[number] = held
            // Edits of a deleted row stay pending, and the next commit reports them.
            if held.object == nil, !held.isEdited { side.held[number] = nil }
            try observe(side, number, or: [now.values, start?.values, row].compactMap { $0 }, from: start)
        }
    }
}
