public import Foundation
public import PersistentObjects

// Objects as JSON.
extension Persistent {
    /// The object as JSON: all stored properties but inverses, and the id where it has one.
    ///
    /// Names are in the order of their bytes, so equal objects give equal bytes.
    /// `init(json:)` makes an object with the same values of it, to the last
    /// bit.
    ///
    /// | Swift | JSON |
    /// |---|---|
    /// | `Bool`, numbers | the same; infinities are the texts `"Infinity"` and `"-Infinity"` |
    /// | `String` and other texts, `URL`, `UUID`, `Decimal` | text |
    /// | `Date` | text, `"2026-11-22T17:30:00.125Z"` |
    /// | `Data`, `[UInt8]` | text in Base64 |
    /// | `RawRepresentable` | its raw value |
    /// | other `Codable` types | their own JSON |
    /// | a reference | the id of the object, its key in classes with keys |
    /// | arrays and sets | list |
    /// | dictionaries | object; keys that are no texts are named by their JSON |
    /// | nil | `null` |
    ///
    /// ```swift
    /// let data = try joe.json     // {"age":39,"id":7,"lastName":"Smith"}
    /// ```
    ///
    /// - Throws: `TransferError` that names the property for a NaN, and for a
    ///   reference to an object that was never saved; `StoreError` if a lazy
    ///   property cannot be read.
    public var json: Data { get throws { Data(JSONWriter.bytes(of: try ObjectState(object).json())) } }

    /// The same as a dictionary that `JSONSerialization` takes, and `init(_:)` too.
    ///
    /// A number that neither `Int` nor `Double` holds, in a value of a `Codable`
    /// type, is a text in it.
    ///
    /// ```swift
    /// let data = try JSONSerialization.data(withJSONObject: joe.jsonObject, options: .prettyPrinted)
    /// ```
    ///
    /// - Throws: what `json` throws.
    public var jsonObject: [String: Any] {
        get throws { try ObjectState(object).json().foundation as? [String: Any] ?? [:] }
    }

    /// Makes a new object of JSON as `json` gives it. What is not named has its initial value.
    ///
    /// Dates can also be numbers, of seconds since 2001, or texts with another
    /// offset; decimals can be numbers. An `id` is left out: the store gives ids; in a
    /// class whose `identity` is `.given` it is that of the new object.
    /// References are to objects of the current session.
    ///
    /// ```swift
    /// let joe = try Person(json: Data(#"{"lastName": "Smith", "age": 39, "employer": 3}"#.utf8))
    /// ```
    ///
    /// - Throws: `TransferError` for what is no JSON, an unknown name (with the
    ///   nearest ones), and a value that the property's type does not take, with
    ///   class, property and value; `StoreError` if an object that is referred
    ///   to cannot be looked up.
    /// - Complexity: one look-up for each object that is referred to.
    public init(json: Data) throws {
        let value: JSONValue
        do throws(JSONReader.Fault) { value = try JSONReader.value(of: [UInt8](json)[...]) } catch {
            throw TransferError(
                "This is not valid JSON: \(error.message) (byte \(error.offset))", className: "\(Self.self)")
        }
        self.init()
        try ObjectState(object).setFinding(json: value)
        if let id = value.member(JSONNames.id) { try ObjectState(object).setGivenID(id) }
    }
}
