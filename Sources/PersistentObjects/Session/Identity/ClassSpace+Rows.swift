internal import StoreEngine

extension ClassSpace {
    /// Runs a statement about the class and calls `body` on each of its rows; what goes wrong says where.
    func forEachRow(
        of text: String, bind: (Statement) throws -> Void = { _ in }, _ body: (Statement) throws -> Void
    ) throws {
        let statement = try prepared(text)
        defer { statement.finish() }
        do {
            statement.beginBinding()
            try bind(statement)
            while try statement.step() { try body(statement) }
        } catch { throw located(error, sql: text) }
    }

    /// The numbers of a statement's first column.
    func integers(_ text: String, bind: (Statement) throws -> Void = { _ in }) throws -> [Int64] {
        var numbers: [Int64] = []
        try forEachRow(of: text, bind: bind) { numbers.append($0.integer(0)) }
        return numbers
    }
}
