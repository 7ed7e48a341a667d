internal import StoreEngine

/// A short text that differs if a value differs. A form sends it back unchanged, which browsers do not do with line
/// breaks and some other characters of a value.
enum Fingerprint {
    static func of(_ value: DatabaseValue) -> String { of(PlaceText.text(value)) }

    /// The text as bytes: strings that are equal in Swift can be different values.
    static func of(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
