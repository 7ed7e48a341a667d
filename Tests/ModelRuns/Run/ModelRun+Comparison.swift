import PersistentObjects

extension ModelRun {
    /// Whether the object with a number can no longer be referred to.
    func isGone(_ side: ModelSide, _ number: Int) -> Bool {
        rows[number] == nil && side.held[number]?.state != .new
    }

    func observeAll(_ side: ModelSide) throws {
        if let broken = side.session.brokenInvariant { throw wrong(broken) }
        for number in side.numbers { try observe(side, number) }
    }

    /// Compares an object with the model, and updates the model.
    ///
    /// Values that the user has not edited may follow the row. If the session knows all commits, they must.
    ///
    /// - Parameter isRead: Whether the row was just read.
    /// - Parameter others: Other permitted values.
    /// - Parameter start: The object's state at the start of the transaction that was rolled back.
    func observe(
        _ side: ModelSide, _ number: Int, isRead: Bool = false, or others: [ModelRecord] = [],
        from start: ModelSide.Held? = nil
    ) throws {
        guard var held = side.held[number], let object = held.object else { return }
        defer { side.held[number] = held }
        try expect(object.isNew == (held.state == .new), "\(side.index): \(number) is new: \(object.isNew)")
        if held.state == .saved, object.isDeleted, rows[number] == nil { held.state = .deleted }
        try expect(
            object.isDeleted == (held.state == .deleted), "\(side.index): \(number) is deleted: \(object.isDeleted)")
        guard held.state != .deleted else { return }
        let row = held.state == .saved ? rows[number]?.record : nil
        if isRead { held.isBehind = false }
        let isExact = others.isEmpty && row != nil && (isRead || side.isCurrent && !held.isBehind)
        let changes = held.state == .saved && object.hasChanges ? Set(object.changes.map(\.name)) : []
        for access in version.of(held.kind).accesses {
            let field = access.field
            guard let value = access.get(object, false) else {
                // A value that is not loaded has the row's value once it is loaded.
                try expect(
                    !held.isEdited(field),
                    "\(side.index): \(number).\(field) is not loaded, and had the edit \(held.values[field])")
                if let row {
                    (held.values[field], held.baseline[field]) = (row[field], row[field])
                }
                continue
            }
            let model = held.values[field]
            let name = "\(side.index): \(number).\(field)"
            let fitting =
                value == model
                // An edit may still refer to deleted objects, or to some of them.
                || value.without { isGone(side, $0) } == model.without { isGone(side, $0) }
                    && Set(value.elements).isSubset(of: model.elements)
                // A deletion finds the referring rows in the file. An object whose row was changed elsewhere keeps
                // its links.
                || held.state == .saved && !isExact && value.without { isGone(side, $0) } == model
            if held.state == .new {
                try expect(fitting || others.contains { $0[field] == value }, "\(name) is \(value), wanted \(model)")
                (held.values[field], held.baseline[field]) = (value, value)
                continue
            }
            let isChanged = changes.contains(access.name)
            // A value that a rollback restored to its edit at the start has the baseline of that edit.
            if isChanged, let start, start.values[field] == value, start.isEdited(field) {
                held.baseline[field] = start.baseline[field]
            }
            if held.isEdited(field) {
                try expect(
                    fitting || others.contains { $0[field] == value } || !isChanged && value == row?[field],
                    "\(name) is \(value), wanted the edit \(model)")
                held.values[field] = value
                if !isChanged {
                    let base = held.baseline[field]
                    try expect(
                        value == row?[field] || value == base || value == base.without { isGone(side, $0) }
                            || !others.isEmpty,
                        "\(name): the edit of \(base) to \(value) is none any more; the row has \(row?[field] ?? .null)"
                    )
                    held.baseline[field] = value
                } else if held.baseline[field] == value, let row {
                    held.baseline[field] = row[field]
                }
            } else {
                let isRight =
                    isExact
                    ? value == row?[field] : fitting || value == row?[field] || others.contains { $0[field] == value }
                try expect(
                    isRight,
                    "\(name) is \(value), wanted \(model); the row has \(row?[field] ?? .null) exact \(isExact)")
                if isChanged { try expect(!others.isEmpty, "\(name) is \(value), and counts as changed") }
                held.values[field] = value
                if !isChanged {
                    held.baseline[field] = value
                } else if held.baseline[field] == value, let row {
                    held.baseline[field] = row[field]
                }
            }
        }
    }

    /// Compares the file with the model, in a new session.
    func checkFile() throws {
        let found = try store.withSession { session in
            let found = try readAll()
            try expect(
                try session.rows("PRAGMA foreign_key_check").isEmpty, "a reference in the file leads nowhere")
            if let broken = session.brokenInvariant { throw wrong(broken) }
            return found
        }
        for number in Set(found.keys).union(rows.keys).sorted() {
            try expect(
                found[number]?.kind == rows[number]?.kind,
                "file: \(number) is \(found[number].map { "\($0.kind)" } ?? "missing"), wanted \(rows[number].map { "\($0.kind)" } ?? "none")"
            )
            guard let row = rows[number], let other = found[number] else { continue }
            for field in version.of(row.kind).fields {
                try expect(
                    row.record[field] == other.record[field],
                    "file: \(number).\(field) is \(other.record[field]), wanted \(row.record[field])")
            }
        }
    }

    /// Reads all objects in the current session, and checks their inverses.
    func readAll() throws -> [Int: ModelRow] {
        var found: [Int: ModelRow] = [:]
        let objects = try version.all()
        defer { version.unlink(objects) }
        for object in objects {
            guard let kind = version.kind(of: object), found[object.number] == nil, !object.hasChanges else {
                throw wrong("file: \(object) is there twice, or has changes")
            }
            var record = ModelRecord()
            for access in version.of(kind).accesses { record[access.field] = access.get(object, true) ?? .null }
            found[object.number] = ModelRow(kind: kind, record: record)
        }
        for object in objects {
            func check(_ name: String, _ others: [any Numbered], _ field: ModelField) throws {
                let wanted = found.filter { $0.value.record[field] == .one(object.number) }.keys.sorted()
                let numbers = others.map(\.number).sorted()
                try expect(numbers == wanted, "file: inverse \(object.number).\(name) is \(numbers), wanted \(wanted)")
            }
            try version.inverses(of: object).forEach { try check($0.name, $0.objects, $0.field) }
        }
        return found
    }
}

extension ModelVersion {
    /// Breaks the cycles of objects, which would keep each other in memory.
    func unlink(_ objects: [any Numbered]) {
        for object in objects {
            guard let kind = kind(of: object) else { continue }
            for access in of(kind).accesses where access.field.target != nil && access.get(object, false) != nil {
                access.set(object, .null) { _ in nil }
            }
        }
    }

    /// The inverses of an object.
    func inverses(of object: any Numbered) -> [(name: String, objects: [any Numbered], field: ModelField)] {
        switch object {
        case let thing as V1.Thing: [("previous", thing.previous, .next)]
        case let thing as V2.Thing: [("previous", thing.previous, .next)]
        case let owner as V1.Owner: [("things", owner.things, .owner), ("badges", owner.badges, .badgeOwner)]
        case let owner as V2.Owner: [("things", owner.things, .owner), ("badges", owner.badges, .badgeOwner)]
        default: []
        }
    }
}
