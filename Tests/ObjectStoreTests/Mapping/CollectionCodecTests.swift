import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Codecs of arrays, sets and dictionaries: the supported types, and the operations in memory.
@Suite struct CollectionCodecTests {
    enum Colour: String, Codable { case red, green, blue }

    struct Point: Codable, Hashable {
        var x = 0.0
        var y = 0.0
    }

    final class Note: Codable {
        var text: String
        init(_ text: String) { self.text = text }
    }

    struct Money: PersistentValue, Hashable {
        var cents: Int64
        static var columnType: ColumnType { .integer }
        init(_ cents: Int64) { self.cents = cents }
        init(databaseValue: DatabaseValue) throws {
            guard case .integer(let cents) = databaseValue else { throw Wrong() }
            self.cents = cents
        }
        var databaseValue: DatabaseValue { .integer(cents) }
        struct Wrong: Error {}
    }

    final class Pet: PersistentObject { var name = "" }

    struct NotCodable: Hashable {}

    private static func codec(_ type: Any.Type) throws -> CollectionCodec {
        try #require(try CollectionCodec.codec(for: type)?.get() as? CollectionCodec)
    }

    private static func refusal(_ type: Any.Type) -> String? {
        guard case .failure(let refused) = CollectionCodec.codec(for: type) else { return nil }
        return refused.reason
    }

    /// Calls `body` with the codec and the addresses of two values.
    private static func with<T>(
        _ a: T, _ b: T, _ body: (CollectionCodec, Address, Address) throws -> Void
    ) throws {
        var (a, b) = (a, b)
        let codec = try codec(T.self)
        expect(ObjectIdentifier(codec.valueType), ObjectIdentifier(T.self))
        try Address.with(&a) { a in try Address.with(&b) { try body(codec, a, $0) } }
    }

    // MARK: Types

    @Test func `collections have collection codecs, and scalars do not`() throws {
        for type in [Int.self, String.self, [UInt8].self, [UInt8]?.self, Data.self, Point.self, Int?.self] as [Any.Type]
        {
            #expect(CollectionCodec.codec(for: type) == nil, "\(type)")
        }
        #expect(CollectionCodec.codec(for: ContiguousArray<Int>.self) == nil)
        let styles: [(Any.Type, CollectionCodec.Style, Bool)] = [
            ([Int].self, .array, false), ([Int?].self, .array, false), ([String]?.self, .array, true),
            ([[UInt8]].self, .array, false), (Set<Colour>.self, .set, false), (Set<Point>?.self, .set, true),
            ([Colour: Int?].self, .dictionary, false), ([Date: [Int]]?.self, .dictionary, true),
            ([[String: [Int]]].self, .array, false), ([Pet].self, .array, false), (Set<Pet>?.self, .set, true),
            ([UUID: Pet].self, .dictionary, false),
        ]
        for (type, style, isOptional) in styles {
            let codec = try Self.codec(type)
            #expect(
                codec.style == style && codec.acceptsNull == isOptional
                    && ObjectIdentifier(codec.valueType) == ObjectIdentifier(type))
        }
        try expect(Self.codec([[Int]].self).element.columnType, .blob)
        #expect(try Self.codec([Int?].self).element.acceptsNull)
        try expect(Self.codec([Date: Colour].self).key?.columnType, .real)
        #expect(try Self.codec([Pet].self) is any LinkCodec)
        #expect(try (Self.codec([Int: Pet]?.self) as? any LinkCodec)?.target == Pet.self)
    }

    @Test func `a collection type that cannot be stored is refused with a reason`() {
        expect(Self.refusal([Int]??.self)?.contains("both kinds of nil"), true)
        expect(Self.refusal(Set<Int?>.self)?.contains("set of optionals"), true)
        expect(Self.refusal([Int?: Int].self)?.contains("its keys are optionals"), true)
        expect(Self.refusal([Pet?].self)?.contains("optional references"), true)
        expect(Self.refusal([Int: Pet?].self)?.contains("optional references"), true)
        expect(Self.refusal([[Pet]].self)?.contains("collections of objects"), true)
        expect(Self.refusal([Pet: Int].self)?.contains("its keys are objects"), true)
        expect(Self.refusal([NotCodable].self)?.contains("Codable"), true)
        expect(Self.refusal(Set<NotCodable>.self)?.contains("NotCodable"), true)
        expect(Self.refusal([NotCodable: Int].self)?.contains("its keys"), true)
        expect(Self.refusal([() -> Void].self)?.contains("closure"), true)
        expect(Self.refusal([Int??].self)?.contains("nested optional"), true)
    }

    // MARK: Equality

    @Test func `values are equal if their columns are, regardless of ==`() throws {
        func isSame<T>(_ a: T, _ b: T) throws -> Bool {
            var answer = false
            try Self.with(a, b) { answer = $0.isSame($1, $2) }
            return answer
        }
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(try isSame([1, 2, 2], [1, 2, 2]) && !isSame([1, 2], [2, 1]) && !isSame([1], [1, 1]))
        #expect(try !isSame([composed], [decomposed]) && !isSame(Set([composed]), Set([decomposed])))
        #expect(try !isSame([composed: 1], [decomposed: 1]) && isSame([composed: 1], [composed: 1]))
        #expect(try !isSame([0.0], [-0.0]) && !isSame(Set([0.0]), Set([-0.0])) && isSame([-0.0], [-0.0]))
        #expect(try isSame(Set(0..<100), Set((0..<100).reversed())) && !isSame(Set([1, 2]), Set([1, 3])))
        #expect(try isSame([1: "a", 2: "b"], [2: "b", 1: "a"]) && !isSame([1: "a"], [1: "b"]))
        #expect(try !isSame(["a": Int?.none], [:]) && isSame(["a": Int?.none], ["a": nil]))
        #expect(try !isSame([Int]?.none, []) && isSame([Int]?.none, nil) && isSame([Int]?.some([]), []))
        #expect(try !isSame([Date(timeIntervalSince1970: 1)], [Date(timeIntervalSince1970: 2)]))
        #expect(try isSame([String(repeating: "long ", count: 9)], [String(repeating: "long ", count: 9)]))
        #expect(try isSame([Point(x: 1)], [Point(x: 1)]) && !isSame([Point(x: 1)], [Point(y: 1)]))
        #expect(try isSame([Colour.red], [Colour.red]) && !isSame([true, false], [false, true]))
        #expect(try isSame([Int?.some(3), nil], [3, nil]) && !isSame([Int?.some(3), nil], [nil, 3]))
    }

    // MARK: Memory

    @Test func `a value can be copied, assigned, encoded and decoded`() throws {
        func check<T: Equatable>(_ value: T, _ other: T) throws {
            try Self.with(value, other) { codec, a, b in
                let memory = ElementMemory(codec)
                let encoded = try codec.encode(a)
                #expect(codec.decode(encoded, at: memory.address))
                expect(memory.address[as: T.self], value)
                #expect(codec.isSame(memory.address, a) && !codec.isSame(memory.address, b))
                codec.assign(b, to: memory.address)
                expect(memory.address[as: T.self], other)
                codec.destroy(memory.address)
                codec.copy(a, to: memory.address)
                expect(memory.address[as: T.self], value)
                codec.setEmpty(at: memory.address)
                #expect(codec.count(memory.address) == 0 && !codec.isNil(memory.address))
                codec.setNil(at: memory.address)
                expect(codec.isNil(memory.address), codec.acceptsNull)
                codec.destroy(memory.address)
                #expect(codec.store(codec.value(a), into: b))
                expect(b[as: T.self], value)
                let (first, second) = (try codec.encode(a), try codec.encode(b))
                expect(first, second)
                expect((codec.sendableValue(a) as? T).map { $0 == value }, true)
                #expect(codec.storeExactly(other, into: a) && a[as: T.self] == other)
                #expect(!codec.storeExactly(7, into: a) && !codec.store("no", into: a))
                let argument = try codec.encodeArgument(value)
                #expect(argument == nil)
                var rows = 0
                codec.forEachRow(b) { key, _ in
                    expect(key != nil, codec.style == .dictionary)
                    rows += 1
                }
                expect(rows, codec.count(b))
            }
        }
        try check(["a", "", "\0x"], ["b"])
        try check([Int8.min, 7], [])
        try check([Data([1]), Data()], [Data([2])])
        try check([Int?.some(1), nil], [nil])
        try check(Set(["a", "b"]), ["c"])
        try check(["k": 1.5, "": -0.5], ["k": 1.5])
        try check([Colour.red: [1, 2]], [:])
        try check([[1], [], [2]], [[]])
        try check([Point(x: 1)], [Point(x: 2)])
        try check([Money(5)], [Money(6)])
        try check([URL(string: "a:b")], [nil])
        try check(Set([UUID()]), Set([UUID()]))
        try check([Int]?.some([]), [1])
        try check([Decimal: String]?.some([7: "y", Decimal(1.25): "x"]), nil)
    }

    @Test func `equal sets and dictionaries have equal encodings`() throws {
        let forward = Dictionary(uniqueKeysWithValues: (0..<50).map { ("\($0)", [$0]) })
        let backward = Dictionary(uniqueKeysWithValues: (0..<50).reversed().map { ("\($0)", [$0]) })
        try Self.with(forward, backward) { codec, a, b in
            let (first, second) = (try codec.encode(a), try codec.encode(b))
            expect(first, second)
        }
    }

    @Test func `invalid bytes are not decoded`() throws {
        let codec = try Self.codec([String: Int].self)
        let memory = ElementMemory(codec)
        let texts: [[UInt8]] = [
            [], [0], [2], [1, 9], [1, 3], [1, 3, 255, 255, 255, 255, 255, 255, 255, 255],
            [1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 255], [1, 3, 1, 0, 0, 0, 0, 0, 0, 0, 65],
        ]
        for bytes in texts { #expect(!codec.decode(.blob(bytes), at: memory.address), "\(bytes)") }
        #expect(!codec.decode(.null, at: memory.address))
    }

    @Test func `NaN is refused`() throws {
        try Self.with([1.0, .nan], []) { codec, a, _ in
            #expect(throws: ValueFault.self) { try codec.encode(a) }
        }
    }

    @Test func `a sendable value shares no class instances with the original`() throws {
        let note = Note("a")
        try Self.with([note], []) { codec, a, _ in
            #expect(!codec.facts.isPlainValue)
            let sent = try #require(codec.sendableValue(a) as? [Note])
            note.text = "changed"
            expect(sent[0].text, "a")
        }
    }

    @Test func `elements of other types are converted if the conversion is exact`() throws {
        try Self.with([Int8](), []) { codec, a, _ in
            #expect(codec.store([1, 2], into: a) && a[as: [Int8].self] == [1, 2])
            #expect(!codec.store([1, 300], into: a) && !codec.store(nil, into: a))
            expect(a[as: [Int8].self], [1, 2])
        }
        try Self.with([Colour: Double]?.none, nil) { codec, a, _ in
            #expect(codec.store(["red": 1], into: a))
            expect(a[as: [Colour: Double]?.self], [.red: 1])
            #expect(codec.store(nil, into: a) && codec.isNil(a) && codec.value(a) == nil)
        }
    }

    @Test func `sample values differ`() throws {
        let types: [Any.Type] = [
            [Int].self, [String]?.self, Set<Colour>.self, [String: Bool].self, [Pet].self, Set<Pet>.self,
            [Int: Pet]?.self, [[Int]].self, [Note]?.self,
        ]
        for type in types {
            let codec = try Self.codec(type)
            var counts: [String] = []
            codec.withSamples { counts.append("\(codec.isNil($0)) \(codec.count($0))") }
            #expect(Set(counts).count >= 2, "\(type)")
        }
    }
}
