// Lists of any length in one placeholder, for the dialect's membership test.
extension Statement {
    /// Binds a list of integers.
    package func bind(list integers: [Int64], at index: Int32) throws(ValueFault) {
        guard let handle else { return try foreign?.bind(list: integers.map { .integer($0) }, at: index) ?? () }
        try check(Statement.jsonArray(integers).withUnsafeBytes { bindText($0, handle, index) })
    }

    /// The list in SQLite's form, for `json_each`.
    private static func jsonArray(_ integers: [Int64]) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "[")]
        json.reserveCapacity(integers.count * 8 + 2)
        for integer in integers {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            JSONWriter.write(integer: integer, to: &json)
        }
        json.append(UInt8(ascii: "]"))
        return json
    }
}
