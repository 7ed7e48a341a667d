import Foundation
import PersistentTransfer
import TestSupport
import Testing

@testable import PersistentObjects

/// Dates, UUIDs and numbers in the formats of existing databases.
struct FormatTests {
    final class Times: PersistentObject {
        override class var tableName: String { "Times" }
        override class var origin: TableOrigin { .existing }
        @Column("a", format: .dateTime) var dateTime: Date?
        @Column("b", format: .iso8601) var iso: Date?
        @Column("c", format: .day) var day: Date?
        @Column("d", format: .unixSeconds) var unix: Date?
        @Column("e", format: .unixMilliseconds) var milliseconds: Date?
        @Column("f", format: .julianDay) var julian: Date?
        @Column("g", format: .secondsSince2001) var own: Date?
        @Column("h") var any = Date(timeIntervalSinceReferenceDate: 0)
        @Column("i") var uuid: UUID?
        @Column("j", format: .uuidBlob) var bytes: UUID?
        @Column("k") var price: Decimal?
    }

    static let sql = """
        CREATE TABLE Times (a DATETIME, b TEXT, c DATE, d INTEGER, e BIGINT, f REAL, g DOUBLE, h TIMESTAMP, i CHAR(36), j,
            k DECIMAL(10,2))
        """

    private static let date = Date(timeIntervalSinceReferenceDate: 478_444_455)

    @Test func `each format is written as declared and read back unchanged`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let times = Times()
            let date = Self.date
            (times.dateTime, times.iso, times.unix, times.milliseconds) = (date, date, date, date)
            (times.julian, times.own, times.any) = (date, date, date)
            times.day = DateText.date("2016-02-29")
            times.uuid = UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
            (times.bytes, times.price) = (times.uuid, Decimal(string: "12.50"))
            try times.save()
            try expect(
                file.sqlite("SELECT a, b, c, d, e, round(f, 6), g, h, i, hex(j), k, typeof(d), typeof(k) FROM Times"),
                "2016-02-29 13:14:15|2016-02-29T13:14:15Z|2016-02-29|1456751655|1456751655000|2457448.051563"
                    + "|478444455.0|2016-02-29 13:14:15|6ba7b810-9dad-41d1-80b4-00c04fd430c8"
                    + "|6BA7B8109DAD41D180B400C04FD430C8|12.5|integer|real")
            try file.open().withSession { _ throws in
                let read = try #require(try Times.first())
                expect(
                    [read.dateTime, read.iso, read.unix, read.milliseconds, read.julian, read.own, read.any],
                    Array(repeating: date, count: 7))
                #expect(read.day == times.day && read.uuid == times.uuid && read.bytes == times.uuid)
                #expect(read.price == times.price && !read.hasChanges)
            }
        }
    }

    @Test func `JSON and exports contain the value, whatever the format of its column`() throws {
        try SampleFile.with(Self.sql) { session, file throws in
            let times = Times()
            let date = Self.date
            (times.dateTime, times.iso, times.unix, times.milliseconds) = (date, date, date, date)
            (times.own, times.any, times.day) = (date, date, DateText.date("2016-02-29"))
            times.uuid = UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
            (times.bytes, times.price) = (times.uuid, Decimal(string: "12.50"))
            let json = String(decoding: try times.json, as: UTF8.self)
            #expect(
                json.contains(#""unix":"2016-02-29T13:14:15Z""#) && json.contains(#""price":"12.5""#)
                    && json.contains(#""uuid":"6BA7B810-9DAD-41D1-80B4-00C04FD430C8""#), "\(json)")
            let copy = try Times(json: times.json)
            expect(
                [copy.dateTime, copy.iso, copy.unix, copy.milliseconds, copy.own, copy.any],
                Array(repeating: date, count: 6))
            #expect(copy.day == times.day && copy.uuid == times.uuid && copy.bytes == times.uuid)
            expect(copy.price, times.price)
            try times.save()
            let url = URL(filePath: file.path + ".jsonl")
            defer { try? FileManager.default.removeItem(at: url) }
            try session.store.export(Times.self, to: url, as: .jsonLines)
            let exported = try String(contentsOf: url, encoding: .utf8)
            #expect(
                exported.contains(#""unix":"2016-02-29T13:14:15Z""#) && exported.contains(#""price":"12.5""#),
                "\(exported)")
        }
    }

    @Test func `queries and finders compare in the format of the column`() throws {
        try SampleFile.with(Self.sql) { session, _ throws in
            let all = (0..<4).map { number in
                let times = Times()
                let date = Self.date.addingTimeInterval(Double(number) * 86400)
                (times.dateTime, times.iso, times.unix, times.milliseconds, times.julian) = (
                    date, date, date, date, date
                )
                times.day = DateText.date("2016-03-0\(number + 1)")
                times.uuid = UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C\(number)")
                times.bytes = times.uuid
                times.price = Decimal(number) + Decimal(string: "0.25")!
                return times
            }
            try session.save(all)
            let (from, to) = (all[1].dateTime!, all[2].dateTime!)
            let middle = [2, 3] as [Int64?]
            #expect(try Times.where { $0.dateTime.isIn(from...to) }.all().map(\.id) == middle)
            #expect(try Times.where { $0.iso >= from && $0.iso <= to }.all().map(\.id) == middle)
            #expect(try Times.where { $0.unix >= from && $0.unix <= to }.all().map(\.id) == middle)
            #expect(try Times.where { $0.milliseconds > from }.all().map(\.id) == [3, 4])
            #expect(try Times.where { $0.dateTime.isIn([from, to]) }.all().map(\.id) == middle)
            #expect(try Times.where { $0.unix.isIn([from, to]) }.all().map(\.id) == middle)
            #expect(try Times.where { $0.dateTime == from || $0.unix != from }.count() == 4)
            #expect(try Times.findByUnix(from).map(\.id) == [2])
            #expect(try Times.findByIsoBetween(from, to).map(\.id) == middle)
            #expect(try Times.findByDayGreaterThan(from).map(\.id) == [2, 3, 4])
            #expect(try Times.findBy.milliseconds(to).map(\.id) == [3])
            #expect(try Times.findByDateTimeIn([from, to]).map(\.id) == middle)
            #expect(try Times.findByUuid(all[3].uuid!).map(\.id) == [4])
            #expect(try Times.where { $0.uuid.isIn(all[1...2].map { $0.uuid! }) }.all().map(\.id) == middle)
            #expect(try Times.where { $0.bytes == all[0].uuid! }.all().map(\.id) == [1])
            #expect(try Times.where { $0.price == Decimal(string: "2.25")! }.all().map(\.id) == [3])
            #expect(try Times.where { $0.price < Decimal(2) }.all().map(\.id) == [1, 2])
            #expect(try Times.findByCriteria("WHERE a = ?", "2016-03-01 13:14:15").map(\.id) == [2])
            let atTheTime = Times.where { $0.unix.hour == 13 && $0.milliseconds.minute == 14 && $0.iso.second == 15 }
            try expect(atTheTime.count(), 4)
            #expect(try Times.where { $0.julian.day == 29 && $0.day.month == 3 }.all().map(\.id) == [1])
            #expect(try Times.where { $0.id == 1 }.update { $0.dateTime = to } == 1)
            #expect(try Times.where { $0.dateTime == to }.all().map(\.id) == [1, 3])
            #expect(throws: QueryError.self) { _ = try Times.where { $0.dateTime == $0.unix }.all() }
        }
    }

    @Test func `dates are read in each form that SQL writes`() throws {
        let forms: [(String, String?)] = [
            ("2009-01-31", "2009-01-31 00:00:00"), ("2009-01-31 23:59", "2009-01-31 23:59:00"),
            ("2009-01-31T23:59:59Z", "2009-01-31 23:59:59"), ("2009-01-31 23:59:59.5", "2009-01-31 23:59:59.500"),
            ("2009-01-31T23:59:59+02:00", "2009-01-31 21:59:59"), ("2009-01-31 00:30:00-01:30", "2009-01-31 02:00:00"),
            ("2009-01-31t23:59:59,5z", "2009-01-31 23:59:59.500"), ("2009-01-31 00:30 -0130", "2009-01-31 02:00:00"),
            ("2000-12-31 23:59:59.999Z", "2000-12-31 23:59:59.999"), ("2009-01-31 00:30 +24:00", nil),
            ("0000-01-01", "0000-01-01 00:00:00"), ("9999-12-31 23:59:59", "9999-12-31 23:59:59"),
            ("2000-02-29", "2000-02-29 00:00:00"), ("1900-02-29", nil), ("2009-02-30", nil), ("2009-13-01", nil),
            ("", nil),
            ("2009-1-1", nil), ("2009-01-31 24:00", nil), ("2009-01-31x", nil), ("2009-01-31 23:59:60", nil),
            ("yesterday", nil),
            ("2009-01-31 23:59:59.", nil), ("2009-01-31T23:59:59+2", nil),
        ]
        for (text, wanted) in forms {
            let date = DateText.date(text)
            expect(date.flatMap { DateText.text($0, separator: " ", suffix: "") }, wanted, "\(text)")
        }
    }

    @Test func `a conversion accepts only strings with a time, seconds and a time zone`() {
        for text in ["2009-01-31", "2009-01-31 10:00", "2009-01-31T10:00Z", "2009-01-31T10:00:00"] {
            #expect(DateText.date(text) != nil && DateText.seconds(text, isWhole: true) == nil, "\(text)")
        }
        expect(DateText.seconds("2001-01-01T01:00:00.1+01:00", isWhole: true), 0.1)
    }

    @Test func `the exact string of a date yields the same bits, before 2001 too`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            let seconds = Double.random(in: -1_000_000_000..<1_000_000_000, using: &generator)
            for seconds in [seconds, seconds / 1e6, (seconds * 1e3).rounded() / 1e3, seconds.rounded()] {
                let text = try #require(DateText.exact(seconds, "T"))
                expect(DateText.seconds(text + "Z", isWhole: true)?.bitPattern, seconds.bitPattern, "\(text)")
            }
        }
        expect(DateText.exact(-1.5, "T"), "2000-12-31T23:59:58.5")
        expect(DateText.exact(-0.0, "T"), nil)
    }

    @Test func `strings of dates match those of Foundation, written and read`() throws {
        let style = Date.ISO8601FormatStyle(timeZone: .gmt)
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<2000 {
            let seconds = Double(Int.random(in: -63_100_000_000..<252_000_000_000, using: &generator))
            // Before 1582, Foundation uses the Julian calendar.
            guard seconds > -13_000_000_000 else { continue }
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = try #require(DateText.text(date, separator: "T", suffix: "Z"))
            expect(text, style.format(date))
            expect(DateText.date(text), date)
        }
        for _ in 0..<2000 {
            let date = Date(timeIntervalSinceReferenceDate: Double.random(in: 0..<1_000_000_000, using: &generator))
            let text = try #require(DateText.text(date, separator: " ", suffix: ""))
            let read = try #require(DateText.date(text))
            #expect(abs(read.timeIntervalSince(date)) < 1e-6, "\(text)")
        }
    }

    @Test func `a value that the format cannot represent is an error that names the remedy`() throws {
        try SampleFile.with(Self.sql) { _, file throws in
            let times = Times()
            times.day = Self.date
            var error = try #require(throws: StoreError.self) { try times.save() }
            #expect(
                error.code == .notRepresentable && error.property == "day" && error.message.contains("midnight"),
                "\(error)")
            times.day = nil
            times.dateTime = .distantPast.addingTimeInterval(-1e12)
            error = try #require(throws: StoreError.self) { try times.save() }
            #expect(error.property == "dateTime" && error.message.contains("year"), "\(error)")
            times.dateTime = nil
            try times.save()
            for (sql, property, part) in [
                ("a = 1234567", "dateTime", "format: .unixSeconds"), ("b = 'soon'", "iso", "2009-01-31"),
                ("i = 'x'", "uuid", "not a UUID"), ("j = x'01'", "bytes", "16 bytes"),
                ("k = 'much'", "price", "decimal"),
                ("h = NULL", "any", "NULL"),
            ] {
                _ = try file.sqlite(
                    "UPDATE Times SET a = NULL, b = NULL, i = NULL, j = NULL, k = NULL, h = '2001-01-01'; UPDATE Times SET \(sql)"
                )
                try file.open().withSession { _ throws in
                    let error = try #require(throws: StoreError.self) { _ = try Times.all() }
                    #expect(error.property == property && error.rowID == 1 && error.message.contains(part), "\(error)")
                }
            }
        }
    }

    @Test func `a format for another type is refused`() throws {
        final class Odd: PersistentObject {
            override class var tableName: String { "odd" }
            @Column("a", format: .day) var text = ""
        }
        #expect(throws: SchemaError.self) { _ = try ClassMap.map(of: Odd.self) }
    }

    @Test func `formats work in library tables too`() throws {
        final class Event: PersistentObject {
            override class var tableName: String { "event" }
            @Column("day", format: .day) var day = Date(timeIntervalSinceReferenceDate: 599_529_600)
            @Indexed @Column("at", format: .unixMilliseconds) var at: Date? = nil
        }
        try withTemporarySession { _, file in
            let event = Event()
            event.at = Self.date
            try event.save()
            try expect(file.sqlite("SELECT day, at, typeof(at) FROM event"), "2020-01-01|1456751655000|integer")
            try expect(Event.findByAt(Self.date), [event])
        }
    }
}
