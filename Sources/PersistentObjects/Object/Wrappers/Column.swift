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

extension Column: Sendable where Value: Sendable {}

extension Column: StoredWrapper {
    func describe(_ options: inout PropertyOptions) {
        options.column = name
        options.formerColumns += formerNames
    }
}
