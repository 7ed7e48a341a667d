public import Foundation
public import PersistentObjects

// Conversion of objects to and from JSON.
extension Persistent {
    /// The object as JSON: all stored properties except inverses, and the id if it has one.
    ///
    /// Names are sorted by their bytes, so equal objects produce equal bytes. `init(json:)` creates an object with
    /// exactly the same values.
    ///
    /// | Swift | JSON |
    /// |---|---|
    /// | `Bool`, numbers | the same; infinities are the strings `"Infinity"` and `"-Infinity"` |
    /// | `String` and other text types, `URL`, `UUID`, `Decimal` | string |
    /// | `Date` | string, `"2026-11-22T17:30:00.125Z"` |
    /// | `Data`, `[UInt8]` | string in Base64 |
    /// | `RawRepresentable` | its raw value |
    /// | other `Codable` types | their own JSON |
    /// | a reference | the id of the object, or its key in classes with keys |
    /// | arrays and sets | array |
    /// | dictionaries | object; keys that are not strings are named by their JSON |
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

    /// The object as a dictionary for `JSONSerialization` and `init(_:)`.
    ///
    /// In a value of a `Codable` type, a number that neither `Int` nor `Double` can represent is a string.
    ///
    /// ```swift
    /// let data = try JSONSerialization.data(withJSONObject: joe.jsonObject, options: .prettyPrinted)
    /// ```
    ///
    /// - Throws: The errors of `json`.
    public var jsonObject: [String: Any] {
        get throws { try ObjectState(object).json().foundation as? [String: Any] ?? [:] }
    }

    /// Creates a new object from JSON in the form of `json`.
    ///
    /// Properties that the JSON does not name have their initial values. Dates may also be numbers of seconds since
    /// 2001, or strings with another offset; decimals may be numbers. An `id` is ignored, because the store assigns
    /// ids; in a class whose `identity` is `.given` it is the id of the new object. References mean objects of the
    /// current session.
    ///
    /// ```swift
    /// let joe = try Person(json: Data(#"{"lastName": "Smith", "age": 39, "employer": 3}"#.utf8))
    /// ```
    ///
    /// - Throws: `TransferError` for invalid JSON, an unknown name (with the nearest ones), and a value that the
    ///   property's type does not accept, with class, property and value; `StoreError` if a referenced object cannot be
    ///   looked up.
    /// - Complexity: One lookup for each referenced object.
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
