public import Foundation

/// Gives the property's column another name, and lists the column's former names.
///
/// ```swift
/// @Column("years") var age: Int?
/// @Column("nick", renamedFrom: "nickname") var nick: String?
/// ```
///
/// Can be combined with the other wrappers. With two wrappers on an optional, write the initial value explicitly:
/// `@Unique @Column("mail") var email: String? = nil`.
@propertyWrapper
public struct Column<Value> {
    /// The property's value.
    public var wrappedValue: Value
    let name: String?
    let formerNames: [String]
    var furtherNames: [String] = []
    var format: ColumnFormat?

    /// Wraps a value; a column found by a former name is renamed.
    public init(wrappedValue: Value, _ name: String, renamedFrom formerNames: String...) {
        self.wrappedValue = wrappedValue
        self.name = name
        self.formerNames = formerNames
    }

    /// Creates the wrapper with nil.
    public init(_ name: String, renamedFrom formerNames: String...) where Value: ExpressibleByNilLiteral {
        wrappedValue = nil
        self.name = name
        self.formerNames = formerNames
    }
}

extension Column {
    /// Wraps a value that its column stores in another format than the default, such as a date as a string.
    ///
    /// ```swift
    /// @Column("BirthDate", format: .day) var birthDate: Date?
    /// @Column(format: .unixSeconds) var at = Date()
    /// ```
    public init(wrappedValue: Value, _ name: String? = nil, format: ColumnFormat) {
        self.init(wrappedValue: wrappedValue, named: name, format)
    }

    /// Creates the wrapper with nil, for a column with another format than the default.
    public init(_ name: String? = nil, format: ColumnFormat) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, named: name, format)
    }

    /// Stores a decimal number as an integer count of its smallest unit, which indexes sort correctly.
    ///
    /// With a scale of 2, the unit is cents.
    ///
    /// ```swift
    /// @Indexed @Column(scale: 2) var price: Decimal = 0       // 12.34 is 1234 in the column
    /// ```
    ///
    /// The scale is the maximum number of decimal places, 0 to 18. Saving or querying a number with more decimal
    /// places, or with more digits than fit in 64 bits, is an error. Changing the scale migrates the column, as
    /// changing the type does.
    public init(wrappedValue: Value, _ name: String? = nil, scale: Int) where Value == Decimal {
        self.init(wrappedValue: wrappedValue, named: name, .scaled(scale))
    }

    /// Stores an optional decimal number as an integer count of its smallest unit.
    public init(wrappedValue: Value = nil, _ name: String? = nil, scale: Int) where Value == Decimal? {
        self.init(wrappedValue: wrappedValue, named: name, .scaled(scale))
    }

    private init(wrappedValue: Value, named name: String?, _ format: ColumnFormat) {
        self.wrappedValue = wrappedValue
        self.name = name
        self.format = format
        formerNames = []
    }

    /// Names the columns of a reference to a class whose `primaryKey` has several columns.
    ///
    /// The columns are in the order of the `primaryKey`.
    ///
    /// ```swift
    /// @Column("OrderID", and: "ProductID") var detail: OrderDetail?
    /// ```
    public init(_ first: String, and second: String, _ others: String...) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, first)
        furtherNames = [second] + others
    }
}

extension Column: Sendable where Value: Sendable {}

extension Column: StoredWrapper {
    func describe(_ options: inout PropertyOptions) {
        options.column = name ?? options.column
        options.formerColumns += formerNames
        options.furtherColumns = furtherNames
        options.format = format ?? options.format
    }
}
