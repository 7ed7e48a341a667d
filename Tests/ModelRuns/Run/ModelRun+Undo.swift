import PersistentObjects

extension ModelRun {
    func undo(_ side: ModelSide) throws { try goBack(side, isUndo: true) }
    func redo(_ side: ModelSide) throws { try goBack(side, isUndo: false) }

    private func goBack(_ side: ModelSide, isUndo: Bool) throws {
        guard side.session.recordsUndo else { return }
        let session = side.session
        let level = isUndo ? side.undo.last : side.redo.last
        note("\(side.index): \(isUndo ? "undo" : "redo") \(level.map { "\($0.changes.keys.sorted())" } ?? "nothing")")
        guard let level else {
            try expect(isUndo ? !session.canUndo : !session.canRedo, "there is something to undo or redo")
            return try expect(!(isUndo ? session.undo() : session.redo()), "something was undone or redone")
        }
        let hasOthers = side.othersTime > level.time
        do {
            try expect(isUndo ? session.undo() : session.redo(), "nothing was undone or redone")
        } catch let error as StoreError where hasOthers {
            return note("    refused: \(error.code)")
        }
        isUndoing = true
        let former = rows
        if hasOthers {
            // Other sessions' changes of the same rows stay, so the result is read from the file.
            rows = try store.withSession { _ in try readAll() }
        } else {
            for (number, change) in level.changes { rows[number] = isUndo ? change.old : change.new }
        }
        // If other sessions have changed rows since the level, they have also done so for the opposite step.
        let moved = ModelSide.UndoLevel(changes: level.changes, time: hasOthers ? level.time : time + 1)
        if isUndo {
            side.undo.removeLast()
            side.redo.append(moved)
        } else {
            side.redo.removeLast()
            side.undo.append(moved)
        }
        if rows == former { time += 1 } else { committedByUndo(side) }
        try follow(side, former)
    }

    private func committedByUndo(_ side: ModelSide) {
        time += 1
        for other in sides where other !== side { (other.isCurrent, other.othersTime) = (false, time) }
    }

    /// Updates the model of objects in memory after an undo.
    private func follow(_ side: ModelSide, _ former: [Int: ModelRow]) throws {
        for number in side.numbers where former[number] != rows[number] {
            guard let held = side.held[number] else { continue }
            if let row = rows[number]?.record {
                if held.state == .deleted {
                    side.held[number] = .init(
                        kind: held.kind, object: held.object, state: .saved, values: row, baseline: row)
                } else {
                    for field in version.of(held.kind).fields where held.isEdited(field) {
                        side.held[number]?.doubtful.insert(field)
                        if row[field] != former[number]?.record[field] {
                            side.held[number]?.baseline[field] = row[field]
                        }
                    }
                }
            } else if held.object == nil {
                side.held[number] = nil
            } else {
                side.held[number]?.state = .deleted
            }
        }
    }
}
