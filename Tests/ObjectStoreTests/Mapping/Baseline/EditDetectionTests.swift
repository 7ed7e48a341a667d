import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Each edit of a value is detected, in place or not, and nothing else is.
struct EditDetectionTests {
    enum Status: String, Codable { case active, retired }

    struct Point: Codable, Equatable {
        var x = 1
        var y = 2.5
        var labels = ["a"]
    }

    /// Neither its `==` nor its bits reveal a change of its contents.
    final class Counter: Codable, Equatable {
        var count = 0
        static func == (a: Counter, b: Counter) -> Bool { true }
    }

    struct Holder: Codable {
        var counter = Counter()
    }

    /// Its `==` states that all values are equal.
    struct Liar: Codable, Equatable {
        var truth = 1
        static func == (a: Liar, b: Liar) -> Bool { true }
    }

    final class All: PersistentObject {
        override class var tableName: String { "all" }
        var int = 1
        var small: Int8 = 1
        var maybeInt: Int? = nil
        var flag = false
        var maybeFlag: Bool? = nil
        var double = 1.5
        var maybeDouble: Double? = 2
        var text = "text"
        var maybeText: String? = nil
        var part = Substring("part")
        var letter: Character = "x"
        var date = Date(timeIntervalSinceReferenceDate: 5)
        var maybeDate: Date? = nil
        var uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        var data = Data([1, 2, 3])
        var bytes: [UInt8] = [1]
        var url = URL(filePath: "/tmp")
        var decimal = Decimal(15) / 10
        var status = Status.active
        var maybeStatus: Status? = nil
        var point = Point()
        var maybePoint: Point? = Point()
        var list = ["a", "b"]
        var nested = [[1], [2, 3]]
        var set: Set<Int> = [1, 2, 3]
        var table = ["a": 1]
        var holder = Holder()
        var counter = Counter()
        var maybeCounter: Counter? = Counter()
        var liar = Liar()
        @Indexed var wrapped = 3
    }

    private static let edits: [(String, @Sendable (All) -> Void)] = [
        ("int", { $0.int += 1 }), ("small", { $0.small = .min }), ("maybeInt", { $0.maybeInt = 0 }),
        ("flag", { $0.flag.toggle() }), ("maybeFlag", { $0.maybeFlag = false }), ("double", { $0.double *= 2 }),
        ("double", { $0.double = -.infinity }), ("maybeDouble", { $0.maybeDouble = nil }),
        ("maybeDouble", { $0.maybeDouble? += 1 }), ("text", { $0.text.append("!") }),
        ("text", { $0.text += String(repeating: "long", count: 500) }), ("text", { $0.text = "" }),
        ("text", { $0.text.insert("\0", at: $0.text.startIndex) }), ("maybeText", { $0.maybeText = "" }),
        ("part", { $0.part.removeFirst() }), ("letter", { $0.letter = "é" }),
        ("date", { $0.date.addTimeInterval(0.000_001) }), ("maybeDate", { $0.maybeDate = .distantFuture }),
        ("uuid", { $0.uuid = UUID() }), ("data", { $0.data.append(4) }), ("data", { $0.data[1] = 7 }),
        ("bytes", { $0.bytes[0] = 2 }), ("bytes", { $0.bytes.removeAll() }),
        ("url", { $0.url = $0.url.appending(path: "x") }), ("decimal", { $0.decimal += 1 }),
        ("status", { $0.status = .retired }), ("maybeStatus", { $0.maybeStatus = .active }),
        ("point", { $0.point.x += 1 }), ("point", { $0.point.labels[0] = "b" }),
        ("maybePoint", { $0.maybePoint = nil }),
        ("maybePoint", { $0.maybePoint?.labels.append("c") }), ("list", { $0.list.append("c") }),
        ("list", { $0.list.sort(by: >) }), ("nested", { $0.nested[1][1] = 9 }), ("set", { $0.set.remove(2) }),
        ("table", { $0.table["b"] = 2 }), ("table", { $0.table["a"]? += 1 }),
        ("holder", { $0.holder.counter.count += 1 }), ("counter", { $0.counter.count += 1 }),
        ("maybeCounter", { $0.maybeCounter?.count += 1 }), ("maybeCounter", { $0.maybeCounter = nil }),
        ("liar", { $0.liar.truth = 2 }), ("wrapped", { $0.wrapped += 1 }),
    ]

    /// Describes the contents of the object, including referenced values.
    private static func text(of object: All) -> String {
        let counts = [object.holder.counter.count, object.counter.count, object.maybeCounter?.count]
        let values = object.dictionary.filter { !["set", "table"].contains($0.key) }.sorted { $0.key < $1.key }
        return "\(values) \(object.set.sorted()) \(object.table.sorted { $0.key < $1.key }) \(counts)"
    }

    @Test(arguments: edits.indices)
    func `an edit is detected, saved alone, and read back`(index: Int) throws {
        let (property, edit) = Self.edits[index]
        try withTemporarySession { session, _ in
            let object = All()
            try object.save()
            #expect(!object.hasChanges)
            edit(object)
            #expect(object.hasChanges && object.changes.map(\.name) == [property])
            let log = try statements(of: session) { try object.save() }
            let column = Naming.snakeCase(property)
            if ["list", "nested", "set", "table"].contains(property) {
                #expect(
                    log.dropFirst().dropLast().allSatisfy {
                        $0.contains("\"all_\(column)\"") || $0.hasPrefix("SELECT")
                    }, "\(log)")
            } else {
                #expect(log.count == 3 && log[1].hasPrefix("UPDATE \"all\" SET \"\(column)\" = ? WHERE"))
            }
            #expect(!object.hasChanges)
            let read = try session.store.withSession { _ in Self.text(of: try #require(try All.find(1))) }
            #expect(read == Self.text(of: object))
        }
    }

    @Test(arguments: edits.indices)
    func `revert undoes an edit`(index: Int) throws {
        let (property, edit) = Self.edits[index]
        try withTemporarySession { session, _ in
            let object = All()
            try object.save()
            let before = Self.text(of: object)
            edit(object)
            let log = statements(of: session) { object.revert() }
            #expect(log.isEmpty && !object.hasChanges, "\(property)")
            expect(Self.text(of: object), before)
        }
    }

    @Test(arguments: edits.indices)
    func `an edit of a fetched object is detected`(index: Int) throws {
        let (property, edit) = Self.edits[index]
        try withTemporarySession { session, _ in
            try All().save()
            try session.store.withSession { _ in
                let object = try #require(try All.find(1))
                #expect(!object.hasChanges)
                edit(object)
                expect(object.changes.map(\.name), [property])
                try object.save()
                #expect(!object.hasChanges)
            }
        }
    }

    @Test func `assigning an equal value is not a change`() throws {
        try withTemporarySession { session, _ in
            let object = All()
            object.text = String(repeating: "a long text ", count: 20)
            object.table = Dictionary(uniqueKeysWithValues: (1...100).map { ("key \($0)", $0) })
            try object.save()
            object.text = (0..<20).map { _ in "a long text " }.joined()
            object.table = Dictionary(uniqueKeysWithValues: (1...100).reversed().map { ("key \($0)", $0) })
            object.list = ["a"]
            object.list.append("b")
            object.data = Data([0, 1, 2, 3])[1...]
            object.maybeDouble = 1 + 1
            object.point = Point()
            object.decimal = Decimal(string: "1.50") ?? 0
            object.counter = Counter()
            object.status = Status(rawValue: "active") ?? .retired
            object.url = URL(string: object.url.absoluteString) ?? object.url
            #expect(object.changes.isEmpty)
            let log = try statements(of: session) { try object.save() }
            #expect(log.isEmpty)
        }
    }

    @Test func `values that are equal in Swift but stored differently are changes`() throws {
        try withTemporarySession { session, file in
            let object = All()
            object.text = "é"
            object.letter = "é"
            object.list = ["é"]
            object.double = 0.0
            try object.save()
            object.text = "e\u{301}"
            object.letter = "e\u{301}"
            object.list = ["e\u{301}"]
            object.double = -0.0
            expect(object.changes.map(\.name), ["double", "text", "letter", "list"])
            try object.save()
            try expect(
                file.sqlite("SELECT length(text), length(letter), hex(value) FROM \"all\", all_list"), "2|2|65CC81")
            try expect(session.store.withSession { _ in try All.find(1)?.text.unicodeScalars.count }, 2)
        }
    }

    @Test func `changes have old and new values`() throws {
        try withTemporarySession { _, _ in
            let object = All()
            try object.save()
            object.int = 5
            object.maybeText = "now"
            object.maybeDouble = nil
            let changes = object.changes
            expect(changes.map(\.name), ["int", "maybeDouble", "maybeText"])
            #expect(
                changes.map { $0.old as? Int } == [1, nil, nil] && changes.map { $0.new as? Int } == [5, nil, nil])
            expect(changes.map(\.description), ["int: 1 -> 5", "maybeDouble: 2.0 -> nil", "maybeText: nil -> \"now\""])
        }
    }
}
