import TestSupport

@testable import PersistentObjects

// Comparisons.
extension TransactionRun {
    /// Returns the state as strings, without inverses: whether they are loaded may change, and their content is
    /// compared with the model.
    func dump() -> [Int: String] {
        model.held.mapValues { held in
            let parts = MemoryDump.parts(of: held.object).filter { $0.name != "previous" }
            return parts.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        }
    }

    /// Requires an unchanged dump for each object that is unchanged in the model.
    func compareDumps(_ before: [Int: String], _ former: [Int: TransactionModel.Held]) throws {
        let now = dump()
        for (number, held) in former {
            guard let new = model.held[number], new.state == held.state, new.values == held.values,
                new.baseline == held.baseline || held.state != .saved
            else { continue }
            guard before[number] == now[number] else {
                throw wrong("\(number) is \(now[number] ?? "gone"), was \(before[number] ?? "")")
            }
        }
    }

    func compareMemory() throws {
        for (number, held) in model.held {
            let node = held.object
            let values = TransactionModel.Values(node)
            if values != held.values { throw wrong("\(number) is \(values), wanted \(held.values)") }
            if node.isNew != (held.state == .new) || node.isDeleted != (held.state == .deleted) {
                throw wrong("\(number) is \(node.lifecycle), wanted \(held.state)")
            }
            if (node.id == nil) != (held.state == .new) { throw wrong("\(number) has id \(node.id ?? -1)") }
            guard held.state == .saved else { continue }
            let changes = node.changes.map(\.name).filter { $0 != "previous" }.sorted()
            let edits = held.edits.map(\.rawValue).sorted()
            if changes != edits { throw wrong("\(number) has changes \(changes), wanted \(edits)") }
            // The inverses of the other objects stay unloaded.
            guard number % 2 == 0, count % 3 == 0 else { continue }
            let previous = node.previous.map(\.number).sorted()
            let wanted = model.rows.filter { $0.value.next == number }.map(\.key).sorted()
            if previous != wanted { throw wrong("the inverse of \(number) is \(previous), wanted \(wanted)") }
        }
        if let broken = try session.space(of: TransactionNode.self).identity.brokenInvariant() { throw wrong(broken) }
        if session.busyStatementCount != 0 { throw wrong("a statement is left busy") }
        if session.isInTransaction != !model.levels.isEmpty { throw wrong("isInTransaction is wrong") }
    }

    func compareFile() throws {
        let rows = try session.store.withSession { _ in
            Dictionary(uniqueKeysWithValues: try TransactionNode.all().map { ($0.number, TransactionModel.Values($0)) })
        }
        if rows != model.rows { throw wrong("the rows are \(rows), wanted \(model.rows)") }
    }
}
