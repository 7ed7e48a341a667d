internal import StoreEngine

#if Encryption
    internal import Sealing
#endif

/// The stored form of an encrypted value.
///
/// Version (1 byte): 1, or 2 with a hash. The hash (16 bytes, version 2 only). The number of the keyring's key (4). The
/// nonce (12), the encrypted bytes, and the tag (16). The encrypted bytes are the storage class (1), the value, and the
/// padding: a byte 128 and zeros.
struct SealedForm {
    static let hashSize = 16
    private static let nonceSize = 12
    private static let tagSize = 16

    let version: UInt8
    let hash: [UInt8]
    let key: UInt32
    let nonce: [UInt8]
    /// The encrypted bytes and the tag.
    let sealed: [UInt8]

    /// Nil if the bytes cannot be an encrypted value.
    init?(_ value: DatabaseValue) {
        guard case .blob(let bytes) = value, let version = bytes.first, version == 1 || version == 2 else { return nil }
        let start = version == 2 ? 1 + SealedForm.hashSize : 1
        guard bytes.count > start + 4 + SealedForm.nonceSize + SealedForm.tagSize else { return nil }
        self.version = version
        hash = Array(bytes[1..<start])
        key = bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        nonce = Array(bytes[start + 4..<start + 4 + SealedForm.nonceSize])
        sealed = Array(bytes[(start + 4 + SealedForm.nonceSize)...])
    }

    #if Encryption
        /// Encrypts a value.
        init(
            _ value: DatabaseValue, hash: [UInt8]?, key: UInt32, derived: [UInt8], isPadded: Bool, header: [UInt8]
        ) {
            version = hash == nil ? 1 : 2
            self.hash = hash ?? []
            self.key = key
            nonce = Sealing.random(SealedForm.nonceSize)
            var plain = SealedForm.bytes(of: value) + [128]
            if isPadded { plain += [UInt8](repeating: 0, count: (16 - plain.count % 16) % 16) }
            sealed = Sealing.seal(
                plain, key: derived, nonce: nonce,
                header: SealedForm.header(version, self.hash, key) + header)
        }

        /// The value; nil if any byte was changed, or if the key or the header differs.
        func opened(derived: [UInt8], header: [UInt8]) -> DatabaseValue? {
            let all = SealedForm.header(version, hash, key) + header
            guard var plain = Sealing.open(sealed, key: derived, nonce: nonce, header: all) else { return nil }
            while plain.last == 0 { plain.removeLast() }
            guard plain.popLast() == 128 else { return nil }
            return SealedForm.value(of: plain)
        }
    #endif

    /// The stored bytes.
    var bytes: [UInt8] { SealedForm.header(version, hash, key) + nonce + sealed }

    private static func header(_ version: UInt8, _ hash: [UInt8], _ key: UInt32) -> [UInt8] {
        [version] + hash + (0..<4).map { UInt8(truncatingIfNeeded: key >> (24 - 8 * $0)) }
    }

    /// A value with its storage class.
    static func bytes(of value: DatabaseValue) -> [UInt8] {
        switch value {
        case .null: [0]
        case .integer(let number): [1] + bytes(UInt64(bitPattern: number))
        case .real(let number): [2] + bytes(number.bitPattern)
        case .text(let text): [3] + Array(text.utf8)
        case .blob(let bytes): [4] + bytes
        }
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func value(of bytes: [UInt8]) -> DatabaseValue? {
        let rest = bytes.dropFirst()
        func number() -> UInt64? { rest.count == 8 ? rest.reduce(0) { $0 << 8 | UInt64($1) } : nil }
        switch bytes.first {
        case 0 where rest.isEmpty: return .null
        case 1: return number().map { .integer(Int64(bitPattern: $0)) }
        case 2: return number().map { .real(Double(bitPattern: $0)) }
        case 3: return .text(String(decoding: rest, as: UTF8.self))
        case 4: return .blob(Array(rest))
        default: return nil
        }
    }
}
