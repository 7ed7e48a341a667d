import PersistentObjects

/// The errors that a save may throw, and whether it must throw one.
struct ModelForecast {
    var allowed: Set<StoreError.Code> = []
    var isRefused = false

    mutating func add(_ code: StoreError.Code, isSure: Bool) {
        allowed.insert(code)
        if isSure { isRefused = true }
    }
}

extension ModelRun {
    func saveOne(_ side: ModelSide) throws {
        guard let number = random.pick(side.numbers { $0.object != nil }), let held = side.held[number],
            let object = held.object
        else { return }
        note("\(side.index): save \(number)")
        if held.state == .deleted {
            return try expectError([.objectIsDeleted]) { try object.save() }
        }
        try save(side, [number]) { try object.save() }
    }

    func saveChanges(_ side: ModelSide) throws {
        note("\(side.index): save changes")
        let edited = side.numbers { $0.state == .saved && $0.isEdited }
        try save(side, edited) { try side.session.saveChanges() }
        // Edits of objects that the user no longer holds were also saved.
        try resolveDropped(side)
    }

    private func expectError(_ codes: Set<StoreError.Code>, _ body: () throws -> Void) throws {
        do { try body() } catch let error as StoreError where codes.contains(error.code) {
            return note("    refused: \(error.code)")
        }
        throw wrong("no error, wanted \(codes)")
    }

    private func save(_ side: ModelSide, _ roots: [Int], _ body: () throws -> Void) throws {
        let must = reached(side, roots).filter { isUnsaved(side, $0) }
        let forecast = forecast(side, must)
        do { try body() } catch let error as StoreError {
            guard forecast.allowed.contains(error.code) else { throw wrong("the save was refused: \(error)") }
            if let last = levels.indices.last { levels[last].hasRefused = true }
            return note("    refused: \(error.code)")
        }
        try expect(!forecast.isRefused, "the save was not refused, wanted \(forecast.allowed)")
        for number in must { try take(side, number) }
        try takeSaved(side)
        // Lazy links can keep objects alive that the user has released, and a save follows them.
        try resolveDropped(side)
    }

    func isUnsaved(_ side: ModelSide, _ number: Int) -> Bool {
        guard let held = side.held[number] else { return false }
        return held.state == .new || held.state == .saved && held.isEdited
    }

    /// The objects that a save must include: those that links reach that are always loaded.
    func reached(_ side: ModelSide, _ roots: [Int]) -> [Int] {
        var reached: Set<Int> = []
        var waiting = roots
        while let number = waiting.popLast() {
            guard reached.insert(number).inserted else { continue }
            let held = side.held[number]
            guard let kind = held?.kind ?? rows[number]?.kind else { continue }
            // The values of objects that the user does not hold are known only if no other session has written.
            guard let record = held?.values ?? (side.isCurrent ? rows[number]?.record : nil) else { continue }
            for field in version.of(kind).fields where field.target != nil {
                let isLoaded = field != .lazyNext || held?.state == .new || held?.isEdited(field) == true
                if isLoaded { waiting += record[field].elements }
            }
        }
        return reached.sorted()
    }

    /// The possible errors of a save of unsaved objects, some of which it must include.
    func forecast(_ side: ModelSide, _ must: [Int]) -> ModelForecast {
        var forecast = ModelForecast()
        let sure = Set(must)
        for (number, held) in side.held where isUnsaved(side, number) {
            let isSure = sure.contains(number)
            if held.state == .saved {
                if let row = rows[number]?.record {
                    addConflicts(held, row, isSure, &forecast)
                } else {
                    forecast.add(.rowGone, isSure: isSure)
                }
            }
            for field in version.of(held.kind).fields where field.target != nil {
                for element in held.values[field].elements where isGone(side, element) {
                    forecast.add(.brokenReference, isSure: false)
                    forecast.add(.objectIsDeleted, isSure: false)
                }
            }
            addKeys(side, number, held, sure, &forecast)
        }
        if side.hasReplaced || side.held.contains(where: { $0.value.state == .deleted }) {
            forecast.add(.objectIsDeleted, isSure: false)
        }
        return forecast
    }

    private func addConflicts(
        _ held: ModelSide.Held, _ row: ModelRecord, _ isSure: Bool, _ forecast: inout ModelForecast
    ) {
        for field in version.of(held.kind).fields where held.isEdited(field) && row[field] != held.baseline[field] {
            if row[field] == held.values[field], !field.isAdditive(version.number) { continue }
            // A link from which another session's deletion removed an object need not conflict, nor need a lazy value.
            forecast.add(
                .staleObject, isSure: isSure && field.target == nil && !held.doubtful.contains(field))
        }
    }

    private func addKeys(
        _ side: ModelSide, _ number: Int, _ held: ModelSide.Held, _ sure: Set<Int>, _ forecast: inout ModelForecast
    ) {
        guard case .one = held.values[.key], held.state == .new || held.isEdited(.key) else { return }
        for (other, row) in rows where other != number && row.record[.key] == held.values[.key] {
            let mine = side.held[other]
            let mayChange = mine.map { $0.state == .saved && $0.isEdited(.key) } ?? false
            forecast.add(.notUnique, isSure: sure.contains(number) && !mayChange)
        }
        for (other, mine) in side.held where other != number && mine.state != .deleted {
            guard mine.values[.key] == held.values[.key] else { continue }
            forecast.add(.notUnique, isSure: sure.contains(number) && sure.contains(other))
        }
    }

    /// Updates the model for objects that a save has written in addition to those that it had to include.
    func takeSaved(_ side: ModelSide) throws {
        for number in side.numbers {
            guard let held = side.held[number], let object = held.object, isUnsaved(side, number) else { continue }
            if !object.isNew, !object.isDeleted, !object.hasChanges, rows[number] != nil || held.state == .new {
                try take(side, number)
            }
        }
    }

    /// Updates the model for a saved object. Its row has its edits, and the object has the other sessions' changes.
    func take(_ side: ModelSide, _ number: Int) throws {
        guard var held = side.held[number] else { return }
        if held.object == nil { held.object = try version.find(held.kind, number) }
        guard let object = held.object else { throw wrong("\(side.index): \(number) was saved, and is not found") }
        try expect(!object.isNew && !object.hasChanges, "\(side.index): \(number) was not saved: \(object.changes)")
        let row = rows[number]?.record
        var record = row ?? ModelRecord()
        for access in version.of(held.kind).accesses {
            let field = access.field
            let isWritten = held.state == .new || held.isEdited(field)
            guard let value = access.get(object, false) else {
                if isWritten { record[field] = held.values[field] }
                continue
            }
            let wanted = isWritten ? held.values[field] : record[field]
            let isRight = value == wanted || isWritten && value == wanted.without { isGone(side, $0) }
            try expect(isRight, "\(side.index): \(number).\(field) is \(value) after the save, wanted \(wanted)")
            record[field] = value
        }
        touch(number, held)
        (held.state, held.values, held.baseline, held.doubtful) = (.saved, record, record, [])
        side.held[number] = held
        rows[number] = ModelRow(kind: held.kind, record: record)
    }

    /// Records that an object is saved or deleted in the current transaction.
    func touch(_ number: Int, _ held: ModelSide.Held?) {
        guard let last = levels.indices.last, levels[last].firstSaves[number] == nil else { return }
        if let held, held.state == .new {
            levels[last].firstSaves[number] = held.values
        } else {
            levels[last].touched.insert(number)
        }
    }

    /// Finds out whether the edits of objects that the user no longer holds were saved.
    func resolveDropped(_ side: ModelSide) throws {
        for number in side.numbers(where: { $0.object == nil }) {
            guard let held = side.held[number], rows[number] != nil else { continue }
            guard let object = try version.find(held.kind, number) else {
                throw wrong("\(side.index): \(number) is not found")
            }
            side.held[number]?.object = object
            if !object.hasChanges { try take(side, number) }
        }
    }
}
