import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The arguments that finders accept, and the errors for other arguments, which are thrown before any SQL.
struct FinderArgumentTests {
    enum Status: String, Codable { case active, retired }
    enum Level: Int, Codable { case low = 1, high = 300 }

    struct Address: Codable { var street = "Main" }

    struct Celsius: PersistentValue, Equatable {
        var degrees: Double
        static var columnType: ColumnType { .real }
        init(_ degrees: Double) { self.degrees = degrees }
        init(databaseValue: DatabaseValue) throws {
            guard case .real(let degrees) = databaseValue else { throw StoreError(.typeMismatch, "no degrees") }
            self.degrees = degrees
        }
        var databaseValue: DatabaseValue { .real(degrees) }
    }

    final class Thing: PersistentObject {
        override class var tableName: String { "thing" }
        var name = ""
        var number = 0
        var small: Int8 = 0
        var big: UInt64 = 0
        var maybe: Int?
        var double = 0.0
        var float: Float = 0
        var isOn = false
        var status = Status.active
        var maybeStatus: Status?
        var level = Level.low
        var date = Date(timeIntervalSinceReferenceDate: 0.1)
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        var url = URL(filePath: "/")
        var price = Decimal(0)
        var data = Data()
        var bytes: [UInt8] = []
        var letter: Character = "a"
        var part: Substring = ""
        var address = Address()
        var heat = Celsius(0)
        @Column("odd name") var odd = 0
    }

    private func withThings(_ body: (Session, [Thing]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let things = [Thing(), Thing()]
            let full = things[0]
            full.name = TestEngine.isPostgres ? "it's \"full\"; --" : "it's \"full\"\0; --"
            (full.number, full.small, full.big, full.maybe) = (300, 100, UInt64(Int64.max), 7)
            (full.double, full.float, full.isOn) = (2.5, 0.1, true)
            (full.status, full.maybeStatus, full.level) = (.retired, .retired, .high)
            full.date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456)
            full.uuid = UUID()
            full.url = URL(filePath: "/tmp/a b")
            full.price = Decimal(string: "12345678901234567890.12") ?? 0
            full.data = Data([0, 1, 255])
            full.bytes = [9, 0]
            (full.letter, full.part, full.heat, full.odd) = ("é", "part", Celsius(36.6), 5)
            try session.save(things)
            try body(session, things)
        }
    }

    @Test func `an argument of the property's type finds only the matching object`() throws {
        try withThings { _, things throws in
            let full = things[0]
            let calls: [(String, [Any?])] = [
                ("Name", [full.name]), ("Number", [full.number]), ("Small", [full.small]), ("Big", [full.big]),
                ("Maybe", [full.maybe]), ("Double", [full.double]), ("Float", [full.float]), ("IsOn", [true]),
                ("Status", [Status.retired]), ("MaybeStatus", [Status.retired]), ("Level", [Level.high]),
                ("Date", [full.date]), ("Uuid", [full.uuid]), ("Url", [full.url]), ("Price", [full.price]),
                ("Data", [full.data]), ("Bytes", [full.bytes]), ("Letter", [full.letter]), ("Part", [full.part]),
                ("Heat", [full.heat]), ("Odd", [5]), ("NumberAndName", [full.number, full.name]),
            ]
            for (property, arguments) in calls {
                let found = try FinderCall(Thing.self, "findBy\(property)", arguments).objects()
                expect(found, [full], "\(property)")
            }
            #expect(try Thing.findByMaybe(nil) == [things[1]] && Thing.findByMaybeStatus(nil) == [things[1]])
        }
    }

    @Test func `a number that exceeds Int64 is refused because of its size, not its type`() throws {
        try withThings { _, _ throws in
            let error = #expect(throws: StoreError.self) { try Thing.findByBig(UInt64.max) }
            #expect(error?.className == "Thing" && error?.property == "big" && error?.message.contains("Int64") == true)
            #expect(throws: FinderError.self) { try Thing.findByBig("7") }
            try expect(Thing.findByBig(UInt64(Int64.max)).count, 1)
        }
    }

    @Test func `an aggregate requested as a wrong type throws an error with the right type`() throws {
        try withThings { _, _ throws in
            let double = #expect(throws: FinderError.self) { _ = try Thing.sumOfDouble() as Int? }
            expect(double?.description.contains("let answer: Double? = try Thing.sumOfDouble"), true)
            let maybe = #expect(throws: FinderError.self) { _ = try Thing.maxOfMaybe() as [Thing] }
            expect(maybe?.description.contains("let answer: Int? = try Thing.maxOfMaybe"), true)
        }
    }

    @Test func `an argument of another type with the same value finds the object`() throws {
        try withThings { _, things throws in
            let full = things[0]
            let calls: [(String, Any?)] = [
                ("Number", Int8(100)), ("Number", UInt16(300)), ("Number", Int64(300)), ("Small", 100),
                ("Small", UInt(100)),
                ("Big", Int.max), ("Double", 2.5 as Float), ("Float", Double(0.1 as Float)), ("Status", "retired"),
                ("MaybeStatus", "retired"), ("Level", 300), ("Level", Int64(300)), ("Letter", "é"), ("Part", "part"),
                ("Name", Substring(full.name)), ("Data", [0, 1, 255] as [UInt8]), ("Bytes", Data([9, 0])),
                ("Maybe", Int64(7)), ("Maybe", .some(Optional(7) as Any)), ("Id", Int8(1)),
            ]
            for (property, argument) in calls where property != "Number" || "\(argument ?? 0)" != "100" {
                let found = try FinderCall(Thing.self, "findBy\(property)", [argument]).objects()
                expect(found, [full], "\(property) \(String(describing: argument))")
            }
        }
    }

    @Test func `a number outside the property's range finds nothing`() throws {
        try withThings { _, _ throws in
            #expect(try Thing.findBySmall(300).isEmpty && Thing.findBySmall(-129).isEmpty)
            #expect(try Thing.findByBig(-1).isEmpty && Thing.findById(-1).isEmpty)
            try expect(Thing.countByMaybe(Int.min), 0)
        }
    }

    @Test func `an optional argument is unwrapped, and an inner nil is nil`() throws {
        try withThings { _, things throws in
            let seven: Int? = 7
            let none: Int? = nil
            let boxed: Any? = none as Any
            #expect(
                try Thing.findByMaybe(seven) == [things[0]] && Thing.findByNumber(seven.map { $0 + 293 }) == [things[0]]
            )
            #expect(try Thing.findByMaybe(none) == [things[1]] && Thing.findByMaybe(boxed) == [things[1]])
        }
    }

    /// Runs all finders of a name, which must fail before any SQL.
    private func failure(_ session: Session, _ name: String, _ arguments: [Any?]) -> FinderError? {
        var error: FinderError?
        let log = statements(of: session) {
            for run in [
                { _ = try FinderCall(Thing.self, "findBy\(name)", arguments).objects() },
                { _ = try FinderCall(Thing.self, "findFirstBy\(name)", arguments).firstObject() },
                { _ = try FinderCall(Thing.self, "countBy\(name)", arguments).number() },
                { _ = try FinderCall(Thing.self, "existsBy\(name)", arguments).truth() },
                { _ = try FinderCall(Thing.self, "deleteBy\(name)", arguments).number() },
            ] { error = #expect(throws: FinderError.self, "\(name)") { try run() } }
        }
        #expect(log.isEmpty, "\(name)")
        return error
    }

    @Test func `a wrong number of arguments throws before any SQL runs`() throws {
        try withThings { session, _ throws in
            expect(
                failure(session, "NameAndNumber", ["x"])?.description.hasSuffix(
                    "deleteByNameAndNumber: takes 2 arguments (name, number), but the call has 1"), true)
            expect(
                failure(session, "Name", [])?.description.hasSuffix("takes 1 argument (name), but the call has 0"), true
            )
            expect(
                failure(session, "Name", ["x", "y"])?.description.hasSuffix(
                    "takes 1 argument (name), but the call has 2"), true)
            expect(
                failure(session, "Id", [1, 2])?.description.hasSuffix("takes 1 argument (id), but the call has 2"), true
            )
            let error = #expect(throws: FinderError.self) { try Thing.findByName() }
            expect(error?.description, "Thing.findByName: takes 1 argument (name), but the call has 0")
        }
    }

    @Test func `an argument of a wrong type throws before any SQL runs`() throws {
        try withThings { session, _ throws in
            let calls: [(String, Any?, String)] = [
                ("Name", 5, "name requires String, not Int"), ("Number", "5", "number requires Int, not String"),
                ("Number", 5.0, "number requires Int, not Double"), ("Number", true, "number requires Int, not Bool"),
                ("IsOn", 1, "isOn requires Bool, not Int"), ("Date", 5.0, "date requires Date, not Double"),
                ("Uuid", "x", "uuid requires UUID, not String"), ("Url", "x", "url requires URL, not String"),
                ("Status", Level.low, "status requires Status, not Level"),
                ("Letter", "ab", "letter requires Character, not String"),
                ("Heat", 36.6, "heat requires Celsius, not Double"), ("Id", "1", "id requires Int64, not String"),
                ("Maybe", "x", "maybe requires Int?, not String"),
                ("Name", ["x"], "name requires String, not [String]"),
                ("Address", "x", "address requires Address, not String"),
            ]
            for (property, argument, text) in calls {
                let error = failure(session, property, [argument])
                expect(error?.description.hasSuffix(": \(text)"), true, "\(String(describing: error))")
            }
        }
    }

    @Test func `nil for a property that is never nil throws`() throws {
        try withThings { session, _ throws in
            for property in ["Name", "Number", "Status", "Date", "Url", "Heat", "Id", "IsOn"] {
                guard case .wrongArgumentType(_, _, _, _, "nil")? = failure(session, property, [nil]) else {
                    Issue.record("\(property)")
                    continue
                }
            }
            let none: Int? = nil
            #expect(failure(session, "Number", [none as Any?]) != nil)
        }
    }

    @Test func `a value that no column can hold throws an error that names the property`() throws {
        try withThings { session, _ throws in
            let log = statements(of: session) {
                for (name, argument) in [("Double", Double.nan), ("Float", Float.nan), ("Price", Decimal.nan)]
                    as [(String, Any)]
                {
                    let error = #expect(throws: StoreError.self, "\(name)") {
                        try FinderCall(Thing.self, "findBy\(name)", [argument]).objects()
                    }
                    #expect(error?.code == .notRepresentable && error?.property == name.lowercased())
                }
            }
            #expect(log.isEmpty)
        }
    }

    @Test func `errors do not contain the values of arguments`() throws {
        try withThings { session, _ throws in
            expect(failure(session, "Number", ["secret"])?.description.contains("secret"), false)
            expect(failure(session, "NameAndNumber", ["secret"])?.description.contains("secret"), false)
        }
    }

    @Test func `a finder can compare a Codable value`() throws {
        try withThings { session, things throws in
            things[1].address.street = "Side"
            try things[1].save()
            try expect(Thing.findByAddress(Address(street: "Side")), [things[1]])
            try expect(Thing.findBy.address(Address()), [things[0]])
        }
    }
}
