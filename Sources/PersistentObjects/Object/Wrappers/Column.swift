public import Foundation

/// Gives the property's column another name, and says which names it had before.
///
/// ```swift
/// @Column("years") var age: Int?
/// @Column("nick", renamedFrom: "nickname") var nick: String?
/// ```
///
/// Composable with the other wrappers. With two wrappers on an optional write
/// the initial value out: `@Unique @Column("mail") var email: String? = nil`.
@propertyWrapper
public struct Column<Value> {
    /// The property's value.
    public var wrappedValue: Value
    let name: String?
    let formerNames: [String]
    var furtherNames: [String] = []
    var format: ColumnFormat?

    /// Wraps a value; a column found under a former name is renamed.
    public init(wrappedValue: Value, _ name: String, renamedFrom formerNames: String...) {
        self.wrappedValue = wrappedValue
        self.name = name
        self.formerNames = formerNames
    }

    /// Begins with nil.
    public init(_ name: String, renamedFrom formerNames: String...) where Value: ExpressibleByNilLiteral {
        wrappedValue = nil
        self.name = name
        self.formerNames = formerNames
    }
}

extension Column {
    /// Wraps a value that stands in its column in another form than usual: a date as a text, for one.
    ///
    /// ```swift
    /// @Column("BirthDate", format: .day) var birthDate: Date?
    /// @Column(format: .unixSeconds) var at = Date()
    /// ```
    public init(wrappedValue: Value, _ name: String? = nil, format: ColumnFormat) {
        self.init(wrappedValue: wrappedValue, named: name, format)
    }

    /// Begins with nil, and stands in its column in another form than usual.
    public init(_ name: String? = nil, format: ColumnFormat) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, named: name, format)
    }

    /// Stores a decimal number as a whole number of its smallest part, which an index has in order: cents, with a scale
    /// of 2.
    ///
    /// ```swift
    /// @Indexed @Column(scale: 2) var price: Decimal = 0       // 12.34 is 1234 in the column
    /// ```
    ///
    /// The scale is how many digits a number can have behind its point, 0 to 18. A number with more, or with more digits
    /// than fit in 64 bits, is an error when it is saved, or asked for. Another scale changes the column, as another type
    /// does.
    public init(wrappedValue: Value, _ name: String? = nil, scale: Int) where Value == Decimal {
        self.init(wrappedValue: wrappedValue, named: name, .scaled(scale))
    }

    /// The same of a number that may be nil.
    public init(wrappedValue: Value = nil, _ name: String? = nil, scale: Int) where Value == Decimal? {
        self.init(wrappedValue: wrappedValue, named: name, .scaled(scale))
    }

    private init(wrappedValue: Value, named name: String?, _ format: ColumnFormat) {
        self.wrappedValue = wrappedValue
        self.name = name
        self.format = format
        formerNames = []
    }

    /// The columns of a reference to a class with a `primaryKey` of several columns, in the order of that.
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
