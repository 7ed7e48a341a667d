import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Collections of objects and values in the public API, and the statements that they take.
struct CollectionGraphTests {
    class Thing: PersistentObject {
        override class var tableName: String { "thing" }
        var name = ""
    }

    final class Box: Thing { var size = 0 }
    final class Ball: Thing { var colour: String? }

    enum Colour: String, Codable { case red, green }

    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        var numbers: [Int] = []
        var things: [Thing] = []
        var unique: Set<Thing> = []
        var words: Set<String> = []
        var perhaps: [String]?
        var perhapsThings: [Thing]?
        var perhapsSet: Set<Int>?
        var perhapsTable: [String: Int]?
        var byNumber: [Int: Thing] = [:]
        var byDay: [Date: String] = [:]
        var byID: [UUID: Int] = [:]
        var byColour: [Colour: [Int]] = [:]
        var byData: [Data: Double] = [:]
        var byFlag: [Bool: Thing] = [:]
        @OnDelete(.cascade) var owned: [Ball] = []
        @OnDelete(.cascade) var spare: Set<Ball>?
        @Lazy @OnDelete(.cascade) var lazy: [Ball] = []
    }

    static func things(_ count: Int) -> [Thing] {
        (0..<count).map { index in
            let thing = index % 3 == 0 ? Box() : index % 3 == 1 ? Ball() : Thing()
            thing.name = "\(index)"
            return thing
        }
    }

    /// The writing statements, and the number of rows they change.
    static func writes(_ session: Session, _ body: () throws -> Void) throws -> (
        statements: [String], rows: Int
    ) {
        func total() throws -> Int64 {
            let statement = try session.connection.statement("SELECT total_changes()")
            defer { statement.finish() }
            return try statement.step() ? statement.integer(0) : 0
        }
        let before = try total()
        let log = try statements(of: session, body)
        let verbs = ["INSERT", "UPDATE", "DELETE"]
        return (log.filter { text in verbs.contains { text.hasPrefix($0) } }, Int(try total() - before))
    }

    // MARK: Cost

    @Test
    func `in an array of 10,000, an append is one insert, a removal one delete, a replacement one update`() throws {
        try withTemporarySession { session, file in
            let shelf = Shelf()
            shelf.numbers = Array(0..<10_000)
            try shelf.save()
            var cost = try Self.writes(session) {
                shelf.numbers.append(-1)
                try shelf.save()
            }
            #expect(cost.statements.count == 1 && cost.statements[0].hasPrefix("INSERT") && cost.rows == 1)
            cost = try Self.writes(session) {
                shelf.numbers.remove(at: 5000)
                try shelf.save()
            }
            #expect(cost.statements.count == 1 && cost.statements[0].hasPrefix("DELETE") && cost.rows == 1)
            cost = try Self.writes(session) {
                shelf.numbers[7] = 77_777
                try shelf.save()
            }
            #expect(cost.statements.count == 1 && cost.statements[0].hasPrefix("UPDATE") && cost.rows == 1)
            try expect(file.sqlite("SELECT count(*), sum(value) FROM shelf_numbers"), "10000|50067769")
        }
    }

    @Test func `moving or inserting elements rewrites few rows`() throws {
        try withTemporarySession { session, file in
            let shelf = Shelf()
            shelf.things = Self.things(1000)
            shelf.numbers = Array(0..<1000)
            try shelf.save()
            for (from, to) in [(999, 0), (0, 999), (500, 20), (3, 4)] {
                let cost = try Self.writes(session) {
                    shelf.numbers.insert(shelf.numbers.remove(at: from), at: to)
                    shelf.things.insert(shelf.things.remove(at: from), at: to)
                    try shelf.save()
                }
                #expect(cost.rows <= 4, "\(from) to \(to): \(cost)")
            }
            let cost = try Self.writes(session) {
                for _ in 0..<50 { shelf.numbers.insert(-1, at: 500) }
                try shelf.save()
            }
            #expect(cost.rows <= 110, "\(cost.rows)")
            let text = shelf.numbers.map(String.init).joined(separator: ",")
            try expect(
                file.sqlite("SELECT group_concat(value) FROM (SELECT value FROM shelf_numbers ORDER BY position)"), text
            )
            try session.store.withSession { _ in
                let other = try #require(try Shelf.first())
                #expect(other.things.map(\.name) == shelf.things.map(\.name) && other.numbers == shelf.numbers)
            }
        }
    }

    @Test func `an unchanged collection costs no statement`() throws {
        try withTemporarySession { session, _ in
            let shelf = Shelf()
            shelf.things = Self.things(10)
            shelf.words = ["a", "b"]
            try shelf.save()
            let log = try statements(of: session) {
                shelf.things = Array(shelf.things)
                shelf.words = ["b", "a"]
                shelf.numbers += []
                try shelf.save()
                try session.saveChanges()
            }
            #expect(log.isEmpty, "\(log)")
        }
    }

    @Test func `a fetch reads each collection of all owners with one query`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let things = Self.things(30)
                try session.save(
                    (0..<20).map { _ in
                        let shelf = Shelf()
                        shelf.things = things
                        shelf.unique = Set(things)
                        return shelf
                    })
            }
            try store.withSession { session in
                _ = try Shelf.count()
                var shelves: [Shelf] = []
                let log = try statements(of: session) { shelves = try Shelf.all() }
                let collections = Mirror(reflecting: Shelf()).children.count
                #expect(log.count { $0.hasPrefix("SELECT") } <= 1 + collections + 2, "\(log)")
                #expect(shelves.allSatisfy { $0.things.count == 30 && $0.unique.count == 30 })
                #expect(shelves[0].things.first === shelves[19].things.first)
            }
        }
    }

    // MARK: Stored contents

    @Test func `order, duplicates and classes of elements are kept`() throws {
        try withTemporaryStore { store, _ in
            let order = [3, 1, 1, 4, 0, 4, 2, 1]
            try store.withSession { _ in
                let things = Self.things(5)
                let shelf = Shelf()
                shelf.things = order.map { things[$0] }
                shelf.numbers = order
                try shelf.save()
            }
            try store.withSession { _ in
                let shelf = try #require(try Shelf.first())
                #expect(shelf.numbers == order && shelf.things.map(\.name) == order.map(String.init))
                #expect(shelf.things[0] is Box && shelf.things[1] is Ball && type(of: shelf.things[6]) == Thing.self)
                #expect(shelf.things[1] === shelf.things[2] && !shelf.hasChanges)
                shelf.things.removeLast()
                shelf.things.reverse()
                try shelf.save()
            }
            try store.withSession { _ in
                let shelf = try #require(try Shelf.first())
                expect(shelf.things.map(\.name), ["2", "4", "0", "4", "1", "1", "3"])
            }
        }
    }

    @Test func `a set has one row for each element, however often the element is inserted`() throws {
        try withTemporarySession { session, file in
            let things = Self.things(3)
            let shelf = Shelf()
            shelf.unique = [things[0], things[1]]
            shelf.words = ["a"]
            try shelf.save()
            shelf.unique.formUnion(things)
            shelf.words.formUnion(["a", "b"])
            let cost = try Self.writes(session) { try shelf.save() }
            expect(cost.rows, 3, "\(cost)")  // the third thing, its row and one word
            // Another program inserts the same element.
            _ = try file.sqlite("INSERT INTO shelf_words VALUES (1, 'c')")
            shelf.words.insert("c")
            try shelf.save()
            try expect(file.sqlite("SELECT count(*), count(DISTINCT value_id) FROM shelf_unique"), "3|3")
            try expect(
                file.sqlite("SELECT group_concat(value, '') FROM (SELECT value FROM shelf_words ORDER BY 1)"), "abc")
        }
    }

    @Test func `nil and empty are distinguished`() throws {
        try withTemporaryStore { store, _ in
            func check(_ body: (Shelf) -> Void, _ isRight: (Shelf) -> Bool, _ line: Int = #line) throws {
                try store.withSession { _ in
                    let shelf = try Shelf.first() ?? Shelf()
                    body(shelf)
                    try shelf.save()
                    #expect(isRight(shelf) && !shelf.hasChanges, "line \(line)")
                }
                try store.withSession { _ in
                    let shelf = try #require(try Shelf.first())
                    #expect(isRight(shelf) && !shelf.hasChanges, "line \(line)")
                }
            }
            func set(_ isNil: Bool) -> (Shelf) -> Void {
                return { shelf in
                    shelf.perhaps = isNil ? nil : []
                    shelf.perhapsThings = isNil ? nil : []
                    shelf.perhapsSet = isNil ? nil : []
                    shelf.perhapsTable = isNil ? nil : [:]
                }
            }
            func isNil(_ shelf: Shelf) -> Bool {
                shelf.perhaps == nil && shelf.perhapsThings == nil && shelf.perhapsSet == nil
                    && shelf.perhapsTable == nil
            }
            func isEmpty(_ shelf: Shelf) -> Bool {
                shelf.perhaps == [] && shelf.perhapsThings == [] && shelf.perhapsSet == [] && shelf.perhapsTable == [:]
            }
            func fill(_ shelf: Shelf) {
                shelf.perhaps = ["x"]
                shelf.perhapsThings = [Thing()]
                shelf.perhapsSet = [1]
                shelf.perhapsTable = ["k": 1]
            }
            func isFull(_ shelf: Shelf) -> Bool {
                shelf.perhaps == ["x"] && shelf.perhapsThings?.count == 1 && shelf.perhapsSet == [1]
                    && shelf.perhapsTable == ["k": 1]
            }
            try check(set(true), isNil)
            try check(set(false), isEmpty)
            try check(set(true), isNil)
            try check(fill, isFull)
            try check(set(false), isEmpty)
            try check(fill, isFull)
            try check(set(true), isNil)
            try check({ _ in }, isNil)
        }
    }

    @Test func `dictionary keys can have any scalar type`() throws {
        try withTemporaryStore { store, _ in
            let (day, id) = (Date(timeIntervalSinceReferenceDate: 0.1), UUID())
            try store.withSession { _ in
                let shelf = Shelf()
                shelf.byNumber = [-1: Box(), .max: Ball()]
                shelf.byDay = [day: "first", .distantPast: "then"]
                shelf.byID = [id: 7]
                shelf.byColour = [.red: [1, 2], .green: []]
                shelf.byData = [Data(): 0.5, Data([0, 255]): -1]
                shelf.byFlag = [true: Thing(), false: Box()]
                try shelf.save()
            }
            try store.withSession { _ in
                let shelf = try #require(try Shelf.first())
                #expect(shelf.byNumber[-1] is Box && shelf.byNumber[.max] is Ball && shelf.byNumber.count == 2)
                #expect(shelf.byDay == [day: "first", .distantPast: "then"] && shelf.byID == [id: 7])
                #expect(shelf.byColour == [.red: [1, 2], .green: []])
                #expect(shelf.byData == [Data(): 0.5, Data([0, 255]): -1] && shelf.byFlag[false] is Box)
                #expect(!shelf.hasChanges)
                shelf.byNumber[-1] = shelf.byFlag[true]
                shelf.byDay[day] = nil
                shelf.byColour[.red]?.append(3)
                shelf.byFlag = [:]
                try shelf.save()
            }
            try store.withSession { _ in
                let shelf = try #require(try Shelf.first())
                #expect(shelf.byNumber[-1].map { type(of: $0) == Thing.self } == true && shelf.byDay.count == 1)
                #expect(shelf.byColour[.red] == [1, 2, 3] && shelf.byFlag.isEmpty)
            }
        }
    }
}
