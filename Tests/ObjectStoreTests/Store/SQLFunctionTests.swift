import Foundation
@_spi(Locks) import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Declared and built-in functions and collations in SQL criteria.
struct SQLFunctionTests {
    final class Place: PersistentObject {
        override class var tableName: String { "place" }
        var name = ""
        var latitude = 0.0
        var longitude = 0.0
        var visitors: Int?
    }

    private static let double = SQLFunction("double", argumentCount: 1, isDeterministic: true) { arguments in
        guard let number: Double = try arguments.value(0) else { return .null }
        return .real(number * 2)
    }

    private static let backwards = SQLCollation("backwards") { a, b in
        a == b ? .orderedSame : a < b ? .orderedDescending : .orderedAscending
    }

    private static let configuration = Store.Configuration(functions: [double], collations: [backwards])

    private func savePlaces() throws {
        for (name, latitude, longitude) in [("Berlin", 52.52, 13.405), ("Paris", 48.8566, 2.3522), ("Ürzig", 50, 7)] {
            let place = Place()
            (place.name, place.latitude, place.longitude) = (name, latitude, longitude)
            try place.save()
        }
    }

    @Test func `declared functions and collations can be used in criteria`() throws {
        try withTemporarySession(Self.configuration) { _, _ throws in
            try savePlaces()
            try expect(Place.findByCriteria("WHERE double(latitude) = ?", 100).map(\.name), ["Ürzig"])
            try expect(Place.findByCriteria("WHERE double(visitors) IS NULL").count, 3)
            try expect(Place.countByCriteria("WHERE double(?) = 4.0", 2), 3)
            let ordered = try Place.findByCriteria("ORDER BY name COLLATE backwards").map(\.name)
            expect(ordered, ["Ürzig", "Paris", "Berlin"])
        }
    }

    @Test func `built-in functions and collations are always available`() throws {
        try withTemporarySession { _, _ throws in
            try savePlaces()
            func names(_ criteria: String, _ argument: String) throws -> [String] {
                try Place.findByCriteria(criteria, argument).map(\.name)
            }
            try expect(names("WHERE name REGEXP ?", "^.er"), ["Berlin"])
            try expect(names("WHERE po_fold(name) = po_fold(?)", "ÜRZIG"), ["Ürzig"])
            try expect(names("WHERE name = ? COLLATE po_nocase", "ürzig"), ["Ürzig"])
            try expect(names("WHERE po_count(name) = po_count(?)", "U\u{308}rzig"), ["Paris", "Ürzig"])
            let near = "WHERE distance_between(latitude, longitude, ?, ?) < ? ORDER BY id"
            try expect(Place.findByCriteria(near, 50.1, 8.7, 500_000).map(\.name), ["Berlin", "Paris", "Ürzig"])
            try expect(Place.findByCriteria(near, 50.1, 8.7, 200_000).map(\.name), ["Ürzig"])
        }
    }

    @Test func `arguments can be read as any type that a column can hold`() throws {
        let seen = Locked<[String]>([])
        let function = SQLFunction("see") { arguments in
            let values: [Any] = [
                try arguments.value(0, as: String.self), try arguments.value(1, as: Int.self),
                try arguments.value(2, as: Double.self), try arguments.value(1, as: Double.self),
                try arguments.value(1, as: Float?.self) ?? -1, try arguments.value(1, as: Int8.self),
                try arguments.value(1, as: Bool?.self) ?? false, try arguments.value(3, as: Data.self).count,
                try arguments.value(4, as: String?.self) ?? "nil", try arguments.value(4, as: Int?.self) ?? "nil",
                try arguments.value(2, as: Date.self).timeIntervalSinceReferenceDate,
                try arguments.value(0, as: URL.self).path(), try arguments.isNull(4), try arguments[1], arguments.count,
            ]
            seen.withLock { $0 = values.map { "\($0)" } }
            return .null
        }
        try withTemporarySession(.init(functions: [function])) { _, _ throws in
            try savePlaces()
            _ = try Place.countByCriteria("WHERE id = 1 AND see('a/b', 1, 2.5, x'00ff', NULL) IS NULL")
        }
        let expected = [
            "a/b", "1", "2.5", "1.0", "1.0", "1", "true", "2", "nil", "nil", "2.5", "a/b", "true", "integer(1)", "5",
        ]
        expect(seen.withLock { $0 }, expected)
    }

    @Test(arguments: [
        ("'x'", "Argument 1 is TEXT, expected INTEGER"), ("NULL", "Argument 1 is NULL, expected INTEGER"),
        ("1.5", "argument 1: the number does not fit in Int8"), ("x'00'", "Argument 1 is BLOB, expected INTEGER"),
        ("300", "argument 1: the number does not fit in Int8"), ("", "There is no argument at index 0; the call has 0"),
    ])
    func `an argument of another type is an error that names the argument`(argument: String, message: String) throws {
        let function = SQLFunction("f") { arguments in .integer(Int64(try arguments.value(0, as: Int8.self))) }
        try withTemporarySession(.init(functions: [function])) { _, _ throws in
            try savePlaces()
            let error = try #require(throws: StoreError.self) {
                _ = try Place.findByCriteria("WHERE f(\(argument)) = 1")
            }
            #expect(error.message == "f: \(message)")
        }
    }

    @Test func `reading an argument as a type that no column can hold is an error`() throws {
        struct Other {}
        let function = SQLFunction("f") { arguments in
            _ = try arguments.value(0, as: Other.self)
            return .null
        }
        try withTemporarySession(.init(functions: [function])) { _, _ throws in
            try savePlaces()
            let error = try #require(throws: StoreError.self) { _ = try Place.findByCriteria("WHERE f(1)") }
            #expect(error.message == "f: Argument 1 is read as Other, which no column can hold")
        }
    }

    @Test func `an error thrown by a function is thrown to the caller, and the session can continue`() throws {
        struct Failure: Error {}
        let function = SQLFunction("fails", argumentCount: 0) { _ in throw Failure() }
        try withTemporarySession(.init(functions: [function])) { _, _ throws in
            try savePlaces()
            let error = try #require(throws: StoreError.self) { _ = try Place.findByCriteria("WHERE fails()") }
            #expect(error.message == "fails: Failure()" && error.className == "Place")
            #expect(try Place.count() == 3)
        }
    }

    @Test func `a view in the file cannot call a function of the program`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ in try savePlaces() }
        _ = try file.sqlite("CREATE VIEW v AS SELECT double(latitude) AS x FROM place")
        try file.open(configuration: Self.configuration).withSession { _ throws in
            let error = try #require(throws: StoreError.self) {
                _ = try Place.findByCriteria("WHERE (SELECT max(x) FROM v) > 1")
            }
            #expect(error.message.contains("unsafe use of double"))
        }
    }

    @Test
    func `functions and collations are available in all sessions, also concurrently and in perform`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: Self.configuration)
        try store.withSession { _ in try savePlaces() }
        let criteria = "WHERE double(latitude) > ? ORDER BY name COLLATE backwards"
        try store.withSession { _ throws in
            try store.withSession { _ throws in try expect(Place.findByCriteria(criteria, 99).count, 2) }
            try expect(Place.findByCriteria(criteria, 99).count, 2)
        }
        try await expect(store.perform { _ in try Place.findByCriteria(criteria, 99).map(\.name) }.count, 2)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try store.withSession { _ in
                        try (0..<50).map { _ in try Place.findByCriteria(criteria, 99).count }.reduce(0, +)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expect(counts, [Int](repeating: 100, count: 8))
    }

    @Test func `functions are available in in-memory and temporary stores`() throws {
        for store in try [
            Store.inMemory(configuration: Self.configuration), .temporary(configuration: Self.configuration),
        ] {
            try store.withSession { _ throws in
                try savePlaces()
                try expect(Place.countByCriteria("WHERE double(1) = 2"), 3)
            }
        }
    }

    @Test func `a changed configuration applies to the next session`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ throws in
            try savePlaces()
            store.configuration.functions = [Self.double]
            #expect(throws: StoreError.self) { _ = try Place.countByCriteria("WHERE double(1) = 2") }
        }
        #expect(try store.withSession { _ in try Place.countByCriteria("WHERE double(1) = 2") } == 3)
        store.configuration.functions = []
        #expect(throws: StoreError.self) {
            try store.withSession { _ in _ = try Place.countByCriteria("WHERE double(1) = 2") }
        }
        store.configuration.functions = [SQLFunction("po_x") { _ in .null }]
        #expect(throws: StoreError.self) { try store.withSession { _ in } }
        store.configuration.functions = []
        #expect(try store.withSession { _ in try Place.count() } == 3)
    }

    @Test func `functions and collations are released with the store and its configuration`() throws {
        let tracker = LifetimeTracker()
        let file = try TemporaryStore()
        try {
            let token = tracker.token()
            let function = SQLFunction("f") { _ in withExtendedLifetime(token) { .integer(1) } }
            let collation = SQLCollation("c") { _, _ in withExtendedLifetime(token) { .orderedSame } }
            let store = try file.open(configuration: .init(functions: [function], collations: [collation]))
            try store.withSession { _ in try savePlaces() }
            // Closing the store ends an open session.
            try store.withSession { _ throws in
                #expect(try Place.countByCriteria("WHERE f() = 1 ORDER BY name COLLATE c") == 3)
                store.close()
                #expect(throws: StoreError.self) { _ = try Place.countByCriteria("WHERE f() = 1") }
            }
            #expect(throws: StoreError.self) { try store.withSession { _ in } }
            #expect(tracker.liveCount == 1)
        }()
        #expect(tracker.liveCount == 0)
    }

    @Test(arguments: [
        ("", #"The SQL function "" has an empty name. Choose another name"#),
        ("a\0b", #"The SQL function "a\0b" has a NUL in its name. Choose another name"#),
        ("po_mine", #"The SQL function "po_mine" has a name that is already taken. Choose another name"#),
        ("PO_fold", #"The SQL function "PO_fold" has a name that is already taken. Choose another name"#),
        ("Sign", #"The SQL function "Sign" has a name that is already taken. Choose another name"#),
        ("Regexp", #"The SQL function "Regexp" has a name that is already taken. Choose another name"#),
        (
            "distance_between",
            #"The SQL function "distance_between" has a name that is already taken. Choose another name"#
        ),
        (
            String(repeating: "é", count: 128),
            "The SQL function \"\(String(repeating: "é", count: 40))…\" has a name of 256 bytes, and the limit is 255. "
                + "Choose another name"
        ),
    ])
    func `an invalid function name is an error when the store opens`(name: String, message: String) throws {
        let file = try TemporaryStore()
        let function = SQLFunction(name) { _ in .null }
        let error = try #require(throws: StoreError.self) {
            _ = try file.open(configuration: .init(functions: [function]))
        }
        #expect(error.code == .misuse && error.message.hasSuffix(message))
        #expect(throws: StoreError.self) { _ = try Store.inMemory(configuration: .init(functions: [function])) }
    }

    @Test func `names at the length limit and with any characters are allowed`() throws {
        let names = [String(repeating: "x", count: 255), "größe", "my function", "a\"b", "lower"]
        let functions = names.map { SQLFunction($0, argumentCount: 0) { _ in .integer(7) } }
        try withTemporarySession(.init(functions: functions)) { _, _ throws in
            try savePlaces()
            for name in names {
                let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
                try expect(Place.countByCriteria("WHERE \(quoted)() = 7"), 3, "\(name)")
            }
        }
    }

    @Test func `argument counts and collation names are checked, and duplicates refused`() throws {
        let file = try TemporaryStore()
        func message(_ functions: [SQLFunction], _ collations: [SQLCollation] = []) throws -> String {
            let configuration = Store.Configuration(functions: functions, collations: collations)
            return try #require(throws: StoreError.self) { _ = try file.open(configuration: configuration) }.message
        }
        func function(_ name: String, _ count: Int?) -> SQLFunction {
            SQLFunction(name, argumentCount: count) { _ in .null }
        }
        func collation(_ name: String) -> SQLCollation { SQLCollation(name) { _, _ in .orderedSame } }
        for count in [-1, 101, .max, .min] {
            #expect(try message([function("f", count)]).contains("has \(count) arguments. Declare 0 to 100 arguments"))
        }
        #expect(
            try message([function("f", 1), function("F", 1)]).hasSuffix(#"The SQL function "F" is declared twice"#))
        #expect(try message([function("f", nil), function("f", nil)]).contains("is declared twice"))
        #expect(
            try message([], [collation("c"), collation("C")]).hasSuffix(#"The SQL collation "C" is declared twice"#))
        for name in ["", "a\0", "po_nocase", "NoCase", "binary", "RTRIM", String(repeating: "x", count: 256)] {
            #expect(try message([], [collation(name)]).contains("The SQL collation "))
        }
        let fine = [function("f", 0), function("f", 1), function("f", nil), function("g", 100)]
        _ = try file.open(configuration: .init(functions: fine, collations: [collation("c"), collation("d")]))
    }
}
