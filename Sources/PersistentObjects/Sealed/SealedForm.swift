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

    /// The stored bytes.
    let bytes: [UInt8]
    /// The number of the keyring's key.
    let key: UInt32
    /// The number of bytes before the nonce.
    private let frontSize: Int

    /// Nil if the bytes cannot be an encrypted value.
    init?(_ value: DatabaseValue) {
        guard case .blob(let bytes) = value, let version = bytes.first, version == 1 || version == 2 else { return nil }
        let start = version == 2 ? 1 + SealedForm.hashSize : 1
        guard bytes.count > start + 4 + SealedForm.nonceSize + SealedForm.tagSize else { return nil }
        self.bytes = bytes
        key = bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        frontSize = start + 4
    }

    /// The hash in a stored value; nil if it has none.
    static func hash(of value: DatabaseValue) -> [UInt8]? {
        guard case .blob(let bytes) = value, bytes.first == 2, bytes.count > hashSize else { return nil }
        return Array(bytes[1...hashSize])
    }

    #if Encryption
        /// Encrypts a value.
        ///
        /// - Parameters:
        ///   - header: What is authenticated with the value before the key of its object.
        ///   - object: The key of the row's object; NULL in classes without keys.
        init(
            _ value: DatabaseValue, hash: [UInt8]?, key: UInt32, derived: [UInt8], isPadded: Bool, header: [UInt8],
            object: DatabaseValue
        ) {
            var plain: [UInt8] = []
            plain.reserveCapacity(SealedForm.size(of: value) + 16)
            SealedForm.append(value, to: &plain)
            plain.append(128)
            if isPadded { plain.append(contentsOf: repeatElement(0, count: (16 - plain.count % 16) % 16)) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(
                1 + SealedForm.hashSize + 4 + SealedForm.nonceSize + plain.count + SealedForm.tagSize)
            bytes.append(hash == nil ? 1 : 2)
            if let hash { bytes += hash }
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: key >> shift)) }
            frontSize = bytes.count
            let nonce = Sealing.random(SealedForm.nonceSize)
            let authenticated = SealedForm.authenticated(bytes[...], header, object)
            bytes += nonce
            bytes += Sealing.seal(plain, key: derived, nonce: nonce, header: authenticated)
            self.bytes = bytes
            self.key = key
        }

        /// The value; nil if any byte was changed, or if the key, the header or the object's key differs.
        func opened(derived: [UInt8], header: [UInt8], object: DatabaseValue) -> DatabaseValue? {
            let start = frontSize + SealedForm.nonceSize
            guard
                let plain = Sealing.open(
                    bytes[start...], key: derived, nonce: bytes[frontSize..<start],
                    header: SealedForm.authenticated(bytes[..<frontSize], header, object)),
                let end = plain.lastIndex(where: { $0 != 0 }), plain[end] == 128
            else { return nil }
            return SealedForm.value(of: plain[..<end])
        }
    #endif

    /// What is authenticated with a value: the bytes before the nonce, the property, and the object.
    private static func authenticated(
        _ front: ArraySlice<UInt8>, _ header: [UInt8], _ object: DatabaseValue
    ) -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(front.count + header.count + size(of: object))
        all += front
        all += header
        append(object, to: &all)
        return all
    }

    /// A value with its storage class.
    static func bytes(of value: DatabaseValue) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size(of: value))
        append(value, to: &bytes)
        return bytes
    }

    /// The number of bytes of a value with its storage class, or a greater number.
    private static func size(of value: DatabaseValue) -> Int {
        switch value {
        case .null, .integer, .real: 9
        case .text(let text): 1 + text.utf8.count
        case .blob(let bytes): 1 + bytes.count
        }
    }

    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
        func append(_ number: UInt64) {
            for index: UInt64 in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (56 - 8 * index))) }
        }
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(UInt64(bitPattern: number))
        case .real(let number):
            bytes.append(2)
            append(number.bitPattern)
        case .text(let text):
            bytes.append(3)
            bytes += text.utf8
        case .blob(let content):
            bytes.append(4)
            bytes += content
        }
    }

    private static func value(of bytes: ArraySlice<UInt8>) -> DatabaseValue? {
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
