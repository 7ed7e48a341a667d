internal import StoreEngine

// Ids come in blocks: the step of a table's sequence is the size of a block, and its own.
extension PostgresConnection {
    func reserveIDs(_ count: Int, in table: String) throws(StoreError) -> Int64 {
        if let block = idBlocks[table], block.count >= count {
            idBlocks[table] = block.lowerBound + Int64(count)..<block.upperBound
            return block.lowerBound
        }
        return try reserveBlocks(count, in: table, id: "\"id\"")
    }

    func greatestID(in table: String) throws(StoreError) -> Int64 {
        // Behind all blocks, of other connections too; the rest of the own one is not used any more.
        idBlocks[table] = nil
        let first = try reserveIDs(1, in: table)
        guard let block = idBlocks.removeValue(forKey: table) else { return first - 1 }
        return block.upperBound - 1
    }

    func reserveIDs(_ count: Int, inTableOfOthers table: String, id: SQL) throws(StoreError) -> Int64 {
        let greatest = try value("SELECT max(\(id)) FROM \(name: table)")
        guard case .integer(let last) = greatest else { return 1 }
        guard Int64.max - max(last, 0) > Int64(count) else { throw PostgresConnection.allIDsUsed }
        return max(last, 0) + 1
    }

    /// As many blocks as are needed that follow each other, behind all ids that there are.
    private func reserveBlocks(_ count: Int, in table: String, id: SQL) throws(StoreError) -> Int64 {
        let statement = try statement(
            """
            SELECT s.seqrelid::regclass::text, s.seqincrement, (SELECT max(\(id)) FROM \(name: table)) \
            FROM pg_sequence AS s WHERE s.seqrelid = pg_get_serial_sequence(?, 'id')::regclass
            """)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(("\(name: table)" as SQL).text, at: 1) } catch {
            throw .value(error)
        }
        guard try statement.step(), let sequence = try? statement.column(0).text() else {
            // A table of others, or one that was made by hand.
            return try reserveIDs(count, inTableOfOthers: table, id: id)
        }
        let step = max(1, statement.integer(1))
        let greatest = max(0, statement.integer(2))
        let blocks = (Int64(count) + step - 1) / step
        let place = SQLLiteral(.text(sequence)).map { "\(literal: $0)::regclass" as SQL } ?? ""
        // Others may take blocks at the same time.
        for _ in 0..<20 {
            var first: Int64 = 0
            var last: Int64 = 0
            let taken = try prepare(
                "SELECT min(n), max(n) FROM (SELECT nextval(\(place)) AS n FROM generate_series(1, ?::bigint)) AS b")
            taken.beginBinding()
            do throws(ValueFault) { try taken.bind(blocks, at: 1) } catch { throw .value(error) }
            if try taken.step() { (first, last) = (taken.integer(0), taken.integer(1)) }
            taken.finish()
            guard last - first == (blocks - 1) * step else { continue }
            if first <= greatest {
                try execute("SELECT setval(\(place), \(number: Int(greatest)))")
                continue
            }
            idBlocks[table] = first + Int64(count)..<last + step
            return first
        }
        throw StoreError(.busy, "others take ids of the table \(table) all the time; try again")
    }

    static let allIDsUsed = StoreError(.sqlite, "all ids up to Int64.max are used")
}
