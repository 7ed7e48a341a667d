/// Bytes that are encrypted for the owner of one agreement key. The sender needs no key.
package enum SealedBox {
    /// The key of a box is derived for it alone, so it encrypts with the nonce zero.
    private static let nonce = [UInt8](repeating: 0, count: Sealing.nonceSize)

    /// Encrypts bytes for the owner of a public key; nil if that is not a key.
    package static func seal(_ bytes: [UInt8], for publicKey: [UInt8]) -> [UInt8]? {
        let own = Sealing.random(Sealing.keySize)
        let ownPublicKey = Sealing.agreementPublicKey(of: own)
        guard let shared = Sealing.agree(own, with: publicKey) else { return nil }
        return ownPublicKey + Sealing.seal(bytes, key: key(shared, ownPublicKey, publicKey), nonce: nonce)
    }

    /// Decrypts the result of `seal`; nil if any byte was changed, or if it is for another key.
    package static func open(_ box: [UInt8], with agreementKey: [UInt8]) -> [UInt8]? {
        guard box.count >= 32 + Sealing.tagSize else { return nil }
        let sender = Array(box[..<32])
        guard let shared = Sealing.agree(agreementKey, with: sender) else { return nil }
        let publicKey = Sealing.agreementPublicKey(of: agreementKey)
        return Sealing.open(box[32...], key: key(shared, sender, publicKey), nonce: nonce)
    }

    private static func key(_ shared: [UInt8], _ sender: [UInt8], _ receiver: [UInt8]) -> [UInt8] {
        Sealing.derive(shared, salt: sender + receiver, info: Array("po sealed box".utf8), count: Sealing.keySize)
    }
}
