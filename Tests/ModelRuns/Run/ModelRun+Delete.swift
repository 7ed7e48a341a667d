import PersistentObjects

extension ModelRun {
    func deleteOne(_ side: ModelSide) throws {
        guard let number = random.pick(side.numbers { $0.object != nil && $0.state == .saved }),
            let object = side.held[number]?.object
        else { return }
        note("\(side.index): delete \(number)")
        guard rows[number] != nil else {
            // Another session has deleted it.
            do { try object.delete() } catch let error as StoreError where error.code == .rowGone { return }
            side.held[number]?.state = .deleted
            return
        }
        try delete(side, [number]) { try object.delete() }
    }

    func deleteCounted(_ side: ModelSide) throws {
        let count = random.below(6)
        let roots = rows.filter { isThing($0.value) && $0.value.record[.count] == .one(count) }.keys.sorted()
        note("\(side.index): delete \(roots), whose count is \(count)")
        try delete(side, roots) {
            let deleted = try version.deleteCounted(count)
            try expect(deleted == roots.count, "\(deleted) were deleted, wanted \(roots)")
        }
    }

    private func isThing(_ row: ModelRow) -> Bool { row.kind.isA(.thing) }

    private func delete(_ side: ModelSide, _ roots: [Int], _ body: () throws -> Void) throws {
        let deletion = ModelDeletion(self, side, roots)
        let gone = deletion.gone
        // Edits that move objects out of the deletion are saved with it.
        let must = reached(side, deletion.movers.sorted()).filter { isUnsaved(side, $0) && !gone.contains($0) }
        var forecast = deletion.movers.isEmpty ? ModelForecast() : forecast(side, must)
        let refersToGone = must.contains { number in
            ModelField.allCases.contains { field in
                field.target != nil && side.held[number]?.values[field].elements.contains { gone.contains($0) } == true
            }
        }
        if refersToGone {
            forecast.add(.brokenReference, isSure: false)
            forecast.add(.objectIsDeleted, isSure: false)
        }
        do { try body() } catch let error as StoreError where error.code == .deletionDenied {
            try expect(deletion.isDenied, "the deletion was denied: \(error)")
            return note("    denied")
        } catch let error as StoreError where forecast.allowed.contains(error.code) {
            if let last = levels.indices.last { levels[last].hasRefused = true }
            return note("    refused: \(error.code)")
        }
        try expect(!deletion.isDenied, "the deletion was not denied")
        try expect(!forecast.isRefused, "the deletion was not refused, wanted \(forecast.allowed)")
        remove(gone, side)
        guard !deletion.movers.isEmpty else { return }
        for number in must { try take(side, number) }
        try takeSaved(side)
        try resolveDropped(side)
    }

    private func remove(_ gone: Set<Int>, _ side: ModelSide) {
        for number in gone {
            touch(number, side.held[number])
            rows[number] = nil
            if side.held[number]?.object == nil { side.held[number] = nil }
            side.held[number]?.state = .deleted
        }
        let former = rows
        for (number, row) in rows {
            let fields = version.of(row.kind).fields
            let record = row.record.without(fields) { gone.contains($0) }
            if record != row.record { rows[number]?.record = record }
        }
        // The session does not know references of new objects.
        for number in side.numbers where side.held[number]?.state == .saved && rows[number] != nil {
            guard let held = side.held[number] else { continue }
            for field in version.of(held.kind).fields where field.target != nil {
                let base = held.baseline[field].without { gone.contains($0) }
                // A deletion finds the referring rows in the file. If another session changed the row, the edit stays.
                if held.isEdited(field), former[number]?.record[field] == rows[number]?.record[field] { continue }
                side.held[number]?.baseline[field] = base
                // An edit may still refer to a deleted object, which a save refuses.
                if !held.isEdited(field) { side.held[number]?.values[field] = base }
            }
        }
    }

    func updateCounted(_ side: ModelSide) throws {
        let (old, new) = (random.below(6), random.below(6))
        let numbers = rows.filter { isThing($0.value) && $0.value.record[.count] == .one(old) }.keys.sorted()
        note("\(side.index): count \(old) of \(numbers) becomes \(new)")
        let updated = try version.updateCounted(old, new)
        try expect(updated == numbers.count, "\(updated) were updated, wanted \(numbers)")
        for number in numbers {
            rows[number]?.record[.count] = .one(new)
            if side.held[number]?.isEdited(.count) == true { side.held[number]?.doubtful.insert(.count) }
            // The object is read again, and its edits are now based on the row's current values.
            if let held = side.held[number], held.state == .saved, held.object != nil, let row = rows[number]?.record {
                for field in version.of(held.kind).fields where held.isEdited(field) {
                    side.held[number]?.baseline[field] = row[field]
                }
            }
            if let held = side.held[number], held.state == .saved { touch(number, held) }
        }
    }
}
