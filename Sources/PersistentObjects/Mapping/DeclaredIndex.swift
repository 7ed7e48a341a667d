/// An index of some rows only, or over what is made of properties, as a class declares it; the schema says what it is in
/// SQL.
struct DeclaredIndex: Sendable {
    enum Key: Sendable {
        case column(String)
        /// A value, in the shape of a condition.
        case value(Condition)
    }

    let keys: [Key]
    let condition: Condition?
    let isUnique: Bool
    let isDescending: Bool

    /// The columns that are keys themselves.
    var columns: [String] {
        keys.compactMap { if case .column(let column) = $0 { column } else { nil } }
    }
}
