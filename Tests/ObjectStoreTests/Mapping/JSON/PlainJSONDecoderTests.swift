import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Values that the library decodes without `JSONDecoder` equal the values that `JSONDecoder` decodes.
@Suite struct PlainJSONDecoderTests {
    /// Returns the value that the library's decoder decodes, after comparing it with that of `JSONDecoder`; nil if
    /// the library leaves it to `JSONDecoder`.
    @discardableResult
    private func compare<T: Codable>(
        _ type: T.Type, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> T? {
        guard let own = PlainJSONDecoder.decodeAlways(type, from: Array(text.utf8)) else { return nil }
        do {
            let theirs = try JSONDecoder().decode(type, from: Data(text.utf8))
            let (one, other) = (dumped(own), dumped(theirs))
            expect(one, other, "\(text)", sourceLocation: sourceLocation)
        } catch {
            Issue.record("\(text): only the library's decoder takes it", sourceLocation: sourceLocation)
        }
        return own
    }

    /// The contents of a value, bit for bit.
    private func dumped<T: Codable>(_ value: T) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }

    /// The number of random values that the library's decoder decodes; it also compares damaged strings of these
    /// values.
    private func fuzz<T: JSONTwin>(_ type: T.Type, _ seed: UInt64) throws -> (taken: Int, tried: Int) {
        var random = SeededNumbers(generator: SeededGenerator(seed: seed))
        var taken = 0
        let tried = 100
        for _ in 0..<tried {
            let encoder = JSONEncoder()
            encoder.outputFormatting = random.below(4) == 0 ? [.sortedKeys, .prettyPrinted] : .sortedKeys
            let bytes = Array(try encoder.encode(T.random(&random)))
            if compare(type, String(decoding: bytes, as: UTF8.self)) != nil { taken += 1 }
            for _ in 0..<5 { compareBytes(type, damaged(bytes, &random)) }
        }
        return (taken, tried)
    }

    private func compareBytes<T: Codable>(_ type: T.Type, _ bytes: [UInt8]) {
        guard let own = PlainJSONDecoder.decodeAlways(type, from: bytes) else { return }
        let theirs = try? JSONDecoder().decode(type, from: Data(bytes))
        expect(dumped(own), theirs.map { dumped($0) }, "\(String(decoding: bytes, as: UTF8.self))")
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
        var bytes = bytes
        let pieces = [
            "", "0", "-", "1e9", "1e-400", "1e400", "-0", "00", "1.0", ".5", "null", "true", "\"", "\\u00e9", "\\/",
            ",", "{}",
            "[]", " ", "\u{feff}", "é", "\"a\":1,", "18446744073709551615", "123456789012345678901", "2.5e-324",
            "\u{0}",
        ]
        for _ in 0...random.below(2) where !bytes.isEmpty {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[place] = UInt8(truncatingIfNeeded: random.generator.next())
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: pieces[random.below(pieces.count)].utf8, at: place)
            default:
                // Replaces an integer or a part of one.
                let end = bytes[place...].firstIndex { !(48...57).contains($0) } ?? bytes.count
                bytes.replaceSubrange(place..<max(end, place), with: Array(pieces[random.below(pieces.count)].utf8))
            }
        }
        return bytes
    }

    @Test(arguments: SeededGenerator.seeds(40))
    func `random values and damaged strings are decoded as by JSONDecoder, or declined`(_ seed: UInt64) throws {
        // Some numbers are always declined, so it is possible that all values of a seed are.
        _ = try fuzz(JSONTwins.Wide.self, seed)
        try expect(fuzz(JSONTwins.Special.self, seed).taken, 0)
        _ = try fuzz(JSONTwins.Lenient.self, seed)
        _ = try fuzz(JSONTwins.Single.self, seed)
    }

    @Test func `the decoder decodes some of the random values`() throws {
        #expect(try (0..<10).reduce(0) { $0 + (try fuzz(JSONTwins.Wide.self, UInt64($1)).taken) } > 0)
        #expect(try (0..<10).reduce(0) { $0 + (try fuzz(JSONTwins.Single.self, UInt64($1)).taken) } > 0)
    }

    struct Address: Codable, Equatable {
        var street = "A \"quoted\" / street, Ünder 😀"
        var number = 7
        var place: JSONTwins.Place?
        var tree = JSONTwins.Tree.pair(left: .leaf, right: .text("t"), 5)
        static func == (a: Address, b: Address) -> Bool { a.street == b.street && a.number == b.number }
    }

    @Test func `the decoder decodes structures and enumerations that the library wrote`() throws {
        for address in [Address(), Address(street: "", number: .min, place: .init(x: -0.5, y: 1e300))] {
            let text = String(decoding: try CanonicalJSON.encode(address), as: UTF8.self)
            // `Int.min` has 19 digits.
            expect(compare(Address.self, text) != nil, address.number != .min, "\(text)")
        }
    }

    @Test(arguments: [
        "0", "-0", "-0.0", "0.0", "1", "-1", "1.0", "1e2", "1E+2", "1e-2", "0.1", "123456789012345678", "1e308",
        "1e309",
        "1e-308", "1e-320", "1e-400", "9007199254740993", "01", "+1", "1.", ".1", "1e", "-", "", "nan", "0x1", "1_0",
        "१",
        "3.141592653589793238462643383279502884197", "2.2250738585072011e-308", "4.35", "0.000001", "5e-324",
    ])
    func `the decoder decodes numbers as JSONDecoder does, or declines them`(_ text: String) {
        compare([Double].self, "[\(text)]")
        compare([Int].self, "[\(text)]")
        compare([Int8].self, "[\(text)]")
        compare([UInt64].self, "[\(text)]")
        compare([Date].self, "[\(text)]")
        compare([Float].self, "[\(text)]")
        compare([Decimal].self, "[\(text)]")
        compare([Double?].self, " [ \(text) , null ] ")
    }

    @Test(arguments: [
        #"{"x":1,"x":2}"#, #"{"x":1,"a":2}"#, #"{"x":1}"#, #"{"x":null}"#, #"{"y":1}"#, #"{"x":1,"y":"2"}"#,
        #"{"x":true}"#,
        #"{"é":1,"x":1}"#, #"{"\u0078":1}"#, #"{"x":1,}"#, #"{"x" 1}"#, #"{x:1}"#, #"{"x":1}x"#,
        #" {"x":1 , "z":[{"x":[]}]}"#,
        #"{"name":"\ud83d\ude00","x":1}"#, #"{"name":"\ud83d","x":1}"#, #"{"name":"\x","x":1}"#, "[]", "null", "\"x\"",
        "",
        "{\"name\":\"\n\",\"x\":1}", "\u{feff}{\"x\":1}", #"{"name":null,"x":1,"y":null}"#, #"{"x":1}{"x":1}"#,
        #"{"z":tru,"x":1}"#, #"{"x":1,"z":1e999}"#, #"{"x":1,"z":"\/\b\f\n\r\t\"\\"}"#, "// no\n{\"x\":1}", "{'x':1}",
    ])
    func `the decoder decodes objects as JSONDecoder does, or declines them`(_ text: String) {
        compare(JSONTwins.Place.self, text)
        compare(JSONTwins.Lenient.self, text)
        compare([String: Double].self, text)
        compare(JSONTwins.Place?.self, text)
    }

    @Test func `the decoder declines strings that are not valid UTF-8`() {
        for bytes: [UInt8] in [
            [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0xaf, 0x22],
        ] {
            #expect(PlainJSONDecoder.decodeAlways(String.self, from: bytes) == nil)
        }
    }

    @Test func `the decoder decodes sets`() {
        expect(PlainJSONDecoder.decodeAlways(Set<String>.self, from: Array(#"["b","a","b"]"#.utf8)), ["a", "b"])
        expect(PlainJSONDecoder.decodeAlways(Set<[Int]>.self, from: Array("[[1,2],[]]".utf8)), [[1, 2], []])
    }

    @Test func `the decoder decodes nested arrays up to a depth limit and declines deeper arrays`() throws {
        for depth in [1, 60, 70, 500, 600] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            compare(JSONTwins.Single.self, text)
            expect(PlainJSON(Array(text.utf8)) != nil, depth < 65)
        }
    }

    /// A value that stores its decoder for later use.
    struct Keeper: Decodable {
        let decoder: any Decoder
        init(from decoder: any Decoder) { self.decoder = decoder }
    }

    struct Path: Decodable, Equatable {
        var path: [String]
        init(from decoder: any Decoder) { path = decoder.codingPath.map(\.stringValue) }
    }

    class Parent: Codable { var a = 1 }
    final class Child: Parent {
        var b = 2
        enum CodingKeys: CodingKey { case b }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            b = try container.decode(Int.self, forKey: .b)
            try super.init(from: container.superDecoder())
        }
    }

    @Test func `the decoder declines a type that uses the decoder for more than values`() {
        #expect(PlainJSONDecoder.decodeAlways(Keeper.self, from: Array("{}".utf8)) == nil)
        #expect(PlainJSONDecoder.decodeAlways(Path.self, from: Array("{}".utf8)) == nil)
        #expect(PlainJSONDecoder.decodeAlways([Path].self, from: Array("[1]".utf8)) == nil)
        #expect(PlainJSONDecoder.decodeAlways(Child.self, from: Array(#"{"b":3,"super":{"a":4}}"#.utf8)) == nil)
    }

    struct Refused: Codable { var data = Data() }

    @Test func `the decoder gives up on a type that it always declines`() {
        let bytes = Array(#"{"data":"YQ=="}"#.utf8)
        for _ in 0..<100 { #expect(PlainJSONDecoder.decode(Refused.self, from: bytes) == nil) }
        #expect(PlainJSONDecoder.isUnsupported(Refused.self) && !PlainJSONDecoder.isUnsupported(Address.self))
    }

    final class House: PersistentObject {
        override class var tableName: String { "house" }
        var address = Address()
        var special = JSONTwins.Special()
        var path: [JSONTwins.Place] = [.init(x: 1, y: nil, name: "é")]
    }

    @Test func `objects read the values that were saved, of types that the decoder decodes or declines`() throws {
        try withTemporarySession { session, file in
            let house = House()
            house.address.street = "New \u{1} \"street\""
            house.special.data = Data([1, 2])
            try session.save(house)
            try session.reset()
            let found = try #require(try House.find(1))
            #expect(found.address == house.address && found.special.data == Data([1, 2]))
            #expect(found.path.map(\.name) == ["é"] && !found.hasChanges)
        }
    }
}
