import PersistentObjects

extension ModelRun {
    func find(_ side: ModelSide) throws {
        let number = 1 + random.below(max(nextNumber - 1, 1))
        guard let kind = ModelKind(rawValue: random.below(5)) else { return }
        note("\(side.index): find \(kind) \(number)")
        let object = try version.find(kind, number)
        let wanted = rows[number].map { $0.kind.isA(kind) } ?? false
        try expect((object != nil) == wanted, "\(side.index): \(kind) \(number) is found: \(object != nil)")
        if let object { try meet(side, object) }
    }

    func fetchAll(_ side: ModelSide) throws {
        note("\(side.index): fetch all")
        let objects = try version.all()
        let numbers = objects.map(\.number).sorted()
        try expect(numbers == rows.keys.sorted(), "found \(numbers), wanted \(rows.keys.sorted())")
        for object in objects { try meet(side, object) }
    }

    /// Compares an object that the library has returned with its row.
    private func meet(_ side: ModelSide, _ object: any Numbered) throws {
        let number = object.number
        guard let row = rows[number] else { throw wrong("\(number) was found, and has no row") }
        try expect(version.kind(of: object) == row.kind, "\(number) is \(object)")
        // A deleted object stays deleted, even if another session has restored its row.
        if let known = side.held[number]?.object ?? side.known[number]?.object, known !== object {
            try expect(known.isDeleted, "\(number) is in memory twice")
            side.held[number] = nil
            side.hasReplaced = true
        }
        side.known[number] = .init(object: object)
        if side.held[number] != nil {
            side.held[number]?.object = object
        } else if object.hasChanges {
            throw wrong("\(number) is found with changes: \(object.changes)")
        } else if random.below(4) > 0 {
            side.held[number] = .init(
                kind: row.kind, object: object, state: .saved, values: row.record, baseline: row.record)
        }
        try observe(side, number, isRead: true)
    }

    func refresh(_ side: ModelSide) throws {
        note("\(side.index): refresh")
        try side.session.refresh()
        for number in side.numbers where rows[number] == nil && side.held[number]?.state == .saved {
            if side.held[number]?.object == nil { side.held[number] = nil } else { side.held[number]?.state = .deleted }
        }
        for number in side.numbers { try observe(side, number, isRead: true) }
        side.isCurrent = true
    }

    func reload(_ side: ModelSide) throws {
        guard let number = random.pick(side.numbers { $0.object != nil && $0.state == .saved }),
            let object = side.held[number]?.object
        else { return }
        note("\(side.index): reload \(number)")
        do { try object.reload() } catch let error as StoreError where error.code == .rowGone {
            return try expect(rows[number] == nil, "\(number) has a row: \(error)")
        }
        guard let row = rows[number] else { throw wrong("\(number) has no row, and was reloaded") }
        if let kind = side.held[number]?.kind {
            side.held[number] = .init(
                kind: kind, object: object, state: .saved, values: row.record, baseline: row.record)
        }
        try observe(side, number, isRead: true)
    }

    func compareCounts(_ side: ModelSide) throws {
        let count = random.below(6)
        let wanted = rows.values.count { $0.kind.isA(.thing) && $0.record[.count] == .one(count) }
        let found = try version.counted(count)
        note("\(side.index): \(found) have count \(count)")
        try expect(found == [wanted, wanted, wanted], "\(found) have count \(count), wanted \(wanted)")
    }
}
