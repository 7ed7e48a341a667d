internal import StoreEngine

// Updates of an array's rows. Changes are found in memory, and new rows are put into the gaps between positions.
extension CollectionUpdate {
    /// Writes an array of values.
    func writeArray(after old: Address) throws {
        let plan = codec.elementPlan
        try codec.withElements(old) { old in
            try codec.withElements(field) { new in
                try write(
                    counts: (old.count, new.count),
                    isSame: { plan.isSame(old.address($0), new.address($1)) },
                    encoded: (
                        old: { try plan.codec.encode(old.address($0)) },
                        new: { try plan.codec.encode(new.address($0)) }
                    ),
                    bind: { try plan.bind(new.address($0), to: $1, at: $2) })
            }
        }
    }

    /// Writes an array of objects.
    func writeArray(after old: [Int64]) throws {
        var new: [Int64] = []
        new.reserveCapacity(codec.count(field))
        codec.forEachRow(field) { _, element in new.append(CollectionLinks.rowID(at: element)) }
        try write(
            counts: (old.count, new.count), isSame: { old[$0] == new[$1] },
            encoded: (old: { .integer(old[$0]) }, new: { .integer(new[$0]) }),
            bind: { try $1.bind(new[$0], at: $2) })
    }

    private func write(
        counts: (old: Int, new: Int), isSame: (Int, Int) -> Bool,
        encoded: (old: (Int) throws -> DatabaseValue, new: (Int) throws -> DatabaseValue),
        bind: (_ index: Int, Statement, Int32) throws -> Void
    ) throws {
        let shorter = min(counts.old, counts.new)
        var prefix = 0
        while prefix < shorter, isSame(prefix, prefix) { prefix += 1 }
        var suffix = 0
        while suffix < shorter - prefix, isSame(counts.old - 1 - suffix, counts.new - 1 - suffix) { suffix += 1 }
        if prefix == counts.old, prefix == counts.new { return }

        // Equal elements get equal numbers.
        var numbers: [DatabaseValue: Int] = [:]
        func number(_ value: DatabaseValue) -> Int {
            if let known = numbers[value] { return known }
            let next = numbers.count
            numbers[value] = next
            return next
        }
        let old = try (prefix..<counts.old - suffix).map { number(try encoded.old($0)) }
        let new = try (prefix..<counts.new - suffix).map { number(try encoded.new($0)) }
        let matching = ArrayMatching(old: old, new: new)
        // If no element is kept, rewriting the array with many rows per statement is faster than changing it row by
        // row.
        if prefix + suffix + matching.keptCount == 0, counts.new > 8 { return try rewrite() }
        guard let known = try positions(prefix, suffix, counts.old, changed: old.count) else { return try rewrite() }
        let change = PositionPlan.Change(
            prefix: prefix, suffix: suffix, matching: matching, positions: known.positions, firstKnown: known.first,
            oldCount: counts.old)
        guard let plan = PositionPlan(change) else { return try rewrite() }
        try write(plan, bind)
    }

    private func write(_ plan: PositionPlan, _ bind: (_ index: Int, Statement, Int32) throws -> Void) throws {
        for range in plan.deletes {
            try run(sql.deletePositions) {
                try $0.bind(object.rowID, at: 1)
                try $0.bind(range.lowerBound, at: 2)
                try $0.bind(range.upperBound, at: 3)
            }
        }
        for move in plan.moves {
            try run(sql.updatePosition) {
                try $0.bind(move.to, at: 1)
                try $0.bind(object.rowID, at: 2)
                try $0.bind(move.from, at: 3)
            }
        }
        for update in plan.updates {
            try run(sql.updateValue) {
                try bind(update.index, $0, 1)
                try $0.bind(object.rowID, at: 2)
                try $0.bind(update.position, at: 3)
            }
        }
        let inserter = try CollectionInserter(space, ordinal, rows: plan.inserts.count)
        for insert in plan.inserts {
            try inserter.add(object.rowID) { statement, index in
                try statement.bind(insert.position, at: index)
                try bind(insert.index, statement, index + 1)
                index += 2
            }
        }
        try inserter.complete()
    }

    /// The positions of the old rows that a change needs: for a change at one end, the changed rows and the row next to
    /// them, and otherwise all rows. Nil if the number of rows differs from the number that was read into the object.
    private func positions(
        _ prefix: Int, _ suffix: Int, _ count: Int, changed: Int
    ) throws -> (positions: [Int64], first: Int)? {
        if suffix == 0, prefix > 0 {
            let found = try readPositions(sql.lastPositions, changed + 1)
            return found.count == changed + 1 ? (found.reversed(), prefix - 1) : nil
        }
        if prefix == 0, suffix > 0 {
            let found = try readPositions(sql.firstPositions, changed + 1)
            return found.count == changed + 1 ? (found, 0) : nil
        }
        // Reads one row more than expected, to find out whether there are more.
        let found = try readPositions(sql.firstPositions, count + 1)
        return found.count == count ? (found, 0) : nil
    }

    private func readPositions(_ sql: SQL, _ limit: Int) throws -> [Int64] {
        let statement = try space.session.connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        try statement.bind(object.rowID, at: 1)
        try statement.bind(Int64(limit), at: 2)
        var positions: [Int64] = []
        positions.reserveCapacity(limit)
        while try statement.step() { positions.append(statement.integer(0)) }
        return positions
    }
}
