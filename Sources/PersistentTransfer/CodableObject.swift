public import PersistentObjects

/// A class whose objects work with any `Encoder` and `Decoder`, without code in the class.
///
/// ```swift
/// class Person: PersistentObject, CodableObject {
///     var lastName = ""
///     var born: Date?
///     var employer: Company?
/// }
/// let data = try JSONEncoder().encode(joe)    // {"born":null,"employer":3,"id":7,"lastName":"Smith"}
/// let copy = try JSONDecoder().decode(Person.self, from: data)
/// ```
///
/// The names are those of `json`: all stored properties except inverses, and the id if the object has one. A reference
/// is the id of its object, or the key in classes with keys; the same applies to elements of collections of objects.
/// Values are encoded by their own types, so the encoder's strategy decides about dates; a value whose type is not
/// `Codable` is encoded as in `json`. Subclasses inherit the conformance. If a class declares `Codable` instead, the
/// compiler generates its coding.
///
/// Decoding creates a new object, which has no row until it is saved, even if there is an id. Properties that are not
/// named have their initial values. References mean objects of the current session.
///
/// A column cannot store an object: a structure that contains one is rejected when it is saved as a stored property.
public protocol CodableObject: Persistent, Codable {}

extension CodableObject {
    /// Encodes all stored properties except inverses, and the id if there is one.
    ///
    /// - Throws: What the encoder throws; `EncodingError` that names the
    ///   property for a reference to an object that was never saved;
    ///   `StoreError` if a lazy property cannot be read.
    public func encode(to encoder: any Encoder) throws { try ObjectState(object).encode(to: encoder) }

    /// Decodes a new object from the form of `encode(to:)`.
    ///
    /// An `id` is ignored, because the store assigns ids; in a class whose `identity` is `.given` it is the id of the
    /// new object.
    ///
    /// - Throws: `DecodingError` with the coding path for an unknown name, with
    ///   the nearest ones; for a value that the property does not accept; and for
    ///   a reference to a missing object.
    /// - Complexity: One lookup for each referenced object.
    public init(from decoder: any Decoder) throws {
        self.init()
        try ObjectState(object).setCoded(by: decoder)
    }
}
