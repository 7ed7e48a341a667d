import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Enumerations and other types with raw values, and types that define their own stored form.
@Suite struct ValueKindTests {
    enum Status: String { case new, old }
    enum Level: Int8 { case low = -128, high = 127 }
    enum Mask: UInt64 { case none = 0, all = 0x7fff_ffff_ffff_ffff }
    enum Ratio: Double { case half = 0.5, third = 0.3333333333333333 }
    enum Weight: Float { case light = 0.1 }
    enum Sign: Character { case plus = "+", accent = "é" }
    struct Options: OptionSet {
        var rawValue: Int
        static let bold = Options(rawValue: 1)
    }
    struct Percent: RawRepresentable {
        var rawValue: Int
        init?(rawValue: Int) {
            guard (0...100).contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    struct Money: PersistentValue, Equatable {
        var cents: Int64
        static var columnType: ColumnType { .integer }
        init(_ cents: Int64) { self.cents = cents }
        init(databaseValue: DatabaseValue) throws {
            guard case .integer(let cents) = databaseValue, cents >= 0 else { throw Bad() }
            self.cents = cents
        }
        var databaseValue: DatabaseValue { .integer(cents) }
        struct Bad: Error, CustomStringConvertible { var description: String { "money is not negative" } }
    }

    /// A value that accepts any database value, in a column of type ANY.
    struct Loose: PersistentValue, Equatable {
        var value: DatabaseValue
        init(_ value: DatabaseValue) { self.value = value }
        init(databaseValue: DatabaseValue) { value = databaseValue }
        var databaseValue: DatabaseValue { value }
    }

    /// Declares one column type and returns a value of another storage class.
    struct Liar: PersistentValue {
        var value = DatabaseValue.text("x")
        static var columnType: ColumnType { .real }
        init() {}
        init(databaseValue: DatabaseValue) { value = databaseValue }
        var databaseValue: DatabaseValue { value }
    }

    final class Kinds: PersistentObject {
        var status = Status.new
        var maybeStatus: Status?
        var level = Level.low
        var mask = Mask.all
        var ratio = Ratio.half
        var weight = Weight.light
        var sign = Sign.plus
        var options: Options = []
        var percent = Percent(rawValue: 5)
        var money = Money(1)
        var maybeMoney: Money?
        var loose = Loose(.integer(1))
        var maybeLoose: Loose?
    }

    final class Lying: PersistentObject { var liar = Liar() }

    @Test func `values are stored in columns of their raw value's type or their own type, and read back`() throws {
        try withTemporarySession { session, file in
            let kinds = Kinds()
            kinds.status = .old
            kinds.maybeStatus = .new
            kinds.level = .high
            kinds.ratio = .third
            kinds.sign = .accent
            kinds.options = [.bold, Options(rawValue: 64)]
            kinds.percent = Percent(rawValue: 100)
            kinds.money = Money(.max)
            kinds.maybeMoney = Money(0)
            kinds.loose = Loose(.text("a\0b"))
            kinds.maybeLoose = Loose(.blob([0, 255]))
            try kinds.save()
            try expect(
                file.sqlite("SELECT status, maybe_status, level, mask, sign, options, percent, money FROM kinds"),
                "old|new|127|9223372036854775807|é|65|100|9223372036854775807")
            let types = try file.sqlite("SELECT group_concat(type) FROM pragma_table_info('kinds')")
            expect(types, "INTEGER,TEXT,TEXT,INTEGER,INTEGER,REAL,REAL,TEXT,INTEGER,INTEGER,INTEGER,INTEGER,ANY,ANY")
            try session.store.withSession { _ in
                let found = try #require(try Kinds.find(1))
                #expect(found.status == .old && found.maybeStatus == .new && found.level == .high && found.mask == .all)
                #expect(found.ratio == .third && found.weight == .light && found.sign == .accent)
                #expect(found.options.contains(.bold) && found.percent?.rawValue == 100)
                #expect(found.money == Money(.max) && found.maybeMoney == Money(0))
                #expect(found.loose == Loose(.text("a\0b")) && found.maybeLoose == Loose(.blob([0, 255])))
                #expect(!found.hasChanges)
                for value in [DatabaseValue.integer(-1), .real(1.5), .text(""), .blob([])] {
                    found.loose = Loose(value)
                    try found.save()
                    try found.reload()
                    expect(found.loose.value, value)
                }
            }
        }
    }

    @Test(arguments: [
        ("status", "'older'", "no case with the raw value"), ("status", "''", "no case"),
        ("status", "NULL", "expected TEXT"),
        ("maybeStatus", "'NEW'", "no case"), ("level", "0", "no case"), ("level", "128", "does not fit in Int8"),
        ("ratio", "0.25", "no case"), ("sign", "'e'||char(769)||'x'", "not have exactly one character"),
        ("percent", "101", "no case"), ("percent", "'5'", "expected INTEGER"),
        ("money", "-1", "not a valid Money: money is not negative"), ("money", "'1'", "not a valid Money"),
        ("money", "NULL", "expected INTEGER, but the column holds NULL"), ("maybeMoney", "1.5", "not a valid Money"),
        ("loose", "NULL", "expected ANY, but the column holds NULL"),
    ])
    func `a cell that a type rejects is an error with class, property, row and the type's message`(
        _ property: String, _ literal: String, _ complaint: String
    ) throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let columns = try ClassMap.map(of: Kinds.self).properties
        try store.withSession { session in try session.save([Kinds(), Kinds()]) }
        let names = columns.map(\.column)
        let column = try #require(columns.first { $0.name == property }?.column)
        try file.sqliteUntyped("kinds", columns: names, "UPDATE kinds SET \(column) = \(literal) WHERE id = 1")
        try store.withSession { _ in
            let error = #expect(throws: StoreError.self) { try Kinds.find(1) }
            #expect(error?.code == .typeMismatch && error?.className == "Kinds" && error?.property == property)
            #expect(error?.rowID == 1 && error?.message.contains(complaint) == true, "\(error?.message ?? "")")
            let other = try Kinds.find(2)
            #expect(other != nil)
        }
    }

    @Test func `a value of another storage class than its type declares is refused by save`() throws {
        try Store.inMemory().withSession { _ in
            let lying = Lying()
            for value in [DatabaseValue.text("x"), .integer(1), .null, .blob([1]), .real(.nan)] {
                lying.liar.value = value
                let error = #expect(throws: StoreError.self) { try lying.save() }
                #expect(error?.code == .notRepresentable && error?.className == "Lying" && error?.property == "liar")
            }
            lying.liar.value = .real(1)
            try lying.save()
            lying.liar.value = .text("x")
            #expect(throws: StoreError.self) { try lying.save() }
            lying.revert()
            #expect(lying.liar.value == .real(1))
        }
    }

    @Test func `NULL is refused for a non-optional value, even if its type would accept it`() throws {
        try Store.inMemory().withSession { _ in
            let kinds = Kinds()
            kinds.loose = Loose(.null)
            let error = #expect(throws: StoreError.self) { try kinds.save() }
            #expect(error?.code == .notRepresentable && error?.property == "loose")
        }
    }
}
