#if Encryption
    import Sealing
    import TestSupport
    import Testing

    /// The vectors of the standards. RFC 9106 has vectors only for four lanes, and keyrings use one.
    @Suite struct SealingVectorTests {
        private func bytes(_ hex: String) -> [UInt8] {
            let digits = hex.filter { !$0.isWhitespace }.map { UInt8($0.hexDigitValue ?? 0) }
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }

        @Test func `ChaCha20-Poly1305 gives the vector of RFC 8439, section 2.8.2`() {
            let text =
                "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
                + "would be it."
            let (key, nonce) = (Array(0x80...0x9f) as [UInt8], bytes("070000004041424344454647"))
            let header = bytes("50515253c0c1c2c3c4c5c6c7")
            let sealed = Sealing.seal(Array(text.utf8), key: key, nonce: nonce, header: header)
            let expected = bytes(
                """
                d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
                1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
                3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691
                """)
            expect(sealed, expected)
            expect(Sealing.open(sealed, key: key, nonce: nonce, header: header), Array(text.utf8))
            for index in sealed.indices {
                var changed = sealed
                changed[index] ^= 1
                expect(Sealing.open(changed, key: key, nonce: nonce, header: header), nil)
            }
            expect(Sealing.open(sealed, key: key, nonce: nonce, header: []), nil)
        }

        /// The tags are those of a program that computes block after block as in RFC 8439.
        @Test(arguments: [
            (1023, "988ac42ea0a5f3f55a1060d89af1e687"), (1024, "3ae2bb03ab2be6e9d2ae56716d458e53"),
            (1025, "2253734f9dc299660dc38e500cd30f9e"), (4008, "a5d867c8911f8e5ae12ef2c8119b322d"),
            (4040, "1d133c5f002cb88dc9f8c68bcab9c66d"), (4096, "09fdd9dad0a9a03826bc1b4709ecb59d"),
            (65480, "3c28a9d5ce09669bfe6493739b0a5875"),
        ])
        func `messages as long as pages are encrypted as in RFC 8439`(count: Int, tag: String) {
            let (key, nonce) = (Array(0x80...0x9f) as [UInt8], bytes("070000004041424344454647"))
            let header = bytes("50515253c0c1c2c3c4c5c6c7")
            let plain = (0..<count).map { UInt8($0 % 251) }
            let sealed = Sealing.seal(plain, key: key, nonce: nonce, header: header)
            expect(Array(sealed.suffix(16)), bytes(tag))
            expect(Sealing.open(sealed, key: key, nonce: nonce, header: header), plain)
            for index in [0, 511, 512, count - 1, count, count + 15] {
                var changed = sealed
                changed[index] ^= 1
                expect(Sealing.open(changed, key: key, nonce: nonce, header: header), nil)
            }
            expect(Sealing.open(sealed, key: key, nonce: nonce, header: []), nil)
        }

        @Test func `HKDF-SHA256 gives the vectors 1 and 3 of RFC 5869`() {
            let key = [UInt8](repeating: 0x0b, count: 22)
            expect(
                Sealing.derive(key, salt: Array(0...12), info: Array(0xf0...0xf9), count: 42),
                bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
            expect(
                Sealing.derive(key, salt: [], info: [], count: 42),
                bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
        }

        @Test func `HMAC-SHA256 gives the vectors 1 and 2 of RFC 4231`() {
            expect(
                Sealing.hash(Array("Hi There".utf8), key: [UInt8](repeating: 0x0b, count: 20)),
                bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
            expect(
                Sealing.hash(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)),
                bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        }

        @Test func `Ed25519 gives the vectors 1 and 2 of RFC 8032`() {
            let vectors = [
                (
                    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                        + "d25bf5f0595bbe24655141438e7a100b"
                ),
                (
                    "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
                    "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
                    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
                        + "387b2eaeb4302aeeb00d291612bb0c00"
                ),
            ]
            for (signingKey, publicKey, message, signature) in vectors {
                expect(Sealing.publicKey(of: bytes(signingKey)), bytes(publicKey))
                #if !canImport(CryptoKit)  // whose signatures are random
                    expect(Sealing.sign(bytes(message), with: bytes(signingKey)), bytes(signature))
                #endif
                func isValid(_ signature: [UInt8], _ message: [UInt8]) -> Bool {
                    Sealing.isSignature(signature[...], of: message[...], by: bytes(publicKey))
                }
                #expect(isValid(bytes(signature), bytes(message)))
                #expect(isValid(Sealing.sign(bytes(message), with: bytes(signingKey)), bytes(message)))
                #expect(!isValid(bytes(signature), bytes(message) + [0]))
                #expect(!isValid(Array(bytes(signature).dropLast()), bytes(message)))
                for index in 0..<64 {
                    var changed = bytes(signature)
                    changed[index] ^= 1
                    #expect(!isValid(changed, bytes(message)), "byte \(index)")
                }
            }
        }

        @Test func `a password's key depends on the password and on the salt`() {
            func key(_ password: String, _ salt: UInt8) -> [UInt8]? {
                #if canImport(CryptoKit)
                    Sealing.password(password, .pbkdf2(rounds: 1000, salt: [UInt8](repeating: salt, count: 16)))
                #else
                    Sealing.password(
                        password,
                        .argon2id(operations: 1, kibibytes: 64, salt: [UInt8](repeating: salt, count: 16)))
                #endif
            }
            expect(key("a", 1)?.count, 32)
            expect(key("a", 1), key("a", 1))
            expect(Set([key("a", 1), key("b", 1), key("a", 2), key("", 1), key("ä", 1)]).count, 5)
        }

        @Test func `random bytes and nonces do not repeat`() {
            let all = (0..<100).map { _ in Sealing.random(16) }
            expect(Set(all).count, 100)
        }

        @Test func `a recovery code gives its key again, also in lowercase and with separators`() {
            for number in 0..<50 {
                let key = number == 0 ? [UInt8](repeating: 0xff, count: 32) : Sealing.random(32)
                let text = RecoveryCode.text(of: key)
                expect(text.count, 52)
                expect(RecoveryCode.key(of: text), key)
                let written = text.lowercased().enumerated().map { $0 % 4 == 3 ? "\($1)-" : "\($1)" }.joined()
                expect(RecoveryCode.key(of: " " + written), key)
                expect(RecoveryCode.key(of: String(text.dropLast())), nil)
                expect(RecoveryCode.key(of: text + "0"), nil)
            }
            expect(RecoveryCode.key(of: String(repeating: "U", count: 52)), nil)
        }
    }
#endif
