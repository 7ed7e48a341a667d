internal import StoreEngine

extension Session {
    /// Ids as a JSON array, for `json_each`: any number of them in one statement.
    func idList(_ ids: [Int64]) -> String {
        var text = "["
        text.reserveCapacity(ids.count * 8)
        for id in ids {
            if text.utf8.count > 1 { text += "," }
            text += String(id)
        }
        return text + "]"
    }

    /// The numbers that a statement about a list of ids gives.
    func integers(_ sql: SQL, _ ids: [Int64]) throws -> [Int64] {
        let statement = try connection.statement(sql)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(idList(ids), at: 1) } catch { throw StoreError.value(error) }
        var numbers: [Int64] = []
        while try statement.step() { numbers.append(statement.integer(0)) }
        return numbers
    }
}
