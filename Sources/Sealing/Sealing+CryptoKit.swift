#if canImport(CryptoKit)
    internal import CommonCrypto
    internal import CryptoKit
    internal import Foundation

    // CryptoKit, and CommonCrypto for passwords.
    extension Sealing {
        /// Random bytes for keys and nonces.
        package static func random(_ count: Int) -> [UInt8] {
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }

        /// A key of HMAC-SHA256 (RFC 2104).
        package final class HashKey: Sendable {
            private let key: [UInt8]

            /// Prepares a key for hashes.
            package init(_ key: [UInt8]) { self.key = key }

            /// Returns the first bytes of the hash of a message, at most 32.
            package func hash(_ bytes: [UInt8], count: Int = 32) -> [UInt8] {
                Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)).prefix(count))
            }
        }

        /// The public key of a signing key, which is any 32 random bytes (Ed25519, RFC 8032).
        package static func publicKey(of signingKey: [UInt8]) -> [UInt8] {
            precondition(signingKey.count == keySize)
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: signingKey)
            return key.map { Array($0.publicKey.rawRepresentation) } ?? []
        }

        /// Signs bytes; the signature has 64 bytes.
        package static func sign(_ bytes: [UInt8], with signingKey: [UInt8]) -> [UInt8] {
            precondition(signingKey.count == keySize)
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: signingKey)
            return (try? key?.signature(for: bytes)).map { Array($0) } ?? []
        }

        /// Whether a signature is that of the bytes.
        package static func isSignature(
            _ signature: ArraySlice<UInt8>, of bytes: ArraySlice<UInt8>, by publicKey: [UInt8]
        ) -> Bool {
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey) else { return false }
            return key.isValidSignature(Data(signature), for: Data(bytes))
        }

        /// The public key of an agreement key, which is any 32 random bytes (X25519, RFC 7748).
        package static func agreementPublicKey(of agreementKey: [UInt8]) -> [UInt8] {
            precondition(agreementKey.count == keySize)
            let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: agreementKey)
            return key.map { Array($0.publicKey.rawRepresentation) } ?? []
        }

        /// The secret that two devices share, each with its key and the other's public key; nil if that is not a key.
        package static func agree(_ agreementKey: [UInt8], with publicKey: [UInt8]) -> [UInt8]? {
            guard agreementKey.count == keySize,
                let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: agreementKey),
                let other = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey),
                let shared = try? key.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            let bytes = shared.withUnsafeBytes { Array($0) }
            return bytes.allSatisfy { $0 == 0 } ? nil : bytes
        }

        /// Derives a key from a password; nil if the method is not available.
        package static func password(_ password: String, _ method: PasswordMethod) -> [UInt8]? {
            guard case .pbkdf2(let rounds, let salt) = method else { return nil }
            var key = [UInt8](repeating: 0, count: keySize)
            let status = CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2), password, password.utf8.count, salt, salt.count,
                CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), rounds, &key, keySize)
            return status == kCCSuccess ? key : nil
        }

        static func sealBytes(
            _ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>, _ header: UnsafePointer<UInt8>,
            _ headerCount: Int32, _ plain: UnsafePointer<UInt8>, _ count: Int32,
            _ sealed: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
        ) -> Int32 {
            guard let nonce = try? ChaChaPoly.Nonce(data: UnsafeBufferPointer(start: nonce, count: nonceSize)),
                let box = try? ChaChaPoly.seal(
                    UnsafeBufferPointer(start: plain, count: Int(count)),
                    using: SymmetricKey(data: UnsafeBufferPointer(start: key, count: keySize)), nonce: nonce,
                    authenticating: UnsafeBufferPointer(start: header, count: Int(headerCount)))
            else { return -1 }
            box.ciphertext.copyBytes(to: sealed, count: Int(count))
            box.tag.copyBytes(to: tag, count: tagSize)
            return 0
        }

        static func openBytes(
            _ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>, _ header: UnsafePointer<UInt8>,
            _ headerCount: Int32, _ sealed: UnsafePointer<UInt8>, _ count: Int32, _ tag: UnsafePointer<UInt8>,
            _ plain: UnsafeMutablePointer<UInt8>
        ) -> Int32 {
            guard let nonce = try? ChaChaPoly.Nonce(data: UnsafeBufferPointer(start: nonce, count: nonceSize)),
                let box = try? ChaChaPoly.SealedBox(
                    nonce: nonce, ciphertext: UnsafeBufferPointer(start: sealed, count: Int(count)),
                    tag: UnsafeBufferPointer(start: tag, count: tagSize)),
                let bytes = try? ChaChaPoly.open(
                    box, using: SymmetricKey(data: UnsafeBufferPointer(start: key, count: keySize)),
                    authenticating: UnsafeBufferPointer(start: header, count: Int(headerCount)))
            else { return -1 }
            bytes.copyBytes(to: plain, count: Int(count))
            return 0
        }

        /// The method for new keyring files.
        package static var standardMethod: PasswordMethod { .pbkdf2(rounds: 600_000, salt: random(16)) }

        static func lockMemory(_ bytes: UnsafeMutableRawPointer, _ count: Int) { _ = mlock(bytes, count) }
        /// Overwrites the memory, too.
        static func unlockMemory(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
            memset_s(bytes, count, 0, count)
            _ = munlock(bytes, count)
        }
    }
#endif
