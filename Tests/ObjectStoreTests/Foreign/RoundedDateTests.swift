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
