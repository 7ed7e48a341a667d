// Lists of any length in one placeholder, for the dialect's membership test.
extension Statement {
    /// Binds a list of integers.
    package func bind(list integers: some Sequence<Int64>, at index: Int32) throws(ValueFault) {
        guard let foreign else { return try bind(Statement.jsonArray(integers), at: index) }
        try foreign.bind(list: integers.map { .integer($0) }, at: index)
    }

    /// The list in SQLite's form, for `json_each`.
    private static func jsonArray(_ integers: some Sequence<Int64>) -> String {
        var text = "["
        text.reserveCapacity(integers.underestimatedCount * 8)
        for integer in integers {
            if text.utf8.count > 1 { text += "," }
            text += String(integer)
        }
        return text + "]"
    }
}
