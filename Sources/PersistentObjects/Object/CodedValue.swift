public import StoreEngine

/// A type from a framework that one of your codecs stores, such as a color, an image or a number.
///
/// A type that you own conforms to `PersistentValue`. A framework's type may be a class, and an extension cannot give a
/// class the required initializer. Declare a separate codec for it:
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
/// Properties of the type are then stored in all classes, optional or not, and as elements of arrays, sets and
/// dictionaries.
public protocol CodedValue {
    /// The codec that stores the values; it must be a codec of exactly this type, not of a superclass.
    associatedtype PersistentCodec: ValueCodec
}

/// The column representation of the values of a type that you do not own; see `CodedValue`.
public protocol ValueCodec {
    /// The type of the values.
    associatedtype Value

    /// The type of the column.
    static var columnType: ColumnType { get }

    /// Whether the stored values sort in the same order as the values; the default is `false`.
    ///
    /// Queries sort and compare by the stored values.
    static var isOrdered: Bool { get }

    /// Returns the value to store in the column.
    ///
    /// Equal values must give equal results, because changes are detected by comparing the results.
    ///
    /// - Throws: Any error; it reaches the caller of the save with the class and the property.
    static func encode(_ value: Value) throws -> DatabaseValue

    /// Returns the value for a stored column value.
    ///
    /// - Throws: Any error; it reaches the caller with the class, the property and the row.
    static func decode(_ stored: DatabaseValue) throws -> Value

    /// Two or more values that differ from each other, or an empty array.
    ///
    /// Samples are needed only if key paths must name properties of a class that is not `final`, and `decode` accepts
    /// neither ordinary strings nor numbers.
    static var samples: [Value] { get }
}

extension ValueCodec {
    /// `false`: the stored values are not sorted.
    public static var isOrdered: Bool { false }
    /// An empty array.
    public static var samples: [Value] { [] }
}
