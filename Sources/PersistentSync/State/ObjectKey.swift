/// The key of an object: the same on all devices, unlike the id of its row.
package enum KeyValue: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// A UUID. One number of 128 bits would be aligned to 16 bytes, and make each key half as large again.
    case number(high: UInt64, low: UInt64)
    case text(Text)

    package static func uuid(_ number: UInt128) -> KeyValue {
        let (high, low) = number.halves
        return .number(high: high, low: low)
    }

    package var description: String {
        switch self {
        case .number(let high, let low): String(UInt128(high, low), radix: 16)
        case .text(let text): text.string
        }
    }
}

/// An object on all devices: the wire name of its class, and its key.
package struct ObjectKey: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let type: Text
    package let key: KeyValue

    package init(_ type: Text, _ key: KeyValue) {
        self.type = type
        self.key = key
    }

    package var description: String { "\(type.string) \(key)" }

    /// Keys are different in nearly all classes.
    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    package static func < (one: ObjectKey, other: ObjectKey) -> Bool {
        one.type != other.type ? one.type < other.type : one.key < other.key
    }
}

/// The identity of a group: 16 random bytes.
package struct GroupID: Hashable, Comparable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package init(_ number: UInt128) { (high, low) = number.halves }

    package var number: UInt128 { UInt128(high, low) }

    package static func < (one: GroupID, other: GroupID) -> Bool {
        one.high != other.high ? one.high < other.high : one.low < other.low
    }
}

extension GroupID: HexCodable {}
