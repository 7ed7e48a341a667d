/// A conversion of a property's values from an earlier version of its class.
///
/// Use it for changes whose meaning only you know.
///
/// ```swift
/// final class Invoice: PersistentObject {
///     var cents = 0
///     override class var conversions: [PropertyConversion] {
///         [PropertyConversion(\Invoice.cents, from: "amount") { (amount: Double) in Int((amount * 100).rounded()) }]
///     }
/// }
/// ```
///
/// The conversion runs once, when the property's column is created or changes its type, for each row that exists then.
/// It may find objects of other classes and create some, which are saved; it must not use the class that is being
/// changed.
public struct PropertyConversion: @unchecked Sendable {  // key paths and metatypes are immutable
    let target: AnyKeyPath
    /// The column to read.
    let source: String
    let sourceType: Any.Type
    /// Returns the new value; a returned object has a row.
    let convert: @Sendable (Any?) throws -> Any?
    /// Runs its argument in a transaction of a session, in which objects can be saved.
    let transaction: @Sendable (AnyObject, () throws -> Void) throws -> Void
}
