internal import StoreEngine

/// A type of the libraries that fills one column.
///
/// Every conversion is exact or throws; nothing is rounded, wrapped or
/// defaulted on the way.
protocol ColumnScalar {
    static var columnType: ColumnType { get }
    static var logicalType: LogicalType { get }

    /// Reads a column that is not NULL.
    static func read(_ column: Cell) throws(ValueFault) -> Self

    /// Binds the value.
    func bind(to statement: Statement, at index: Int32) throws(ValueFault)

    /// The value as the column would hold it.
    func encoded() throws(ValueFault) -> DatabaseValue

    /// Whether a column would hold the same bytes for both; `==` may say otherwise (NFC and NFD, -0.0 and 0.0).
    static func isSame(_ a: Self, _ b: Self) -> Bool

    /// The value as this type, where that is possible without loss.
    static func converted(_ value: Any) -> Self?

    /// What a finder's argument is compared as; nil where the type cannot be compared with it.
    static func argument(_ value: Any) throws(ValueFault) -> DatabaseValue?

    /// The value that `encoded()` gave.
    static func decoded(_ value: DatabaseValue) -> Self?

    /// Two or more different values, for finding out which field a key path reads.
    ///
    /// A text among them has both cases, a space at each end and a letter
    /// beyond ASCII, so that no everyday computed property gives it back.
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
