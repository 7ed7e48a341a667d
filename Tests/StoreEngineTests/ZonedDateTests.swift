import Foundation
import TestSupport
import Testing

@testable import StoreEngine

/// Parts of dates in SQL, in UTC and in time zones, compared with `strftime` and Foundation's calendar.
@Suite struct ZonedDateTests {
    private let dialect = Dialect.sqlite
    private static let parts: [DatePart] = [.year, .month, .day, .hour, .minute, .second, .weekday, .dayOfYear]

    private func found(_ date: SQL, _ zone: DateZone, _ connection: SQLiteConnection) throws -> [DatabaseValue?] {
        try Self.parts.map { try connection.value("SELECT \(dialect.datePart($0, date, zone))") }
    }

    private func parts(of date: Date, _ zone: TimeZone) -> [Int] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let components: [Calendar.Component] = [.year, .month, .day, .hour, .minute, .second, .weekday]
        return components.map { calendar.component($0, from: date) }
            + [calendar.ordinality(of: .day, in: .year, for: date) ?? 0]
    }

    @Test(arguments: ["Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"])
    func `the parts of a date in a time zone are those of the zone's calendar`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let literal = try #require(SQLLiteral(.text(name)))
        var generator = SeededGenerator(seed: UInt64(name.utf8.count))
        try withConnection { connection throws in
            for _ in 0..<150 {
                // From 1850 to 2150.
                let seconds = Double(Int.random(in: -4_765_132_800...4_702_060_800, using: &generator)) + 0.25
                let date = Date(timeIntervalSinceReferenceDate: seconds)
                let real = try #require(SQLLiteral(.real(seconds), read: { Double($0) }))
                let found = try found("\(literal: real)", .named(literal), connection)
                #expect(found == parts(of: date, zone).map { .integer(Int64($0)) }, "\(seconds)")
            }
        }
    }

    @Test func `po_date_part agrees with strftime, in all years for which strftime has parts`() throws {
        var generator = SeededGenerator(seed: 3)
        let utc = try #require(TimeZone(identifier: "Etc/UTC"))
        try withConnection { connection throws in
            let ends = [-63_145_526_400, -63_145_526_401, 252_423_993_599, 252_423_993_600, -63_113_904_000]
            let some = (0..<300).map { _ in Int.random(in: -64_000_000_000...253_000_000_000, using: &generator) }
            for seconds in ends + some {
                let plain = try found("\(number: seconds)", .offset(0), connection)
                let own = Self.parts.map { ZonedDate.value(of: $0, Double(seconds), in: utc) }
                #expect(plain == own.map { $0.map { .integer(Int64($0)) } ?? .null }, "\(seconds)")
            }
            for part in Self.parts {
                let infinite = [Double.infinity, -.infinity].map { ZonedDate.value(of: part, $0, in: utc) }
                #expect(infinite == [nil, nil])
                for number: SQL in ["9e999", "-9e999", "1e300", "NULL"] {
                    #expect(try connection.value("SELECT \(dialect.datePart(part, number, .offset(0)))") == .null)
                }
            }
        }
    }

    @Test func `a fraction of a second is truncated`() throws {
        let vienna = try #require(SQLLiteral(.text("Europe/Vienna")))
        try withConnection { connection throws in
            // Just before 2001-01-02.
            for (zone, hour) in [(DateZone.offset(0), 23), (.named(vienna), 0)] as [(DateZone, Int64)] {
                let found = try [DatePart.hour, .minute, .second].map {
                    try connection.value("SELECT \(dialect.datePart($0, "86399.9999", zone))")
                }
                #expect(found == [.integer(hour), .integer(59), .integer(59)])
            }
            #expect(try connection.value("SELECT \(dialect.datePart(.year, "-0.25", .offset(0)))") == .integer(2000))
        }
    }

    @Test func `an offset shifts the parts of a date`() throws {
        try withConnection { connection throws in
            let found = try found("0", .offset(-5400), connection)
            #expect(found == [2000, 12, 31, 22, 30, 0, 1, 366].map { .integer($0) })
        }
    }

    @Test func `an unknown time zone or date part is rejected`() throws {
        let name = try #require(SQLLiteral(.text("Nowhere/Town")))
        try withConnection { connection throws in
            #expect(throws: StoreError.self) {
                try connection.value("SELECT \(dialect.datePart(.day, "0", .named(name)))")
            }
            #expect(throws: StoreError.self) {
                try connection.value("SELECT po_date_part('decade', 0, 'Europe/Vienna')")
            }
        }
    }
}
