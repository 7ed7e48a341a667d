#if !canImport(CryptoKit)
    internal import CSodium

    // libsodium.
    extension Sealing {
        private static let isReady = sodium_init() >= 0

        /// Initializes libsodium. Before, its random numbers do not work, and its ciphers take almost twice the time.
        static func prepare() { precondition(isReady, "libsodium cannot be initialized") }

        /// Random bytes for keys and nonces.
        package static func random(_ count: Int) -> [UInt8] {
            prepare()
            var bytes = [UInt8](repeating: 0, count: count)
            randombytes_buf(&bytes, count)
            return bytes
        }

        /// A key of HMAC-SHA256 (RFC 2104), which is hashed only once.
        package final class HashKey: Sendable {
            private let state: crypto_auth_hmacsha256_state

            /// Prepares a key for hashes.
            package init(_ key: [UInt8]) {
                var state = crypto_auth_hmacsha256_state()
                crypto_auth_hmacsha256_init(&state, key, key.count)
                self.state = state
            }

            /// Returns the first bytes of the hash of a message, at most 32.
            package func hash(_ bytes: [UInt8], count: Int = 32) -> [UInt8] {
                var state = state
                crypto_auth_hmacsha256_update(&state, bytes, UInt64(bytes.count))
                return [UInt8](unsafeUninitializedCapacity: 32) { hash, initializedCount in
                    crypto_auth_hmacsha256_final(&state, hash.baseAddress)
                    initializedCount = count
                }
            }
        }

        /// The public key of a signing key, which is any 32 random bytes (Ed25519, RFC 8032).
        package static func publicKey(of signingKey: [UInt8]) -> [UInt8] { keyPair(signingKey).public }

        private static func keyPair(_ signingKey: [UInt8]) -> (public: [UInt8], secret: [UInt8]) {
            precondition(signingKey.count == keySize)
            var (key, secret) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 64))
            crypto_sign_seed_keypair(&key, &secret, signingKey)
            return (key, secret)
        }

        /// Signs bytes; the signature has 64 bytes.
        package static func sign(_ bytes: [UInt8], with signingKey: [UInt8]) -> [UInt8] {
            var signature = [UInt8](repeating: 0, count: 64)
            crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), keyPair(signingKey).secret)
            return signature
        }

        /// Whether a signature is that of the bytes.
        package static func isSignature(
            _ signature: ArraySlice<UInt8>, of bytes: ArraySlice<UInt8>, by publicKey: [UInt8]
        ) -> Bool {
            guard signature.count == 64, publicKey.count == 32 else { return false }
            return signature.withUnsafeBufferPointer { signature in
                bytes.withUnsafeBufferPointer { bytes in
                    crypto_sign_verify_detached(
                        signature.baseAddress, bytes.baseAddress, UInt64(bytes.count), publicKey) == 0
                }
            }
        }

        /// The public key of an agreement key, which is any 32 random bytes (X25519, RFC 7748).
        package static func agreementPublicKey(of agreementKey: [UInt8]) -> [UInt8] {
            precondition(agreementKey.count == keySize)
            var key = [UInt8](repeating: 0, count: 32)
            crypto_scalarmult_curve25519_base(&key, agreementKey)
            return key
        }

        /// The secret that two devices share, each with its key and the other's public key; nil if that is not a key.
        package static func agree(_ agreementKey: [UInt8], with publicKey: [UInt8]) -> [UInt8]? {
            guard agreementKey.count == keySize, publicKey.count == 32 else { return nil }
            var shared = [UInt8](repeating: 0, count: 32)
            return crypto_scalarmult_curve25519(&shared, agreementKey, publicKey) == 0 ? shared : nil
        }

        /// Derives a key from a password; nil if there is not enough memory.
        package static func password(_ password: String, _ method: PasswordMethod) -> [UInt8]? {
            guard case .argon2id(let operations, let kibibytes, let salt) = method else { return nil }
            var key = [UInt8](repeating: 0, count: keySize)
            let failure = crypto_pwhash(
                &key, UInt64(keySize), password, UInt64(password.utf8.count), salt, UInt64(operations),
                Int(kibibytes) * 1024, Int32(crypto_pwhash_ALG_ARGON2ID13))
            return failure == 0 ? key : nil
        }

        /// The number of bytes from which messages are encrypted like pages.
        private static let pageCount: Int32 = 1024

        static func sealBytes(
            _ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>, _ header: UnsafePointer<UInt8>,
            _ headerCount: Int32, _ plain: UnsafePointer<UInt8>, _ count: Int32,
            _ sealed: UnsafeMutablePointer<UInt8>, _ tag: UnsafeMutablePointer<UInt8>
        ) -> Int32 {
            guard count < pageCount else {
                po_chacha_seal(sealed, tag, plain, Int(count), header, Int(headerCount), nonce, key)
                return 0
            }
            return crypto_aead_chacha20poly1305_ietf_encrypt_detached(
                sealed, tag, nil, plain, UInt64(count), header, UInt64(headerCount), nil, nonce, key)
        }

        static func openBytes(
            _ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>, _ header: UnsafePointer<UInt8>,
            _ headerCount: Int32, _ sealed: UnsafePointer<UInt8>, _ count: Int32, _ tag: UnsafePointer<UInt8>,
            _ plain: UnsafeMutablePointer<UInt8>
        ) -> Int32 {
            guard count < pageCount else {
                return po_chacha_open(plain, sealed, Int(count), tag, header, Int(headerCount), nonce, key)
            }
            return crypto_aead_chacha20poly1305_ietf_decrypt_detached(
                plain, nil, sealed, UInt64(count), tag, header, UInt64(headerCount), nonce, key)
        }

        /// The method for new keyring files.
        package static var standardMethod: PasswordMethod {
            .argon2id(operations: 2, kibibytes: 65_536, salt: random(16))
        }

        static func lockMemory(_ bytes: UnsafeMutableRawPointer, _ count: Int) { _ = sodium_mlock(bytes, count) }
        /// Overwrites the memory, too.
        static func unlockMemory(_ bytes: UnsafeMutableRawPointer, _ count: Int) { _ = sodium_munlock(bytes, count) }
    }
#endif
