/// The identity of a device: 16 random bytes. A device that is reset gets a new identity.
package struct DeviceID: Hashable, Comparable, Sendable {
    // Not one number of 128 bits: Swift 6.3 corrupts the frames of asynchronous functions that contain one.
    private let high: UInt64
    private let low: UInt64

    package init(_ number: UInt128) { (high, low) = number.halves }

    package var number: UInt128 { UInt128(high, low) }

    package static func < (one: DeviceID, other: DeviceID) -> Bool {
        one.high != other.high ? one.high < other.high : one.low < other.low
    }
}

extension UInt128 {
    /// The number of two halves.
    package init(_ high: UInt64, _ low: UInt64) { self = UInt128(high) << 64 | UInt128(low) }

    /// The high and the low 64 bits.
    package var halves: (UInt64, UInt64) {
        (UInt64(truncatingIfNeeded: self >> 64), UInt64(truncatingIfNeeded: self))
    }
}
