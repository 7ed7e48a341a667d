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
        var sealed = [UInt8](repeating: 0, count: plain.count)
        var tag = [UInt8](repeating: 0, count: tagSize)
        _ = sealBytes(key, nonce, header, Int32(header.count), plain, Int32(plain.count), &sealed, &tag)
        return sealed + tag
    }

    /// Decrypts the result of `seal`; nil if any byte was changed, or if the key differs.
    package static func open(
        _ sealed: some Sequence<UInt8>, key: [UInt8], nonce: [UInt8], header: [UInt8] = []
    ) -> [UInt8]? {
        precondition(key.count == keySize && nonce.count == nonceSize)
        let sealed = Array(sealed)
        guard sealed.count >= tagSize else { return nil }
        let count = sealed.count - tagSize
        var plain = [UInt8](repeating: 0, count: count)
        let tag = Array(sealed[count...])
        let failure = openBytes(key, nonce, header, Int32(header.count), sealed, Int32(count), tag, &plain)
        return failure == 0 ? plain : nil
    }

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
