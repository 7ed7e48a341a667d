import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Date parts in time zones work in conditions, orders, values, groups and updates, in each column format.
struct DatePartTests {
    final class Place: PersistentObject {
        override class var tableName: String { "place" }
        var opened = Date(timeIntervalSinceReferenceDate: 0)
    }

    final class Shift: PersistentObject {
        override class var tableName: String { "shift" }
        var start = Date(timeIntervalSinceReferenceDate: 0)
        var end: Date?
        @Column("text", format: .iso8601) var text = Date(timeIntervalSinceReferenceDate: 0)
        @Column("unix", format: .unixSeconds) var unix = Date(timeIntervalSinceReferenceDate: 0)
        var day: Int?
        var place: Place?
    }

    private static let zones = [
        "Europe/Vienna", "America/St_Johns", "Asia/Tokyo", "UTC", "GMT+0130", "Pacific/Chatham",
    ]

    /// Start dates over a year and a half, in steps of about 2.7 days.
    private func withShifts(_ body: (Session, [Shift]) throws -> Void) throws {
        try withTemporarySession { session, _ throws in
            let first = Date(timeIntervalSince1970: 1_700_000_000)
            let place = Place()
            place.opened = first
            let shifts = (0..<200).map { number in
                let shift = Shift()
                shift.start = first.addingTimeInterval(Double(number) * 236_677)
                shift.end = number % 3 == 0 ? nil : shift.start.addingTimeInterval(1800)
                (shift.text, shift.unix) = (shift.start, shift.start)
                shift.place = number % 2 == 0 ? place : nil
                return shift
            }
            try session.save(shifts)
            try body(session, shifts)
        }
    }

    private func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    @Test(arguments: zones) func `conditions, orders, values and groups use the date parts of a time zone`(name: String)
        throws
    {
        let zone = try #require(TimeZone(identifier: name))
        let calendar = calendar(zone)
        func part(_ component: Calendar.Component, _ date: Date) -> Int { calendar.component(component, from: date) }
        try withShifts { _, shifts throws in
            #expect(
                try Shift.where { $0.start.day(in: zone) == 14 }.all() == shifts.filter { part(.day, $0.start) == 14 })
            #expect(
                try Shift.where { $0.end.hour(in: zone) < 6 && $0.start.weekday(in: zone) == 1 }.all()
                    == shifts.filter { ($0.end.map { part(.hour, $0) < 6 } ?? false) && part(.weekday, $0.start) == 1 })
            #expect(try Shift.query.values { $0.text.minute(in: zone) } == shifts.map { part(.minute, $0.start) })
            #expect(
                try Shift.query.values { $0.unix.dayOfYear(in: zone) }
                    == Shift.query.values { $0.start.dayOfYear(in: zone) })
            #expect(
                try Shift.query.order { $0.start.month(in: zone) }.values { $0.start.month(in: zone) }
                    == shifts.map { part(.month, $0.start) }.sorted())
            #expect(
                try Shift.query.counted(by: { $0.start.year(in: zone) })
                    == Dictionary(grouping: shifts) { part(.year, $0.start) }.mapValues(\.count))
            let groups = try Shift.query.groups { ($0.start.month(in: zone), $0.start.day(in: zone)) }.values {
                $0.count
            }
            #expect(groups.map(\.2).reduce(0, +) == shifts.count)
            for (month, day, count) in groups {
                #expect(count == shifts.filter { part(.month, $0.start) == month && part(.day, $0.start) == day }.count)
            }
        }
    }

    @Test(arguments: zones) func `a date of a referenced object has parts, or nil if there is no object`(
        name: String
    ) throws {
        let zone = try #require(TimeZone(identifier: name))
        let calendar = calendar(zone)
        try withShifts { _, shifts throws in
            let places = try Shift.query.values { $0.place.opened.minute(in: zone) }
            #expect(places == shifts.map { shift in shift.place.map { calendar.component(.minute, from: $0.opened) } })
        }
    }

    @Test func `an update assigns a date part of a time zone`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        try withShifts { session, shifts throws in
            #expect(try Shift.query.update { $0.day = $0.start.day(in: zone) } == shifts.count)
            try session.refresh()
            #expect(shifts.allSatisfy { $0.day == calendar(zone).component(.day, from: $0.start) })
        }
    }

    @Test func `one condition can use two time zones`() throws {
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let vienna = try #require(TimeZone(identifier: "Europe/Vienna"))
        try withShifts { _, shifts throws in
            let found = try Shift.where { $0.start.day(in: tokyo) != $0.start.day(in: vienna) }.all()
            #expect(
                found
                    == shifts.filter {
                        calendar(tokyo).component(.day, from: $0.start)
                            != calendar(vienna).component(.day, from: $0.start)
                    })
            #expect(!found.isEmpty && found.count < shifts.count)
        }
    }

    @Test func `years after 9999 are nil`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Vienna"))
        try withTemporarySession { session, _ throws in
            let shift = Shift()
            for (date, year) in [
                (Date(timeIntervalSinceReferenceDate: 252_423_993_599), 9999 as Int?),
                (Date(timeIntervalSinceReferenceDate: 252_423_993_600), nil), (.distantFuture, 4001),
            ] as [(Date, Int?)] {
                shift.start = date
                try session.save([shift])
                #expect(try Shift.query.values { $0.start.year } == [year])
                #expect(try Shift.where { $0.start.year(in: zone) == nil }.count() == (year == nil ? 1 : 0))
            }
        }
    }

    @Test func `an index on a date part of a time zone throws`() throws {
        final class Indexed: PersistentObject {
            override class var tableName: String { "indexed" }
            override class var indexes: [Index] {
                [Index(of: Indexed.self) { $0.start.day(in: TimeZone(identifier: "Asia/Tokyo") ?? .gmt) }]
            }
            var start = Date()
        }
        try withTemporarySession { _, _ throws in
            _ = #expect(throws: SchemaError.self) { try Indexed.count() }
        }
    }
}
