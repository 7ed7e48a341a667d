/// How a key is derived from a password. A keyring file specifies its method.
package enum PasswordMethod: Sendable, Equatable {
    /// Argon2id (RFC 9106) with one lane.
    case argon2id(operations: UInt32, kibibytes: UInt32, salt: [UInt8])
    /// PBKDF2 with HMAC-SHA256.
    case pbkdf2(rounds: UInt32, salt: [UInt8])

    /// The greatest memory, in KiB, and the greatest number of rounds that a file may specify: a changed file must not
    /// occupy the process.
    private static let limits = (operations: UInt32(64), kibibytes: UInt32(1 << 21), rounds: UInt32(100_000_000))

    /// The bytes of the method in a file.
    var bytes: [UInt8] {
        switch self {
        case .argon2id(let operations, let kibibytes, let salt):
            [1] + operations.bigEndianBytes + kibibytes.bigEndianBytes + salt
        case .pbkdf2(let rounds, let salt): [2] + rounds.bigEndianBytes + UInt32(0).bigEndianBytes + salt
        }
    }

    static let size = 25

    /// Nil if the bytes are not a method, or one of unusual cost.
    init?(_ bytes: ArraySlice<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == PasswordMethod.size else { return nil }
        let (one, two) = (UInt32(bigEndianBytes: bytes[1..<5]), UInt32(bigEndianBytes: bytes[5..<9]))
        switch bytes[0] {
        case 1 where (1...Self.limits.operations).contains(one) && (8...Self.limits.kibibytes).contains(two):
            self = .argon2id(operations: one, kibibytes: two, salt: Array(bytes[9...]))
        case 2 where (1000...Self.limits.rounds).contains(one): self = .pbkdf2(rounds: one, salt: Array(bytes[9...]))
        default: return nil
        }
    }
}

extension UInt32 {
    var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }

    init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
