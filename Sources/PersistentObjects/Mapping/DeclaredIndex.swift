/// An index of some rows only, or over what is made of properties, as a class declares it; the schema says what it is in
/// SQL.
struct DeclaredIndex: Sendable {
    enum Key: Sendable {
        case column(String)
        /// A value, in the shape of a condition.
        case value(Condition)
        /// The texts of a column without regard to case.
        case caseless(String)
    }

    let keys: [Key]
    let condition: Condition?
    let isUnique: Bool
    let isDescending: Bool

    /// The columns that are keys themselves.
    var columns: [String] {
        keys.compactMap { key in
            switch key {
            case .column(let column), .caseless(let column): column
            case .value: nil
            }
        }
    }
}
