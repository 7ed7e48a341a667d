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
    let name: String
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
    /// ```
    public init(wrappedValue: Value, _ name: String, format: ColumnFormat) {
        self.init(wrappedValue: wrappedValue, name)
        self.format = format
    }

    /// Begins with nil, and stands in its column in another form than usual.
    public init(_ name: String, format: ColumnFormat) where Value: ExpressibleByNilLiteral {
        self.init(wrappedValue: nil, name, format: format)
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
        options.column = name
        options.formerColumns += formerNames
        options.furtherColumns = furtherNames
        options.format = format ?? options.format
    }
}
