import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Values of every type can be selected in tuples of any shape and equal those of the objects.
struct QueryValueKindTests {
    enum Size: String, Codable { case small, large }

    struct Place: Codable, Equatable {
        var row = 0
        var name = ""
    }

    final class Thing: PersistentObject {
        override class var tableName: String { "thing" }
        var isOn = false
        var tiny: Int8 = 0
        var number = 0
        var large: Int64 = 0
        var ratio = 0.0
        var half: Float = 0
        var text = ""
        var day = Date(timeIntervalSinceReferenceDate: 0)
        var perhapsOn: Bool?
        var perhapsNumber: Int?
        var perhapsRatio: Double?
        var perhapsText: String?
        var perhapsDay: Date?
        var perhapsTiny: Int8?
        var size = Size.small
        var token = UUID()
        var price = Decimal()
        var bytes: [UInt8] = []
        var place = Place()
        var data: Data?
    }

    /// Creates more rows than the initial row buffer holds, so that it grows and moves the rows.
    private func fill(_ count: Int, _ session: Session) throws -> [Thing] {
        let things = (0..<count).map { index in
            let thing = Thing()
            let isOdd = index % 2 == 1
            thing.isOn = isOdd
            thing.tiny = Int8(index % 100) - 50
            thing.number = index * 1_000_003
            thing.large = .max - Int64(index)
            thing.ratio = Double(index) / 7
            thing.half = Float(index) / 4
            thing.text = isOdd ? "short" : "a text that has no room in sixteen bytes, \(index)"
            thing.day = Date(timeIntervalSinceReferenceDate: Double(index) * 1.5)
            thing.perhapsOn = isOdd ? nil : index % 4 == 0
            thing.perhapsNumber = isOdd ? index : nil
            thing.perhapsRatio = isOdd ? nil : -0.0
            // PostgreSQL strings cannot contain a NUL.
            thing.perhapsText = isOdd ? "é\(TestEngine.isPostgres ? "" : "\u{0}")e\u{301} \(index)" : nil
            thing.perhapsDay = isOdd ? nil : Date(timeIntervalSinceReferenceDate: Double(-index))
            thing.perhapsTiny = isOdd ? nil : -1
            thing.size = isOdd ? .large : .small
            thing.price = Decimal(index) / 100
            thing.bytes = Array(repeating: UInt8(index % 256), count: index % 40)
            thing.place = Place(row: index, name: "place \(index)")
            thing.data = isOdd ? Data([1, 2, 3]) : nil
            return thing
        }
        try session.save(things)
        return things
    }

    @Test(arguments: [0, 1, 16, 17, 33, 300]) func `values of each type equal those of the objects`(count: Int) throws {
        try withTemporarySession { session, _ throws in
            let things = try fill(count, session)
            func expectSame<V: Equatable>(_ path: KeyPath<Thing, V>) throws {
                try expect(Thing.query.values(of: path), things.map { $0[keyPath: path] }, "\(path)")
                try expect(Thing.query.limit(20).values(of: path), things.prefix(20).map { $0[keyPath: path] })
            }
            try expectSame(\.isOn)
            try expectSame(\.tiny)
            try expectSame(\.number)
            try expectSame(\.large)
            try expectSame(\.ratio)
            try expectSame(\.half)
            try expectSame(\.text)
            try expectSame(\.day)
            try expectSame(\.perhapsOn)
            try expectSame(\.perhapsNumber)
            try expectSame(\.perhapsRatio)
            try expectSame(\.perhapsText)
            try expectSame(\.perhapsDay)
            try expectSame(\.perhapsTiny)
            try expectSame(\.size)
            try expectSame(\.token)
            try expectSame(\.price)
            try expectSame(\.bytes)
            try expectSame(\.place)
            try expectSame(\.data)
        }
    }

    /// Small values follow values that end within a word, and large values follow small ones.
    @Test(arguments: [1, 40]) func `tuples of many types equal the values of the objects`(count: Int) throws {
        try withTemporarySession { session, _ throws in
            let things = try fill(count, session)
            let query = Thing.query.order(by: \.number, .descending)
            let numbers = try query.values(
                of: \.perhapsNumber, \.isOn, \.perhapsTiny, \.perhapsRatio, \.tiny, \.perhapsOn, \.half, \.number)
            let texts = try query.values(
                of: \.isOn, \.text, \.size, \.perhapsText, \.perhapsDay, \.isOn, \.bytes, \.tiny, \.price, \.token,
                \.data, \.place, \.isOn)
            #expect(numbers.count == count && texts.count == count)
            for ((row, text), thing) in zip(zip(numbers, texts), things.reversed()) {
                #expect(row.0 == thing.perhapsNumber && row.1 == thing.isOn && row.2 == thing.perhapsTiny)
                #expect(row.3 == thing.perhapsRatio && row.4 == thing.tiny && row.5 == thing.perhapsOn)
                #expect(row.6 == thing.half && row.7 == thing.number)
                #expect(text.0 == thing.isOn && text.1 == thing.text && text.2 == thing.size)
                #expect(text.3 == thing.perhapsText && text.4 == thing.perhapsDay && text.5 == thing.isOn)
                #expect(text.6 == thing.bytes && text.7 == thing.tiny && text.8 == thing.price)
                #expect(text.9 == thing.token && text.10 == thing.data && text.11 == thing.place)
                expect(text.12, thing.isOn)
            }
            // The rows are returned in id order, in whichever order they were read.
            let rows = try Thing.where { $0.number >= 0 }.values(of: \.text, \.number)
            #expect(rows.map(\.0) == things.map(\.text) && rows.map(\.1) == things.map(\.number))
        }
    }

    @Test(.onSQLite("a server's columns hold values of their types only"), arguments: [0, 1, 15, 16, 99])
    func `an unreadable value in any row throws an error that names the property`(row: Int) throws {
        try withTemporarySession { session, file throws in
            let things = try fill(100, session)
            let id = try #require(things[row].id)
            for (column, property) in [("size", "size"), ("price", "price"), ("token", "token")] {
                _ = try file.sqlite(
                    "CREATE TABLE kept AS SELECT \(column) AS v FROM thing WHERE id = \(id); "
                        + "UPDATE thing SET \(column) = \(column == "token" ? "x'00'" : "'none'") WHERE id = \(id)")
                for ask in [
                    { _ = try Thing.query.values(of: \.text, \.bytes, \.size, \.price, \.token, \.data) },
                    { _ = try Thing.query.order(by: \.id).values(of: \.token, \.price, \.perhapsText, \.size) },
                ] as [() throws -> Void] {
                    let error = #expect(throws: StoreError.self) { try ask() }
                    #expect(error?.code == .typeMismatch && error?.property == property)
                    #expect(error?.className == "Thing")
                }
                _ = try file.sqlite(
                    "UPDATE thing SET \(column) = (SELECT v FROM kept) WHERE id = \(id); DROP TABLE kept")
            }
            #expect(try Thing.query.values(of: \.token) == things.map(\.token))
            #expect(session.busyStatementCount == 0)
        }
    }

    @Test func `expressions and distinct values are read correctly`() throws {
        try withTemporarySession { session, _ throws in
            let things = try fill(40, session)
            try expect(Thing.query.values { $0.text.uppercased() }, things.map { $0.text.uppercased() })
            try expect(Thing.query.values { $0.number + 1 }, things.map { $0.number + 1 })
            try expect(Set(Thing.query.distinct(\.perhapsText)), Set(things.map(\.perhapsText)))
            try expect(Thing.query.distinct(\.isOn), [false, true])
        }
    }
}
