// Sealing: cryptography, keyrings, and the keys of encrypted files. It knows bytes and keys, and must not know stores.

#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation
#else
    internal import CSodium
#endif

/// The cryptographic functions: libsodium's, or CryptoKit's on Apple platforms.
package enum Sealing {
    /// The number of bytes of a key.
    package static let keySize = 32
    /// The number of bytes of a nonce.
    package static let nonceSize = 12
    /// The number of bytes of a tag.
    package static let tagSize = 16

    /// Encrypts bytes with ChaCha20-Poly1305 (RFC 8439); returns the encrypted bytes and the tag.
    ///
    /// A nonce must not be used twice with one key.
    package static func seal(
        _ plain: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8] = []
    ) -> [UInt8] {
        precondition(key.count == keySize && nonce.count == nonceSize)
        return [UInt8](unsafeUninitializedCapacity: plain.count + tagSize) { sealed, count in
            guard let start = sealed.baseAddress else { return }
            _ = sealBytes(
                key, nonce, header, Int32(header.count), plain, Int32(plain.count), start, start + plain.count)
            count = plain.count + tagSize
        }
    }

    /// Decrypts the result of `seal`; nil if any byte was changed, or if the key differs.
    package static func open(
        _ sealed: some Sequence<UInt8>, key: [UInt8], nonce: [UInt8], header: [UInt8] = []
    ) -> [UInt8]? {
        open(Array(sealed)[...], key: key, nonce: nonce[...], header: header)
    }

    /// Decrypts a part of an array, with a nonce that may be another part.
    package static func open(
        _ sealed: ArraySlice<UInt8>, key: [UInt8], nonce: ArraySlice<UInt8>, header: [UInt8]
    ) -> [UInt8]? {
        precondition(key.count == keySize && nonce.count == nonceSize)
        guard sealed.count >= tagSize else { return nil }
        let count = sealed.count - tagSize
        return sealed.withUnsafeBufferPointer { sealed in
            nonce.withUnsafeBufferPointer { nonce in
                // Neither is empty.
                guard let sealed = sealed.baseAddress, let nonce = nonce.baseAddress else { return nil }
                var failure: Int32 = -1
                // At least one byte, so that an empty message has an address, too.
                let plain = [UInt8](unsafeUninitializedCapacity: Swift.max(count, 1)) { plain, initializedCount in
                    guard let plain = plain.baseAddress else { return }
                    failure = openBytes(
                        key, nonce, header, Int32(header.count), sealed, Int32(count), sealed + count, plain)
                    initializedCount = failure == 0 ? count : 0
                }
                return failure == 0 ? plain : nil
            }
        }
    }

    /// HMAC-SHA256 (RFC 2104).
    package static func hash(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] { HashKey(key).hash(bytes) }

    /// Derives a key with HKDF-SHA256 (RFC 5869).
    package static func derive(_ key: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition(count <= 255 * 32)
        let secret = hash(key, key: salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt)
        var (result, block): ([UInt8], [UInt8]) = ([], [])
        var number: UInt8 = 1
        while result.count < count {
            block = hash(block + info + [number], key: secret)
            result += block
            number &+= 1
        }
        return Array(result.prefix(count))
    }

    /// Whether two secrets are equal, in a time that does not depend on their contents.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
