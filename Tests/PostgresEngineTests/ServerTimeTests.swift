#if PostgreSQL
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Dates in columns of the server's types, in a database whose time zone is not UTC.
    @Suite(.onPostgres("a file has no types for dates")) struct ServerTimeTests {
        final class Visit: PersistentObject {
            override class var tableName: String { "visits" }
            override class var origin: TableOrigin { .existing(id: "id") }
            var moment = Date(timeIntervalSince1970: 0)
            @Column("zoned", format: .iso8601) var zoned: Date?
            @Column("local") var local: Date?
            @Column("day", format: .day) var day: Date?
            @Column("other_day") var otherDay: Date?
        }

        private func withVisits(_ body: (Store, PostgresDatabase) throws -> Void) throws {
            let database = try PostgresDatabase()
            let name = try database.psql("SELECT current_database()")
            _ = try database.psql(
                """
                CREATE TABLE visits (id bigint PRIMARY KEY, moment timestamptz NOT NULL, zoned timestamptz,
                    local timestamp, day date, other_day date);
                ALTER DATABASE "\(name)" SET timezone = 'America/St_Johns';
                """)
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try body(store, database)
        }

        private static let dates = [
            "2009-01-31T23:59:59.500Z", "1969-12-31T23:59:59.250Z", "1999-12-31T23:59:59.999Z",
            "1600-02-29T04:05:06.000Z",
            "9999-12-31T23:59:59.000Z", "2000-01-01T00:00:00.000Z", "2024-02-29T12:00:00.001Z",
        ]

        @Test func `dates are the same moments on the server, in other sessions and in conditions`() throws {
            try withVisits { store, database in
                for text in Self.dates {
                    let date = try Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
                    let day = Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 86400).rounded(.down) * 86400)
                    let id = try store.withSession { session in
                        let visit = Visit()
                        (visit.moment, visit.zoned, visit.local, visit.day, visit.otherDay) = (
                            date, date, date, day, day
                        )
                        try visit.save()
                        try expect(
                            Visit.where { $0.moment == date && $0.zoned == date && $0.local == date }.all(), [visit])
                        try expect(Visit.where { $0.day == day && $0.otherDay == day }.all(), [visit])
                        try expect(Visit.where { $0.moment < date || $0.moment > date }.count(), 0)
                        try expect(Visit.findBy.moment(date), [visit])
                        return try #require(visit.id)
                    }
                    try store.withSession { session in
                        let visit = try #require(try Visit.find(id))
                        #expect(visit.moment == date && visit.zoned == date && visit.local == date, "\(text)")
                        #expect(visit.day == day && visit.otherDay == day, "\(text)")
                        #expect(!visit.hasChanges)
                        let seen = try database.psql(
                            """
                            SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), moment = zoned,
                                local = moment AT TIME ZONE 'UTC', day = other_day FROM visits
                            """)
                        expect(seen, "\(text)|t|t|t")
                        try visit.delete()
                    }
                }
            }
        }

        @Test func `dates before the calendar's reform are the days that the server shows`() throws {
            try withVisits { store, database in
                _ = try database.psql(
                    "INSERT INTO visits VALUES (1, '0001-02-03 04:05:06+00', NULL, NULL, '0001-02-03')")
                try store.withSession { session in
                    let visit = try #require(try Visit.first())
                    let days = -719_129.0
                    expect(visit.day, Date(timeIntervalSince1970: days * 86400))
                    expect(visit.moment, Date(timeIntervalSince1970: days * 86400 + 14706))
                    visit.zoned = visit.moment
                    try visit.save()
                    expect(try database.psql("SELECT zoned = moment FROM visits"), "t")
                }
            }
        }

        @Test func `dates are sorted, listed, grouped and counted by day`() throws {
            try withVisits { store, database in
                try store.withSession { session in
                    let dates = (0..<6).map { Date(timeIntervalSince1970: Double($0) * 43_200 + 0.125) }
                    for date in dates {
                        let visit = Visit()
                        visit.moment = date
                        try visit.save()
                    }
                    try expect(Visit.query.order(by: \.moment, .descending).all().map(\.moment), dates.reversed())
                    try expect(Visit.where { $0.moment.isIn([dates[1], dates[4]]) }.count(), 2)
                    try expect(Visit.where { $0.otherDay.isIn([dates[0]]) || $0.local.isIn([dates[1]]) }.count(), 0)
                    try expect(Visit.query.max(\.moment), dates[5])
                    try expect(Visit.query.values(\.moment).sorted(), dates)
                    let row = try #require(try session.rows("SELECT moment FROM visits ORDER BY id").first)
                    try expect(row.value("moment", as: String.self), "1970-01-01 00:00:00.125")
                }
            }
        }

        @Test func `updates by a query write the same moments`() throws {
            try withVisits { store, database in
                try store.withSession { _ in
                    let dates = (0..<3).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
                    let visits = try dates.map { date in
                        let visit = Visit()
                        (visit.moment, visit.local, visit.day) = (date, date, date)
                        try visit.save()
                        return visit
                    }
                    let later = Date(timeIntervalSince1970: 1_700_000_000.25)
                    let day = Date(timeIntervalSince1970: 19_675 * 86_400)
                    let query = Visit.where { $0.moment > dates[0] }
                    try expect(query.update { ($0.zoned, $0.local, $0.day, $0.otherDay) = (later, later, day, day) }, 2)
                    let seen = try database.psql(
                        "SELECT DISTINCT zoned AT TIME ZONE 'UTC', local, day, other_day FROM visits WHERE local > '2000-1-1'"
                    )
                    expect(seen, "2023-11-14 22:13:20.25|2023-11-14 22:13:20.25|2023-11-14|2023-11-14")
                    #expect(visits[1].zoned == later && visits[2].local == later && visits[1].day == day)
                    try expect(
                        query.update { ($0.moment, $0.otherDay, $0.zoned) = ($0.local ?? later, day, nil) }, 2)
                    #expect(visits[1].moment == later && visits[2].zoned == nil && visits[2].otherDay == day)
                    try expect(
                        database.psql("SELECT count(*) FROM visits WHERE moment = local AT TIME ZONE 'UTC'"), "3")
                    try expect(Visit.where { $0.local == later }.limit(1).update { $0.moment = dates[0] }, 1)
                    try expect(Visit.where { $0.moment == dates[0] }.count(), 2)
                }
            }
        }

        @Test func `a time of day does not fit a date, and an infinite time is an error of its row`() throws {
            try withVisits { store, database in
                try store.withSession { session in
                    let visit = Visit()
                    visit.otherDay = Date(timeIntervalSince1970: 60)
                    let error = #expect(throws: StoreError.self) { try visit.save() }
                    #expect(error?.code == .typeMismatch && error?.className == "Visit", "\(error as Any)")
                    _ = try database.psql("INSERT INTO visits VALUES (9, 'infinity')")
                    let second = #expect(throws: StoreError.self) { _ = try Visit.all() }
                    #expect(second?.property == "moment" && second?.rowID == 9, "\(second as Any)")
                }
            }
        }
    }
#endif
