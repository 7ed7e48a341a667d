/// An enumeration that has a case for raw values that it does not know, such as those of a newer version of the program.
///
/// ```swift
/// enum Status: String, UnknownValueFallback {
///     case active, retired, other
///     static var unknownValue: Status { .other }
/// }
/// ```
///
/// A property of such a type, or an optional of it, whose column holds a raw
/// value without a case has `unknownValue`; without the protocol the row is an
/// error. The column keeps what it holds until you give the property another
/// value and save: the newer version finds its value again. Giving it
/// `unknownValue` itself is no change, so that nothing is written.
///
/// Conditions are about the column: `status == .other` finds rows with the raw
/// value of `other`, not those with unknown ones. A `copy()` of an object is a new object, and is
/// saved with the raw value of `unknownValue`. It counts for properties with a column of their
/// own: in a collection an unknown raw value is an error.
public protocol UnknownValueFallback: RawRepresentable, SendableMetatype {
    /// The value of a property whose column holds a raw value without a case.
    static var unknownValue: Self { get }
}
