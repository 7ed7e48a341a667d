import PersistentObjects

extension ModelRun {
    enum Outcome { case goesOn, endsSessions, endsTransaction }

    /// Runs an operation in the library and in the model, and compares the results.
    func step(_ side: ModelSide, _ code: Int, depth: Int) throws -> Outcome {
        if depth == 0, code == 62 || code == 63 {
            if code == 63 { upgrade() }
            note("\(code == 63 ? "a new version of the program" : "closed and opened")")
            return .endsSessions
        }
        if depth > 0, code >= 58 { return .endsTransaction }
        let before = rows
        let outcome = try CurrentSession.with(side.session) { try operation(side, code, depth) }
        if depth == 0, !isUndoing, rows != before { committed(side, before) }
        isUndoing = false
        try CurrentSession.with(side.session) { try observeAll(side) }
        if depth == 0, count % 8 == 0 { try checkFile() }
        return outcome
    }

    private func operation(_ side: ModelSide, _ code: Int, _ depth: Int) throws -> Outcome {
        switch code {
        case 0..<6: try create(side)
        case 6..<22: try edit(side)
        case 22..<30: try saveOne(side)
        case 30..<33: try saveChanges(side)
        case 33..<36: try deleteOne(side)
        case 36: try deleteCounted(side)
        case 37: try updateCounted(side)
        case 38..<41: try find(side)
        case 41..<43: try fetchAll(side)
        case 43..<45: try refresh(side)
        case 45: try reload(side)
        case 46..<48: revert(side)
        case 48..<51: if depth == 0 { drop(side) } else { try edit(side) }
        case 51..<53: try compareCounts(side)
        case 53..<58: if depth < 3 { try transaction(side, depth) } else { try saveOne(side) }
        case 58..<61: try undo(side)
        default: try redo(side)
        }
        return .goesOn
    }

    /// Updates the sides after a commit that has changed rows.
    private func committed(_ side: ModelSide, _ before: [Int: ModelRow]) {
        time += 1
        for other in sides where other !== side { (other.isCurrent, other.othersTime) = (false, time) }
        guard side.session.recordsUndo else { return }
        var changes: [Int: (old: ModelRow?, new: ModelRow?)] = [:]
        for number in Set(before.keys).union(rows.keys) where before[number] != rows[number] {
            changes[number] = (before[number], rows[number])
        }
        side.undo.append(.init(changes: changes, time: time))
        side.redo = []
    }
}

// Objects.
extension ModelRun {
    private func create(_ side: ModelSide) throws {
        guard rows.count + side.numbers(where: { $0.state == .new }).count < 14 else { return try deleteOne(side) }
        guard let kind = ModelKind(rawValue: [0, 0, 0, 1, 1, 2, 3, 4][random.below(8)]) else { return }
        let object = version.of(kind).make()
        object.number = nextNumber
        let record = ModelRecord()
        side.held[nextNumber] = .init(kind: kind, object: object, state: .new, values: record, baseline: record)
        side.known[nextNumber] = .init(object: object)
        note("\(side.index): create \(kind) \(nextNumber)")
        nextNumber += 1
        for _ in 0..<random.below(3) { try edit(side, nextNumber - 1) }
    }

    private func edit(_ side: ModelSide) throws {
        let numbers = side.numbers { $0.object != nil && $0.state != .deleted }
        guard let number = random.pick(numbers) else { return try create(side) }
        try edit(side, number)
    }

    private func edit(_ side: ModelSide, _ number: Int) throws {
        guard var held = side.held[number], let object = held.object,
            let access = random.pick(version.of(held.kind).accesses)
        else { return }
        let field = access.field
        if access.get(object, false) == nil {
            // A lazy value is read first. It is the current or an earlier value of the row.
            guard let value = access.get(object, true) else { return }
            let row = rows[number]?.record[field]
            try expect(
                value == held.values[field] || value == row || !side.isCurrent || !exists(side, value),
                "\(number).\(field) is loaded as \(value), wanted \(held.values[field]) or \(row ?? .null)")
            (held.values[field], held.baseline[field]) = (value, value)
        }
        let value = newValue(side, field, held.values[field])
        access.set(object, value) { side.held[$0]?.object }
        held.isBehind = held.isBehind || held.isEdited(field)
        held.values[field] = value
        side.held[number] = held
        note("\(side.index): edit \(number).\(field): \(value)")
        try expect(access.get(object, true) == value, "\(number).\(field) is not what it was set to")
    }

    private func exists(_ side: ModelSide, _ value: ModelValue) -> Bool {
        value.elements.allSatisfy { rows[$0] != nil || side.held[$0]?.state == .new }
    }

    private func newValue(_ side: ModelSide, _ field: ModelField, _ old: ModelValue) -> ModelValue {
        if field.isOptional, random.isOne(in: 5) { return .null }
        func element() -> Int? {
            guard let target = field.target else { return random.below(6) }
            return random.pick(
                side.numbers { $0.kind.isA(target) && $0.object != nil && $0.state != .deleted })
        }
        guard let new = element() else { return old }
        switch field.form {
        case .scalar:
            switch field {
            case .flag: return .one(new & 1)
            case .status: return .one(new & 3)
            case .key: return .one(random.below(12))
            default: return .one(new)
            }
        case .array:
            var list = old.elements
            switch random.below(field == .parts ? 2 : 6) {
            case 0, 2: list.append(new)
            case 1: list.reverse()
            case 3: list.insert(new, at: random.below(list.count + 1))
            case 4: if !list.isEmpty { list.remove(at: random.below(list.count)) }
            default: list = random.isOne(in: 3) ? [] : list + [new, new]
            }
            // An owner's list contains each object once.
            return .list(field == .parts ? list.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } : list)
        case .set:
            let set = Set(old.elements)
            return .set(random.isOne(in: 3) ? set.subtracting([new]) : set.union([new]))
        case .dictionary:
            var table: [Int: Int] = if case .table(let table) = old { table } else { [:] }
            table[random.below(4)] = random.isOne(in: 4) ? nil : new
            return .table(table)
        }
    }

    private func revert(_ side: ModelSide) {
        guard let number = random.pick(side.numbers { $0.object != nil && $0.state == .saved }) else { return }
        side.held[number]?.object?.revert()
        if var held = side.held[number] {
            held.isBehind = held.isBehind || held.isEdited
            held.values = held.baseline
            side.held[number] = held
        }
        note("\(side.index): revert \(number)")
    }

    private func drop(_ side: ModelSide) {
        guard let number = random.pick(side.numbers { $0.object != nil && $0.state != .new }) else { return }
        if side.held[number]?.state == .saved, side.held[number]?.isEdited == true {
            side.held[number]?.object = nil
        } else {
            side.held[number] = nil
        }
        note("\(side.index): drop \(number)")
    }
}
