#if !canImport(Darwin) || os(macOS)
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// The content of a file does not depend on the time zone or the language of the process.
    @Suite(.ownProcesses) struct TimeZoneTests {
        final class Moment: PersistentObject {
            override class var tableName: String { "moment" }
            var at = Date()
            @Column("text", format: .iso8601) var text = Date()
            @Column("local", format: .dateTime) var local = Date()
            @Column("julian", format: .julianDay) var julian = Date()
            @Column("millis", format: .unixMilliseconds) var millis = Date()
            var amount = Decimal()
        }

        /// Dates around daylight saving changes, leap seconds, leap days, days skipped by calendars, and distant
        /// dates.
        private static let seconds: [Double] = [
            0, -1, 0.5, 1_711_846_799, 1_711_846_800, 1_711_850_400, 1_729_990_800, 1_483_228_799, 1_483_228_800,
            951_782_400, 1_325_289_600, -2_208_988_801, -12_219_292_800, 253_402_300_799, 2_147_483_648, 4_102_444_800,
        ]

        private static func dump(_ path: String) throws -> [String] {
            try Store(path, configuration: .quiet).withSession { session throws in
                try session.execute("DELETE FROM moment")
                for second in seconds {
                    let moment = Moment()
                    let date = Date(timeIntervalSince1970: second)
                    (moment.at, moment.text, moment.local) = (date, date, date)
                    (moment.julian, moment.millis, moment.amount) = (date, date, Decimal(second) / 8)
                    try moment.save()
                    try moment.reload()
                    #expect(moment.at == date && moment.text == date && moment.local == date && moment.millis == date)
                    #expect(abs(moment.julian.timeIntervalSince(date)) < 0.001)
                    #expect(try Moment.findByAt(date) == [moment] && Moment.findByText(date) == [moment])
                }
                return try session.rows("SELECT at, text, local, julian, millis, amount FROM moment").map { "\($0)" }
            }
        }

        @Test func `dates and numbers are stored identically in all time zones and languages`() async throws {
            let file = try TemporaryStore()
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                try Store(path, configuration: .quiet).prepare(Moment.self)
                var dumps: Set<[String]> = []
                let zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Europe/Berlin", "nonsense"]
                for (zone, language) in zip(zones, ["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_SA.UTF-8", "fr_FR", "C"]) {
                    setenv("TZ", zone, 1)
                    setenv("LANG", language, 1)
                    setenv("LC_ALL", language, 1)
                    tzset()
                    setlocale(LC_ALL, "")
                    NSTimeZone.resetSystemTimeZone()
                    dumps.insert(try TimeZoneTests.dump(path))
                }
                expect(dumps.count, 1, "\(dumps)")
            }
        }
    }
#endif
