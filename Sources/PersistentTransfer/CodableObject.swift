public import PersistentObjects

/// A class whose objects any `Encoder` and `Decoder` take, with references by key; nothing is to be written in the class.
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
/// The names are those that `json` has: all stored properties but
/// inverses, and the id of an object that has one. A reference is the id of its
/// object, or the key in classes with keys, and so are the elements of
/// collections of objects. Values are as their own types and the encoder have
/// them, so dates are what its strategy says; a value whose type is not
/// `Codable` is what it is in `json`. Subclasses inherit it. Properties of a
/// class that says `Codable` instead are the compiler's business.
///
/// Decoding makes a new object, which has no row until it is saved, whatever
/// the id says. What is not named has its initial value. References are to
/// objects of the current session.
///
/// No column holds an object: a structure with one in it, as a stored property,
/// is refused when it is saved.
public protocol CodableObject: Persistent, Codable {}

extension CodableObject {
    /// Writes all stored properties but inverses, and the id where there is one.
    ///
    /// - Throws: What the encoder throws; `EncodingError` that names the
    ///   property for a reference to an object that was never saved;
    ///   `StoreError` if a lazy property cannot be read.
    public func encode(to encoder: any Encoder) throws { try ObjectState(object).encode(to: encoder) }

    /// Makes a new object of what `encode(to:)` writes. An `id` is left out: the store gives ids; in a class whose
    /// `identity` is `.given` it is that of the new object.
    ///
    /// - Throws: `DecodingError` with the coding path for an unknown name, with
    ///   the nearest ones; for a value that the property does not take; and for
    ///   a reference to an object that is not there.
    /// - Complexity: one look-up for each object that is referred to.
    public init(from decoder: any Decoder) throws {
        self.init()
        try ObjectState(object).setCoded(by: decoder)
    }
}
