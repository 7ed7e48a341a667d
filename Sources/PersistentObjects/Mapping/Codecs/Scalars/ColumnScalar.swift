// Scalars: the library types that one column stores, and their exact conversions. It must not know properties.

internal import StoreEngine

/// A library type that is stored in one column.
///
/// Every conversion is exact or throws; no value is rounded, wrapped or replaced by a default.
protocol ColumnScalar {
    static var columnType: ColumnType { get }
    static var logicalType: LogicalType { get }

    /// Reads a column that is not NULL.
    static func read(_ column: Cell) throws(ValueFault) -> Self

    /// Binds the value.
    func bind(to statement: Statement, at index: Int32) throws(ValueFault)

    /// The value as the column would store it.
    func encoded() throws(ValueFault) -> DatabaseValue

    /// Whether a column would store the same bytes for both; `==` may differ (NFC and NFD, -0.0 and 0.0).
    static func isSame(_ a: Self, _ b: Self) -> Bool

    /// The value as this type, if it can be converted without loss.
    static func converted(_ value: Any) -> Self?

    /// The form in which a finder's argument is compared; nil if the type cannot be compared with it.
    static func argument(_ value: Any) throws(ValueFault) -> DatabaseValue?

    /// The value of an encoding that `encoded()` returned.
    static func decoded(_ value: DatabaseValue) -> Self?

    /// Two or more different values, to determine which field a key path reads.
    ///
    /// The strings include a string with both cases, a space at each end and a letter beyond ASCII, so that no common
    /// computed property returns it unchanged.
    static var samples: [Self] { get }
}

extension ColumnScalar {
    static var logicalType: LogicalType { LogicalType(columnType) }

    static func isSame(_ a: Self, _ b: Self) -> Bool {
        guard let x = try? a.encoded(), let y = try? b.encoded() else { return false }
        return x == y
    }

    static func converted(_ value: Any) -> Self? { value as? Self }

    static func argument(_ value: Any) throws(ValueFault) -> DatabaseValue? {
        guard let value = converted(value) else { return nil }
        return try value.encoded()
    }

    static func decoded(_ value: DatabaseValue) -> Self? {
        switch value {
        case .null: nil
        case .integer(let value): converted(value)
        case .real(let value): converted(value)
        case .text(let value): converted(value)
        case .blob(let value): converted(value)
        }
    }
}
