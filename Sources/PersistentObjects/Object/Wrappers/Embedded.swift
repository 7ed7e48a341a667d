/// Stores the fields of a structure as columns of their own, instead of one column with its JSON.
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
/// Each field is a property of the class, by the name `address.city`: queries,
/// indexes, changes, events and exports name it so, a save writes the columns
/// of those that changed, and `class var columns`, `formerColumns` and
/// `transient` can speak of it. Its column has the property's name before its
/// own; `@Column("home") @Embedded` makes it `home_city`.
///
/// The structure must be `Codable`. Its stored fields are read and written where
/// they are, its own coding has no say in that. Whatever a property could have
/// in a column a field can; collections, and structures that are optional or of
/// Swift's libraries, are one column with their JSON. A field that is a `let`
/// must be read by `init(from:)`.
///
/// The property may be optional: `@Embedded var home: Address?` has a column
/// `home_exists` besides, with 1 or NULL, and `$0.home == nil` asks for it.
///
/// A property that was stored as JSON before and is embedded now, or the other
/// way round, brings its values along.
@propertyWrapper
public struct Embedded<Value> {
    /// The property's value.
    public var wrappedValue: Value

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Begins with nil.
    public init() where Value: ExpressibleByNilLiteral { wrappedValue = nil }
}

extension Embedded: Sendable where Value: Sendable {}

extension Embedded: StoredWrapper {
    func describe(_ options: inout PropertyOptions) { options.isEmbedded = true }
}
