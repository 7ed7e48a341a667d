/// A value with unused bytes between its fields and after the last one, in which the compiler may put the next field.
public struct PaddedValue: Codable {
    /// One byte; seven unused ones follow.
    public var flag: UInt8 = 1
    /// Eight bytes.
    public var number = 2
    /// The last byte of the size, but not of the stride.
    public var end = true

    /// A value as declared.
    public init() {}
}
