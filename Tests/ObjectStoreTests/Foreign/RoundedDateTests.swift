import Foundation
import Observation
import TestSupport
import Testing

@testable import PersistentObjects

/// Dates with more decimal places than their columns can hold: a save rounds them in the object too.
@Suite struct RoundedDateTests {
    private final class Event: PersistentObject {
        override class var tableName: String { "rounded_event" }
        @Column("ms", format: .unixMilliseconds) var ms = Date()
        @Column("julian", format: .julianDay) var julian: Date?
        @Column("unix", format: .unixSeconds) var unix: Date?
        @Column("iso", format: .iso8601) var iso: Date?
        @Column("time", format: .dateTime) var time: Date?
        var name = ""

        func set(_ date: Date) { (ms, julian, unix, iso, time) = (date, date, date, date, date) }
        var dates: [Date?] { [ms, julian, unix, iso, time] }
    }

    private static let long = [707_796_892.765_163_1, 0.123_456_789_012_3, -1e9 / 7, 1e10 / 3, 707_796_892.765].map {
        Date(timeIntervalSinceReferenceDate: $0)
    }

    @Test func `a save rounds dates in the object to the precision of their columns`() throws {
        try withTemporarySession { session, _ in
            for (place, date) in Self.long.enumerated() {
                let event = Event()
                event.set(date)
                try event.save()
                let saved = event.dates
                #expect(saved.allSatisfy { abs(($0 ?? .now).timeIntervalSince(date)) <= 0.000_6 } && !event.hasChanges)
                try event.reload()
                #expect(event.dates == saved, "\(place)")
                event.name = "later"
                event.set(date + 60)
                try session.saveChanges()
                let updated = event.dates
                #expect(!event.hasChanges && updated != saved)
                try event.reload()
                #expect(event.dates == updated, "\(place)")
                // A date that is already rounded keeps all its bits.
                event.name = "last"
                event.ms = updated[0] ?? .now
                try event.save()
                #expect(event.dates == updated)
            }
        }
    }

    @Test func `a condition rounds its date as a save does`() throws {
        try withTemporarySession { session, _ in
            for (place, date) in (Self.long + [Date(timeIntervalSince1970: 1_770_000_000.123_456_7)]).enumerated() {
                let event = Event()
                event.set(date)
                try event.save()
                let (ms, julian, iso, time) = (event.ms, event.julian, event.iso, event.time)
                try expect(Event.where { $0.ms == date && $0.ms == ms }.count(), 1, "\(place)")
                try expect(Event.where { $0.julian == date && $0.julian == julian }.count(), 1, "\(place)")
                try expect(Event.where { $0.unix == date }.count(), 1, "\(place)")
                try expect(Event.where { $0.iso == date && $0.iso == iso }.count(), 1, "\(place)")
                try expect(Event.where { $0.time == date && $0.time == time }.count(), 1, "\(place)")
                try event.delete()
            }
        }
    }

    @Test(.onSQLite("julianday() is SQLite's function"))
    func `a Julian day has the bits that SQLite computes`() throws {
        try withTemporarySession { session, _ in
            var generator = SeededGenerator(seed: 7)
            for _ in 0..<200 {
                let event = Event()
                let milliseconds = Int64.random(in: -5_000_000_000_000...5_000_000_000_000, using: &generator)
                event.julian = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
                try event.save()
                let seconds = milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
                let text = String(format: ".%03lld", milliseconds - seconds * 1000)
                let rows = try session.rows(
                    "SELECT julian = julianday(strftime('%Y-%m-%d %H:%M:%S', ?, 'unixepoch') || ?) AS same, julian "
                        + "FROM rounded_event WHERE id = ?", seconds, text, event.id)
                #expect(try rows.first?.value("same") == true, "\(milliseconds)")
            }
        }
    }

    @Observable final class Watched: PersistentObject {
        override class var tableName: String { "watched" }
        override class var origin: TableOrigin { .existing }
        var at = Date()
    }

    @Test func `observers are notified when a save rounds a date`() throws {
        try SampleFile.with("CREATE TABLE watched (id INTEGER PRIMARY KEY, at DATETIME NOT NULL)") { _, _ throws in
            let watched = Watched()
            watched.at = Date(timeIntervalSinceReferenceDate: 0.123_456_789_012_3)
            let isTold = Recorder<Bool>()
            withObservationTracking {
                _ = watched.at
            } onChange: {
                isTold.add(true)
            }
            try watched.save()
            #expect(isTold.all == [true] && watched.at.timeIntervalSinceReferenceDate == 0.123_456_789)
        }
    }

    @Test func `a class without such columns has no rounding in its saves`() throws {
        final class Plain: PersistentObject {
            override class var tableName: String { "rounded_plain" }
            var at = Date()
            @Column("day", format: .day) var day: Date?
        }
        let map = try ClassMap.map(of: Plain.self)
        #expect(map.isSavedAlone && map.isUpdatedAlone && map.roundedOrdinals.isEmpty)
    }
}
