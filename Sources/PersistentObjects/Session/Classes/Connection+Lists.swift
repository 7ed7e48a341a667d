internal import StoreEngine

extension Connection {
    /// The integers that a statement with a list of ids returns.
    func integers(_ sql: SQL, _ ids: some Sequence<Int64>) throws -> [Int64] {
        let statement = try statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(list: Array(ids), at: 1) } catch { throw StoreError.value(error) }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
