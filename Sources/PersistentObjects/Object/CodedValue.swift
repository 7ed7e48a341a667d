public import StoreEngine

/// A type of others that a codec of yours stores: a colour, an image, a number of a framework.
///
/// A type that you own conforms to `PersistentValue`. One of a framework may be
/// a class, which cannot be given an initialiser in an extension; so its codec
/// stands beside it:
///
/// ```swift
/// extension UIColor: @retroactive CodedValue {
///     public typealias PersistentCodec = HexadecimalColor
/// }
///
/// public enum HexadecimalColor: ValueCodec {
///     public static var columnType: ColumnType { .text }
///     public static func encode(_ color: UIColor) throws -> DatabaseValue { .text(color.hexadecimal) }
///     public static func decode(_ stored: DatabaseValue) throws -> UIColor { try UIColor(hexadecimal: stored) }
/// }
/// ```
///
/// Properties of the type are stored then, in all classes, optional or not, and
/// as elements of arrays, sets and dictionaries.
public protocol CodedValue {
    /// What stores the values; it must be a codec of this very type, not of a superclass of it.
    associatedtype PersistentCodec: ValueCodec
}

/// How values of a type that is not your own stand in a column; see `CodedValue`.
public protocol ValueCodec {
    /// The type of the values.
    associatedtype Value

    /// What the column holds.
    static var columnType: ColumnType { get }

    /// Whether the column's values have the order of these; `false` unless you say otherwise. Queries order and compare
    /// by it.
    static var isOrdered: Bool { get }

    /// What the column is to hold. Equal values must give equal results, since changes are told by them. What it throws
    /// reaches the caller of the save with class and property.
    static func encode(_ value: Value) throws -> DatabaseValue

    /// Makes the value from what the column holds; what it throws reaches the caller with class, property and row.
    static func decode(_ stored: DatabaseValue) throws -> Value

    /// Two or more values that differ from each other, or none. Needed where key paths are to name properties of a class
    /// that is not `final`, and `decode` takes neither everyday texts nor numbers.
    static var samples: [Value] { get }
}

extension ValueCodec {
    /// Not in order.
    public static var isOrdered: Bool { false }
    /// None.
    public static var samples: [Value] { [] }
}
