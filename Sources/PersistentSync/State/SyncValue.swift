package import Foundation

/// A value as it travels: a storage class and its value, or the key of an object.
///
/// The order of the values decides only between values with one clock, and in `.max` and `.min` properties.
package enum SyncValue: Hashable, Comparable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Text)
    case bytes([UInt8])
    /// The digits of a `Decimal`; scales differ between versions of a class.
    case decimal(Text)
    /// Not in the value itself, because all values would have its size.
    indirect case object(ObjectKey)
    /// A value that is stored as a separate file: its SHA-256 hash, and its size in bytes.
    indirect case blob(hash: [UInt8], size: Int64)

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer: 1
        case .real: 2
        case .text: 3
        case .bytes: 4
        case .decimal: 5
        case .object: 6
        case .blob: 7
        }
    }

    package static func == (one: SyncValue, other: SyncValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.integer(let one), .integer(let other)): one == other
        // Each double is equal to itself only, so that NaN and negative zero are merged as all other values.
        case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
        case (.text(let one), .text(let other)): one == other
        case (.bytes(let one), .bytes(let other)): one == other
        case (.decimal(let one), .decimal(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.blob(let one, let size), .blob(let other, let otherSize)): one == other && size == otherSize
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null: break
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .text(let value), .decimal(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        case .blob(let hash, let size):
            hasher.combine(hash)
            hasher.combine(size)
        }
    }

    package static func < (one: SyncValue, other: SyncValue) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.real(let one), .real(let other)):
            one.bitPattern != other.bitPattern && one.isTotallyOrdered(belowOrEqualTo: other)
        case (.text(let one), .text(let other)): one < other
        case (.decimal(let first), .decimal(let second)):
            // The same number can have several spellings, and a hostile member's text need not be a number.
            switch (one.decimalNumber, other.decimalNumber) {
            case (let number?, let otherNumber?): number != otherNumber ? number < otherNumber : first < second
            case (nil, nil): first < second
            case (let number, _): number == nil
            }
        case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
        case (.object(let one), .object(let other)): one < other
        case (.blob(let one, let size), .blob(let other, let otherSize)):
            one != other ? one.lexicographicallyPrecedes(other) : size < otherSize
        default: one.rank < other.rank
        }
    }
}

extension SyncValue {
    /// The number of a decimal's digits; nil for other values, and for text that is not a number.
    package var decimalNumber: Decimal? {
        guard case .decimal(let text) = self, let number = Decimal(string: text.string, locale: nil), !number.isNaN
        else { return nil }
        return number
    }

    /// The number with the opposite sign.
    var negated: SyncValue {
        switch self {
        case .integer(let number): .integer(number == .min ? .max : -number)
        case .real(let number): .real(-number)
        case .decimal: .decimal(Text("\(-(decimalNumber ?? 0))"))
        default: .integer(0)
        }
    }

    var isZero: Bool {
        switch self {
        case .integer(let number): number == 0
        case .real(let number): number == 0
        case .decimal: (decimalNumber ?? 0) == 0
        default: true
        }
    }
}
