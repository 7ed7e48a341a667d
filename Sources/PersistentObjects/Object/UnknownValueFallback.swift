/// An enumeration with a case for unknown raw values, such as raw values of a newer program version.
///
/// ```swift
/// enum Status: String, UnknownValueFallback {
///     case active, retired, other
///     static var unknownValue: Status { .other }
/// }
/// ```
///
/// If a column holds a raw value without a case, a property of such a type, or an optional of it, has the value
/// `unknownValue`; without the protocol the row is an error. The column keeps its raw value until you assign another
/// value and save, so the newer version finds its value again. Assigning `unknownValue` itself is not a change, and
/// nothing is written.
///
/// Conditions compare the column: `status == .other` finds rows with the raw value of `other`, not rows with unknown
/// raw values. A `copy()` of an object is a new object, and is saved with the raw value of `unknownValue`. The fallback
/// applies to properties with their own column; in a collection, an unknown raw value is an error.
public protocol UnknownValueFallback: RawRepresentable, SendableMetatype {
    /// The value of a property whose column holds a raw value without a case.
    static var unknownValue: Self { get }
}
