import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Codable values stored as JSON blobs: equal values have equal blobs, and damaged blobs are errors.
@Suite struct BlobTests {
    struct Address: Codable, Equatable {
        var zip: Int? = 12345
        var street = "A \"quoted\" street\u{0}"
        var lines = ["b", "a"]
        var place: Place? = Place()
        struct Place: Codable, Equatable {
            var y = -0.5
            var x = 1e300
        }
    }
    enum Shape: Codable, Equatable {
        case none
        case circle(radius: Double)
        case polygon([Int])
    }
    enum Mood: String, Codable, CodingKeyRepresentable { case good, bad }

    /// Collections inside collections are stored as blobs.
    final class Blobs: PersistentObject {
        var address = Address()
        var shape = Shape.circle(radius: 2)
        var words = [["one", "two"]]
        var scores = [["b": 2, "a": 1]]
        var byNumber = [[2: "b", 10: "c"]]
        var byMood: [[Mood: [Int]]] = [[.bad: [1], .good: []]]
        var byUUID: [[UUID: String]] = []
        var tags: [Set<String>] = [["x", "y", "z"]]
        var sets: [[Set<Int>]] = [[[3, 1, 2], []]]
        var named: [[String: Set<Int>]] = [["k": [2, 1]]]
        var maybe: Address?
        var prices: [[Decimal]] = [[1]]
    }

    @Test func `keys are sorted, and elements of sets and dictionaries are sorted by their bytes`() throws {
        try withTemporarySession { session, file in
            let blobs = Blobs()
            blobs.byUUID = [[UUID(uuid: (9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)): "n", UUID(): "r"]]
            blobs.prices = [
                [Decimal(string: "12345678901234567890123456789012345678") ?? 0, Decimal(string: "0.1") ?? 0]
            ]
            try blobs.save()
            let text = try file.sqlite(
                """
                SELECT CAST(address AS TEXT), CAST(shape AS TEXT), CAST(w.value AS TEXT), CAST(c.value AS TEXT),
                CAST(n.value AS TEXT), CAST(m.value AS TEXT), CAST(t.value AS TEXT), CAST(s.value AS TEXT),
                CAST(d.value AS TEXT), maybe IS NULL
                FROM blobs, blobs_words w, blobs_scores c, blobs_by_number n, blobs_by_mood m, blobs_tags t,
                blobs_sets s, blobs_named d
                """)
            let address =
                #"{"lines":["b","a"],"place":{"x":1e+300,"y":-0.5},"street":"A \"quoted\" street\u0000","zip":12345}"#
            expect(
                text.split(separator: "|"),
                [
                    Substring(address), #"{"circle":{"radius":2}}"#, #"["one","two"]"#, #"{"a":1,"b":2}"#,
                    #"{"10":"c","2":"b"}"#, #"{"bad":[1],"good":[]}"#, #"["x","y","z"]"#, "[[1,2,3],[]]",
                    #"{"k":[1,2]}"#, "1",
                ])
            try session.store.withSession { _ in
                let found = try #require(try Blobs.find(1))
                #expect(found.address == blobs.address && found.shape == blobs.shape && found.words == blobs.words)
                #expect(
                    found.scores == blobs.scores && found.byNumber == blobs.byNumber && found.byMood == blobs.byMood)
                #expect(found.byUUID == blobs.byUUID && found.tags == blobs.tags && found.sets == blobs.sets)
                #expect(found.named == blobs.named && found.maybe == nil && found.prices == blobs.prices)
                #expect(!found.hasChanges)
                try expect(Blobs.findBy.tags(containing: ["z", "y", "x"]).count, 1)
            }
        }
    }

    /// Values of which no truncation is valid JSON.
    private static let truncatable: [(String, @Sendable (Blobs) -> Void)] = [
        ("address", { $0.address.lines = ["é", "🎉"] }), ("shape", { $0.shape = .polygon([1, 2]) }),
        ("maybe", { $0.maybe = Address() }),
    ]

    @Test
    func `each truncation of a blob is an error with class, property and row, and a complete blob is read`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        var wanted: [(id: Int64, property: String)] = []
        try store.withSession { _ in
            let blobs = Blobs()
            for (_, change) in BlobTests.truncatable { change(blobs) }
            try blobs.save()
        }
        let map = try ClassMap.map(of: Blobs.self)
        let columns = map.properties.filter(\.hasColumn).map(\.column).joined(separator: ", ")
        var script = "BEGIN;"
        for (column, _) in BlobTests.truncatable {
            let property = try #require(map.properties.first { $0.column == column }?.name)
            let length = try #require(Int(try file.sqlite("SELECT length(\(column)) FROM blobs WHERE id = 1")))
            for count in 0..<length {
                let id = Int64(wanted.count) + 2
                script += "INSERT INTO blobs (\(columns)) SELECT \(columns) FROM blobs WHERE id = 1;"
                script += "UPDATE blobs SET \(column) = substr(\(column), 1, \(count)) WHERE id = \(id);"
                wanted.append((id, property))
            }
        }
        _ = try file.sqlite(script + "COMMIT")
        try store.withSession { _ in
            for (id, property) in wanted {
                let error = #expect(throws: StoreError.self) { try Blobs.find(id) }
                #expect(error?.code == .typeMismatch && error?.rowID == id && error?.property == property)
                #expect(error?.className == "Blobs" && error?.message.contains("not a valid") == true)
            }
            let whole = try Blobs.find(1)
            #expect(whole != nil && wanted.count > 150)
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `random bytes either decode to a value that can be encoded, or are refused`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "\"a\"", "\"street\"", "1", "-", "null", "true", "\\u12", "1e999", "\u{ff}",
        ]
        let columns = try ClassMap.map(of: Blobs.self).properties.filter(\.hasColumn)
        for _ in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0..<8, using: &random) {
                if Bool.random(using: &random) {
                    bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8)
                } else {
                    bytes.append(UInt8.random(in: 0...255, using: &random))
                }
            }
            for property in columns {
                let memory = PersistentObjects.Address.allocate(byteCount: property.codec.facts.size, alignment: 16)
                defer { memory.deallocate() }
                guard property.codec.decode(.blob(bytes), at: memory) else { continue }
                let again = try? property.codec.encode(memory)
                #expect(again != nil, "seed \(seed): \(bytes)")
                property.codec.destroy(memory)
            }
        }
    }

    @Test func `the error for a blob of another shape names the coding path and not the value`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ in try Blobs().save() }
        _ = try file.sqlite("UPDATE blobs SET address = CAST('{\"street\":\"secret\",\"lines\":[1]}' AS BLOB)")
        try store.withSession { _ in
            let error = #expect(throws: StoreError.self) { try Blobs.find(1) }
            #expect(error?.message.contains("not a String at lines") == true, "\(error?.message ?? "")")
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test func `a value that JSON cannot represent is refused by save with its property`() throws {
        final class Odd: PersistentObject {
            override class var tableName: String { "odd" }
            var numbers = Numbers()
            struct Numbers: Codable { var all = [1.0] }
        }
        try Store.inMemory().withSession { _ in
            let odd = Odd()
            odd.numbers.all = [.infinity]
            let error = #expect(throws: StoreError.self) { try odd.save() }
            #expect(error?.code == .notRepresentable && error?.property == "numbers")
            odd.numbers.all = [.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1]
            try odd.save()
            try odd.reload()
            #expect(odd.numbers.all == [.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1])
        }
    }
}
