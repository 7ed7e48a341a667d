/// A key of 256 bits as 52 characters, which a person can write down.
package enum RecoveryCode {
    // Without I, L, O and U, which are mistaken for other characters.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let count = 52

    /// The characters of a key.
    package static func text(of key: [UInt8]) -> String {
        precondition(key.count == Sealing.keySize)
        var text = ""
        var (buffer, bits) = (0, 0)
        for byte in key {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= (1 << bits) - 1
        }
        text.append(alphabet[buffer << (5 - bits) & 31])
        return text
    }

    /// The key of a code; nil if it is not a code. Lowercase letters, spaces and hyphens are accepted.
    package static func key(of text: String) -> [UInt8]? {
        var key: [UInt8] = []
        var (buffer, bits, length) = (0, 0, 0)
        for character in text.uppercased() where character != "-" && !character.isWhitespace {
            let plain: Character = character == "O" ? "0" : character == "I" || character == "L" ? "1" : character
            guard let value = alphabet.firstIndex(of: plain) else { return nil }
            length += 1
            buffer = buffer << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                key.append(UInt8(buffer >> bits & 255))
                buffer &= (1 << bits) - 1
            }
        }
        return length == count && key.count == Sealing.keySize && buffer == 0 ? key : nil
    }
}
