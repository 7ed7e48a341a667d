internal import StoreEngine

/// Random numbers of 16 bytes in names of files and in records: 32 lowercase hexadecimal digits.
enum HexName {
    static func text(_ number: UInt128) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// nil if the text has another form.
    static func number(_ text: String) -> UInt128? {
        guard text.utf8.count == 32, let number = UInt128(text, radix: 16), self.text(number) == text else {
            return nil
        }
        return number
    }

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Hexadecimal.text(Array(bytes))
    }
}

/// An identity that records contain as hexadecimal digits, also as the key of a dictionary.
protocol HexCodable: Codable, CodingKeyRepresentable {
    init(_ number: UInt128)
    var number: UInt128 { get }
}

private struct HexKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension HexCodable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let number = HexName.number(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an identity has 32 hexadecimal digits"))
        }
        self.init(number)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(HexName.text(number))
    }

    package var codingKey: any CodingKey { HexKey(stringValue: HexName.text(number)) }

    package init?(codingKey: some CodingKey) {
        guard let number = HexName.number(codingKey.stringValue) else { return nil }
        self.init(number)
    }
}

extension DeviceID: HexCodable {}
