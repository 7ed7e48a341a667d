/// `po_key(values…)`: a number for the key values of a row in a table or view without row numbers.
///
/// Equal values give equal numbers in one run of the program, and different values different numbers, as far as 63 bits
/// allow. An integer and a REAL that are equal are one value, as they are to SQLite. NULL gives NULL. It is not
/// declared deterministic, so that no index can store the numbers.
enum RowKey {
    static let function = EngineFunction(
        "po_key", argumentCount: nil, isDeterministic: false, isInnocuous: false
    ) { call in
        var hasher = Hasher()
        for index in 0..<call.arguments.count {
            switch try call.arguments[index] {
            case .null: return
            case .real(let number):
                hasher.combine(Int64(exactly: number).map { DatabaseValue.integer($0) } ?? .real(number))
            case let value: hasher.combine(value)
            }
        }
        try call.give(.integer(max(1, Int64(hasher.finalize()) & .max)))
    }
}
