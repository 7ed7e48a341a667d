/// A value with padding between its fields, and after the last field, where the compiler may place the next field.
public struct PaddedValue: Codable {
    /// One byte, with seven bytes of padding after it.
    public var flag: UInt8 = 1
    /// Eight bytes.
    public var number = 2
    /// The last byte of the size, which is less than the stride.
    public var end = true

    /// Creates a value with the declared fields.
    public init() {}
}
