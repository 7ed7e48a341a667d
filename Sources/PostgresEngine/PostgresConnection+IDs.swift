internal import StoreEngine

// Ids are reserved in blocks. The increment of a table's sequence is the block size.
//
// Rows with assigned ids can collide with a block. Searching for the greatest id each time would be a read that
// conflicts with all inserts, so the search happens only if such rows are known, or have collided.
extension PostgresConnection {
    func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        session.ids.reserved.insert(table)
        if session.ids.isDoubtful(table) { idBlocks[table] = nil }
        if let block = idBlocks[table], block.count >= count {
            idBlocks[table] = block.lowerBound + Int64(count)..<block.upperBound
            return block.lowerBound
        }
        return try reserveBlocks(count, in: table, id: "\"id\"")
    }

    func greatestID(in table: String) throws(StoreError) -> Int64 {
        let own = idBlocks.removeValue(forKey: table)
        // The caller will insert rows with assigned ids.
        session.ids.doubt(table)
        guard let sequence = try sequence(of: table) else {
            return try reserveIDs(1, inTableOfOthers: table, id: "\"id\"") - 1
        }
        let statement = try prepare("SELECT last_value, is_called::int::bigint FROM \(raw: RawSQL(sequence.name))")
        defer { statement.finish() }
        guard try statement.step(), statement.integer(1) != 0 else { return sequence.greatest }
        let end = statement.integer(0) + sequence.step
        // The id follows all connections' blocks. If the last block is this connection's, it follows the used ids.
        return max(sequence.greatest, (own?.upperBound == end ? own?.lowerBound ?? end : end) - 1)
    }

    func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64 {
        // Other programs take ids from the sequence of the column, and would be given ids that are in use.
        if let sequence = try sequence(of: table, column: id), sequence.step == 1 {
            return try take(count, from: sequence, table).lowerBound
        }
        let greatest = try value("SELECT max(\(id)) FROM \(name: table)")
        guard case .integer(let last) = greatest else { return 1 }
        guard Int64.max - max(last, 0) > Int64(count) else { throw PostgresConnection.allIDsUsed }
        return max(last, 0) + 1
    }

    /// Reserves consecutive blocks after all existing ids.
    private func reserveBlocks(_ count: Int, in table: String, id: SQL) throws(StoreError) -> Int64 {
        let isDoubtful = session.ids.isDoubtful(table)
        guard let sequence = try sequence(of: table, findsGreatest: isDoubtful) else {
            // An existing table, or a table that was created manually.
            return try reserveIDs(count, inTableOfOthers: table, id: id)
        }
        let blocks = (Int64(count) + sequence.step - 1) / sequence.step
        let ids = try take(Int(blocks), from: sequence, table)
        idBlocks[table] = ids.lowerBound + Int64(count)..<ids.upperBound
        if isDoubtful { session.ids.settle(table) }
        return ids.lowerBound
    }

    /// Takes consecutive blocks of ids from a sequence.
    private func take(
        _ blocks: Int, from sequence: IDSequence, _ table: String
    ) throws(StoreError) -> Range<Int64> {
        let place = SQLLiteral(.text(sequence.name)).map { "\(literal: $0)::regclass" as SQL } ?? ""
        // Other connections may reserve blocks at the same time.
        for _ in 0..<20 {
            var first: Int64 = 0
            var last: Int64 = 0
            let taken = try prepare(
                "SELECT min(n), max(n) FROM (SELECT nextval(\(place)) AS n FROM generate_series(1, ?::bigint)) AS b")
            taken.beginBinding()
            do throws(ValueFault) { try taken.bind(Int64(blocks), at: 1) } catch { throw .value(error) }
            if try taken.step() { (first, last) = (taken.integer(0), taken.integer(1)) }
            taken.finish()
            guard last - first == Int64(blocks - 1) * sequence.step else { continue }
            if first <= sequence.greatest {
                try execute("SELECT setval(\(place), \(number: Int(sequence.greatest)))")
                continue
            }
            return first..<last + sequence.step
        }
        throw StoreError(.busy, "Other sessions keep taking ids of the table \(table). Nothing was written. Try again")
    }

    /// Advances the sequences of tables past inserted rows with assigned ids, also for other connections.
    func alignSequences() throws(StoreError) {
        for table in session.ids.doubtedTables {
            let name = SQLLiteral(.text(("\(name: table)" as SQL).text)).map { "\(literal: $0)" as SQL } ?? "''"
            session.ids.settle(table)
            // Its rows may have been moved to another table since.
            guard try value("SELECT to_regclass(\(name)) IS NOT NULL") == .integer(1) else { continue }
            try session.send(
                ("""
                SELECT setval(q.s, m.m) FROM (SELECT pg_get_serial_sequence(\(name), 'id')::regclass AS s) AS q, \
                (SELECT max("id") AS m FROM \(name: table)) AS m WHERE m.m > coalesce(pg_sequence_last_value(q.s), 0)
                """ as SQL).text)
        }
    }

    /// The sequence of a table's ids; nil if there is none.
    private func sequence(
        of table: String, column: SQL = "\"id\"", findsGreatest: Bool = true
    ) throws(StoreError) -> IDSequence? {
        let greatest: SQL = findsGreatest ? "(SELECT max(\(column)) FROM \(name: table))" : "0::bigint"
        let statement = try statement(
            """
            SELECT s.seqrelid::regclass::text, s.seqincrement, \(greatest) FROM pg_sequence AS s \
            WHERE s.seqrelid = pg_get_serial_sequence(?, (parse_ident(?))[1])::regclass
            """)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) {
            try statement.bind(("\(name: table)" as SQL).text, at: 1)
            try statement.bind(column.text, at: 2)
        } catch { throw .value(error) }
        guard try statement.step(), let name = try? statement.column(0).text() else { return nil }
        return IDSequence(name: name, step: max(1, statement.integer(1)), greatest: max(0, statement.integer(2)))
    }

    static let allIDsUsed = StoreError(.sqlite, "All ids up to Int64.max are used")
}

/// A sequence of ids.
private struct IDSequence {
    /// Its quoted name.
    let name: String
    /// Its increment.
    let step: Int64
    /// The greatest id of a row.
    let greatest: Int64
}
