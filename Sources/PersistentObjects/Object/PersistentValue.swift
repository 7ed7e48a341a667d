public import StoreEngine

/// A type of your own that says how it stands in a column.
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
/// An optional of it takes `nil` as NULL by itself.
public protocol PersistentValue {
    /// What the column holds; `.any` unless you say otherwise.
    static var columnType: ColumnType { get }

    /// Makes the value from what the column holds; what it throws reaches the caller with class, property and row.
    init(databaseValue: DatabaseValue) throws

    /// What the column is to hold. Equal values must give equal results.
    var databaseValue: DatabaseValue { get }
}

extension PersistentValue {
    /// `ANY`: the column keeps each value as it is given.
    public static var columnType: ColumnType { .any }
}
