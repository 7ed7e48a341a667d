public import StoreEngine

/// A type that defines its own column representation.
///
/// ```swift
/// struct Celsius: PersistentValue {
///     var degrees: Double
///     static var columnType: ColumnType { .real }
///     init(degrees: Double) { self.degrees = degrees }
///     init(databaseValue: DatabaseValue) throws {
///         guard case .real(let degrees) = databaseValue else { throw NotCelsius() }
///         self.degrees = degrees
///     }
///     var databaseValue: DatabaseValue { .real(degrees) }
/// }
/// ```
///
/// An optional of the type stores `nil` as NULL automatically.
public protocol PersistentValue {
    /// The type of the column; the default is `.any`.
    static var columnType: ColumnType { get }

    /// Creates the value from a stored column value.
    ///
    /// - Throws: Any error; it reaches the caller with the class, the property and the row.
    init(databaseValue: DatabaseValue) throws

    /// The value to store in the column; equal values must give equal results.
    var databaseValue: DatabaseValue { get }
}

extension PersistentValue {
    /// `ANY`: the column stores each value without converting it.
    public static var columnType: ColumnType { .any }
}
