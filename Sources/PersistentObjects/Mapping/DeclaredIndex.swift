/// A declared partial index or expression index; the schema generates its SQL.
struct DeclaredIndex: Sendable {
    enum Key: Sendable {
        case column(String)
        /// A value, represented as a condition.
        case value(Condition)
        /// The strings of a column, ignoring case.
        case caseless(String)
    }

    let keys: [Key]
    let condition: Condition?
    let isUnique: Bool
    let isDescending: Bool

    /// The columns that are index keys themselves.
    var columns: [String] {
        keys.compactMap { key in
            switch key {
            case .column(let column), .caseless(let column): column
            case .value: nil
            }
        }
    }
}
