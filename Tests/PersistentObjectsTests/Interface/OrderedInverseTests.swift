import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Inverses that are sorted by values of their objects.
@Suite struct OrderedInverseTests {
    enum Mood: Int, Codable, Comparable {
        case sad, calm, glad
        static func < (a: Mood, b: Mood) -> Bool { a.rawValue < b.rawValue }
    }
    struct Place: Codable {
        var row = 0
    }

    final class Album: PersistentObject {
        override class var tableName: String { "ordered_album" }
        var title = ""
        @Inverse(\Track.album, order: .by(\.disc).then(\.title, .descending).then(\.price)) var tracks: [Track]
        @Inverse(\Track.guests, order: .by(\Track.price, .descending)) var guestTracks: [Track]
        @Inverse(\Album.parent, order: .by(\.title)) var parts: [Album]
        @Inverse(\Track.moodAlbum, order: .by(\.mood, .descending).then(\.place.row), onDelete: .cascade)
        var moods: [Track]
        @Inverse(\Track.album, order: .by(\.id, .descending)) var latest: [Track]
        @Inverse(\Track.album, order: .by(\.disc).then(\.id, .descending)) var latestOfDiscs: [Track]
        var parent: Album?
    }
    class Track: PersistentObject {
        override class var tableName: String { "ordered_track" }
        var title = ""
        var disc: Int?
        var price = Decimal(0)
        var mood = Mood.calm
        @Embedded var place = Place()
        var album: Album?
        var moodAlbum: Album?
        var guests: [Album] = []
    }
    final class Bonus: Track { var note = "" }

    private let titles = ["", "a", "B", "b", "ä", "Z", "日本"]

    private func track(_ random: inout SeededGenerator, _ album: Album?) -> Track {
        let track = Bool.random(using: &random) ? Track() : Bonus()
        track.title = titles.randomElement(using: &random) ?? ""
        track.disc = [nil, 1, 2, 10].randomElement(using: &random) ?? nil
        track.price = Decimal(Int.random(in: 0..<120, using: &random)) / 10
        track.mood = [.sad, .calm, .glad].randomElement(using: &random) ?? .calm
        track.place.row = Int.random(in: -3..<12, using: &random)
        track.album = album
        track.moodAlbum = album
        track.guests = album.map { [$0] } ?? []
        return track
    }

    private func isInOrder(_ a: Track, _ b: Track) -> Bool {
        if a.disc != b.disc { return a.disc.map { first in b.disc.map { first < $0 } ?? false } ?? true }
        if a.title != b.title { return a.title > b.title }
        if a.price != b.price { return a.price < b.price }
        return (a.id ?? .max) < (b.id ?? .max)
    }

    private func check(_ album: Album, _ tracks: [Track], at location: SourceLocation = #_sourceLocation) {
        expect(album.tracks, tracks.sorted(by: isInOrder), sourceLocation: location)
        expect(album.guestTracks.map(\.price), tracks.map(\.price).sorted(by: >), sourceLocation: location)
        expect(
            album.latest.map(\.id), tracks.map(\.id).sorted { ($0 ?? .max) > ($1 ?? .max) }, sourceLocation: location)
        let ofDiscs = album.latestOfDiscs.map { [$0.disc ?? -1, -Int($0.id ?? .max)] }
        expect(ofDiscs, ofDiscs.sorted { $0.lexicographicallyPrecedes($1) }, sourceLocation: location)
        let moods = album.moods.map { [-$0.mood.rawValue, $0.place.row] }
        expect(
            moods, tracks.map { [-$0.mood.rawValue, $0.place.row] }.sorted { $0.lexicographicallyPrecedes($1) },
            sourceLocation: location)
    }

    @Test(arguments: SeededGenerator.seeds(4))
    func `objects that are read, added or removed keep the inverse sorted`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        try withTemporarySession { session, _ in
            let album = Album()
            try album.save()
            var tracks = (0..<30).map { _ in track(&random, album) }
            try session.save(tracks)
            check(album, tracks)
            // Objects are added and removed while the inverse is in memory.
            for _ in 0..<10 {
                let new = track(&random, album)
                try new.save()
                tracks.append(new)
                check(album, tracks)
                let gone = tracks.remove(at: Int.random(in: 0..<tracks.count, using: &random))
                if Bool.random(using: &random) {
                    try gone.delete()
                } else {
                    (gone.album, gone.moodAlbum, gone.guests) = (nil, nil, [])
                    try gone.save()
                }
                check(album, tracks)
            }
            #expect(!album.hasChanges)
            // Another session reads the inverse, by itself and with the query.
            let id = album.id ?? 0
            let expected = tracks.sorted(by: isInOrder).map(\.id)
            try session.store.withSession { _ in
                let found = try #require(try Album.find(id))
                expect(found.tracks.map(\.id), expected)
            }
            try session.store.withSession { _ in
                let read = try Album.query.including(\.tracks).including(\.guestTracks).including(\.moods).all()
                expect(read.first?.tracks.map(\.id), expected)
                check(try #require(read.first), try #require(read.first).tracks)
            }
            // Objects committed by other sessions are inserted at their positions.
            try session.store.withSession { _ in
                let other = try #require(try Album.find(id))
                for _ in 0..<5 { try track(&random, other).save() }
            }
            let all = try Track.where { $0.album == album }.all()
            expect(all.count, tracks.count + 5)
            check(album, all)
        }
    }

    @Test func `the owner can set the inverse in any order, and a reload sorts it`() throws {
        var random = SeededGenerator(seed: 9)
        try withTemporarySession { session, _ in
            let album = Album()
            let tracks = (0..<12).map { _ in track(&random, nil) }
            album.tracks = tracks
            try album.save()
            #expect(album.tracks == tracks && tracks.allSatisfy { $0.album === album } && !album.hasChanges)
            tracks[0].disc = 99
            try tracks[0].save()
            try album.reload()
            #expect(album.tracks == tracks.sorted(by: isInOrder) && album.tracks.last === tracks[0])
        }
    }

    @Test func `an inverse of its own class is sorted, also after a rollback`() throws {
        try withTemporarySession { session, _ in
            let album = Album()
            album.parts = ["c", "a", "b"].map { title in
                let part = Album()
                part.title = title
                return part
            }
            try album.save()
            try album.reload()
            expect(album.parts.map(\.title), ["a", "b", "c"])
            try session.transaction {
                album.parts[1].parent = nil
                try album.parts[1].save()
                expect(album.parts.map(\.title), ["a", "c"])
                session.rollBack()
            }
            expect(album.parts.map(\.title), ["a", "b", "c"])
        }
    }

    @Test func `an inverse that was unloaded and looked up again is sorted`() throws {
        try withTemporarySession { session, _ in
            let album = Album()
            try album.save()
            let tracks = (0..<20).map { index in
                let track = Track()
                (track.title, track.disc, track.album) = ("t", (index * 7) % 20, album)
                return track
            }
            try session.save(tracks)
            let sorted = tracks.sorted(by: isInOrder)
            expect(album.tracks, sorted)
            var calls = 0
            while album.$tracks.isLoaded, calls < 5000 {
                _ = try Album.count()
                try Album().save()
                calls += 1
            }
            #expect(!album.$tracks.isLoaded)
            tracks[3].disc = 100
            try tracks[3].save()
            expect(album.tracks, tracks.sorted(by: isInOrder))
        }
    }

    final class Loop: PersistentObject {
        @Lazy var text = ""
        var link: Loop?
        var length: Int { text.count }
        @Inverse(\Loop.link, order: .by(\.text)) var lazily: [Loop]
    }
    final class Computed: PersistentObject {
        var text = ""
        var link: Computed?
        var length: Int { text.count }
        @Inverse(\Computed.link, order: .by(\.length)) var computed: [Computed]
    }

    @Test func `an order by lazy or computed properties is refused with class, property and reason`() throws {
        try withTemporaryStore { store, _ in
            let lazily = #expect(throws: SchemaError.self) { try store.prepare(Loop.self) }
            #expect("\(String(describing: lazily))".contains("Loop.lazily: order: "))
            let computed = #expect(throws: SchemaError.self) { try store.prepare(Computed.self) }
            let text = "\(String(describing: computed))"
            #expect(text.contains("Computed.computed: order: ") && text.contains("computed, not stored"), "\(text)")
        }
    }
}
