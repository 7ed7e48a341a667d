/// Stores the fields of a structure as separate columns, instead of one column with its JSON.
///
/// ```swift
/// struct Address: Codable {
///     var city = ""
///     var zip: String?
///     var place = Place()             // a structure in a structure: address_place_lat, address_place_lon
/// }
///
/// final class Person: PersistentObject {
///     @Embedded var address = Address()       // columns address_city, address_zip, …
///
///     override class var indexes: [Index] { [Index(\Person.address.city)] }
/// }
///
/// let some = try Person.where { $0.address.city == "Graz" }.all()
/// let more = try Person.findByAddressCity("Graz")
/// ```
///
/// Each field is a property of the class, named like `address.city`: queries, indexes, changes, events and exports use
/// this name, a save writes the columns of the fields that changed, and `class var columns`, `formerColumns` and
/// `transient` can refer to it. The column name is the property's name followed by the field's name;
/// `@Column("home") @Embedded` makes it `home_city`.
///
/// The structure must be `Codable`. Its stored fields are read and written in place; its own coding is not used for
/// them. A field can have every column type that a property can have. Collections, and structures that are optional or
/// from Swift's libraries, are stored as JSON in one column. A field that is a `let` must be read by `init(from:)`.
///
/// The property may be optional: `@Embedded var home: Address?` has an additional column `home_exists` with 1 or NULL,
/// and `$0.home == nil` queries it.
///
/// If a property was stored as JSON before and is embedded now, or the other way round, its values are converted.
@propertyWrapper
public struct Embedded<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Creates the wrapper with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Embedded: Sendable where Value: Sendable {}

extension Embedded: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isEmbedded = true }
}
