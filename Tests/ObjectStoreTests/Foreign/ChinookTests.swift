import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// An existing database with integer keys: its rows are found, changed and deleted like the rows of the library's
/// tables.
struct ChinookTests {
    typealias Artist = Chinook.Artist
    typealias Album = Chinook.Album
    typealias Track = Chinook.Track
    typealias Employee = Chinook.Employee
    typealias Playlist = Chinook.Playlist

    @Test func `reading and writing rows leaves the file's schema unchanged`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite(Chinook.sql)
        let before = try file.sqlite("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        try file.open().withSession { session throws in
            let artist = Artist()
            artist.name = "Queen"
            try artist.save()
            try artist.delete()
            try expect(Playlist.count(), 3)
            try expect(Chinook.PlaylistTrack.count(), 5)
            try expect(Chinook.TrackLength.count(), 7)
            try expect(Employee.count(), 4)
        }
        try expect(file.sqlite("SELECT type, name, sql FROM sqlite_schema ORDER BY name"), before)
    }

    @Test func `ids are the values of the key column, whatever its name`() throws {
        try Chinook.with { _, _ throws in
            try expect(Artist.all().map(\.id), [1, 2, 3, 22])
            try expect(Artist.find(22)?.name, "Led Zeppelin")
            #expect(try Artist.find(4) == nil)
            try expect(Artist.find([22, 1, 9]).map(\.id), [22, 1])
            try expect(Artist.first()?.id, 1)
            try expect(Artist.last()?.id, 22)
            try expect(Artist.findByName("Accept").map(\.id), [2])
        }
    }

    @Test func `queries can use strings, numbers, references and paths`() throws {
        try Chinook.with { _, _ throws in
            try expect(Track.where { $0.milliseconds > 300_000 }.order(by: \.name).all().map(\.id), [2, 1, 15])
            try expect(Track.where { $0.album.artist.name == "Accept" }.all().map(\.id), [2, 3, 4])
            try expect(Track.where { $0.unitPrice > Decimal(1) }.all().map(\.name), ["Dog Eat Dog"])
            try expect(Track.where { $0.unitPrice == Decimal(string: "0.99")! }.count(), 5)
            try expect(Track.findByAlbumTitle("Let There Be Rock").map(\.id), [15, 16])
            try expect(Artist.where { $0.albums.any { $0.tracks.any { $0.composer == nil } } }.all().map(\.id), [2])
            try expect(Artist.where { $0.albums.isEmpty }.all().map(\.id), [22])
            try expect(Track.query.sum(\.milliseconds), 2_011_007)
            try expect(
                Track.findByCriteria("WHERE album.artist.name = ? ORDER BY Name DESC", "AC/DC").map(\.id), [15, 1, 16])
            try expect(Track.query.order(by: \.milliseconds).limit(2).offset(1).all().map(\.id), [3, 4])
        }
    }

    @Test func `references and inverses lead to the same instances in both directions`() throws {
        try Chinook.with { _, _ throws in
            let track = try #require(try Track.find(3))
            let album = try #require(track.album)
            #expect(album.title == "Restless and Wild" && album.artist?.name == "Accept")
            #expect(album.tracks.map(\.id) == [3, 4] && album.tracks[0] === track)
            expect(album.artist?.albums.map(\.id), [2, 3])
            let adams = try #require(try Employee.find(1))
            #expect(adams.boss == nil && adams.team.map(\.lastName) == ["Edwards", "Mitchell"])
            expect(adams.team[0].team.map(\.lastName), ["Peacock"])
            let entries = try #require(try Playlist.find(5)).entries
            expect(entries.map { $0.track?.name }, ["Fast As a Shark", "Walk On Water"])
        }
    }

    @Test func `saved, changed and deleted objects become rows that match the existing table`() throws {
        try Chinook.with { session, file throws in
            let artist = Artist()
            artist.name = "Queen"
            let album = Album()
            (album.title, album.artist) = ("Jazz", artist)
            let track = Track()
            (track.name, track.album, track.unitPrice) = ("Mustapha", album, Decimal(string: "1.25")!)
            try track.save()
            #expect(artist.id == 23 && album.id == 6 && track.id == 24)
            #expect(try file.sqlite("SELECT * FROM Album WHERE AlbumId = 6") == "6|Jazz|23")
            #expect(
                try file.sqlite(
                    "SELECT TrackId, AlbumId, UnitPrice, typeof(UnitPrice), Composer IS NULL FROM Track WHERE TrackId > 23"
                )
                    == "24|6|1.25|real|1")
            track.composer = "Mercury"
            #expect(
                try statements(of: session) { try track.save() }.contains {
                    $0.contains("SET \"Composer\" = ?1 WHERE rowid")
                })
            #expect(try file.sqlite("SELECT Composer FROM Track WHERE TrackId = 24") == "Mercury")
            #expect(try Track.where { $0.milliseconds == 0 }.update { $0.milliseconds = 5 } == 1)
            #expect(track.milliseconds == 5)
            try track.delete()
            #expect(try file.sqlite("SELECT count(*) FROM Track") == "7")
            #expect(try Track.where { $0.album == album }.delete() == 0)
        }
    }

    @Test func `delete rules apply even though the file's foreign keys only refuse deletions`() throws {
        try Chinook.with { session, file throws in
            // Tracks are deleted with the album, and entries of playlists with the tracks.
            try Album.find(3)?.delete()
            try expect(file.sqlite("SELECT group_concat(TrackId) FROM Track"), "1,2,15,16,23")
            try expect(file.sqlite("SELECT count(*) FROM PlaylistTrack"), "3")
            // The employee who reported to the deleted employee has no boss.
            let peacock = try #require(try Employee.find(3))
            try Employee.find(2)?.delete()
            #expect(peacock.boss == nil && !peacock.hasChanges)
            try expect(file.sqlite("SELECT ReportsTo IS NULL FROM Employee WHERE EmployeeId = 3"), "1")
            // An album must have an artist, so its artist cannot be deleted.
            let error = try #require(throws: StoreError.self) { try Artist.find(1)?.delete() }
            expect(error.code, .constraint)
            #expect(error.className == "Album" && error.property == "artist")
            expect(
                error.message,
                "The deletion would set the property to nil, but the column Album.ArtistId must not be NULL. Nothing "
                    + "was deleted. Delete the objects that refer to it, too, or change their references")
            try expect(file.sqlite("SELECT count(*) FROM Artist"), "4")
            try expect(Playlist.deleteAll(), 3)
            try expect(file.sqlite("PRAGMA foreign_key_check"), "")
        }
    }

    @Test func `a transaction that throws leaves file and memory unchanged`() throws {
        struct Stop: Error {}
        func change(_ artist: Artist, _ album: Album) throws {
            artist.name = "changed"
            let new = Album()
            (new.title, new.artist) = ("new", artist)
            try new.save()
            try album.delete()
            throw Stop()
        }
        try Chinook.with { session, file throws in
            let artist = try #require(try Artist.find(1))
            let album = try #require(try Album.find(1))
            #expect(throws: Stop.self) { try session.transaction { try change(artist, album) } }
            #expect(artist.name == "AC/DC" && !artist.hasChanges && album.id == 1 && artist.albums.map(\.id) == [1, 4])
            #expect(try file.sqlite("SELECT count(*) FROM Album; SELECT count(*) FROM Track") == "5\n7")
        }
    }

    @Test func `dates are read and written as strings in the file's form`() throws {
        try Chinook.with { _, file throws in
            let adams = try #require(try Employee.find(1))
            expect(adams.birthDate, DateText.date("1962-02-18"))
            try expect(Employee.find(6)?.birthDate, DateText.date("1973-07-01 00:00:00"))
            adams.hireDate = DateText.date("2003-01-02 03:04:05")
            try adams.save()
            try expect(
                file.sqlite("SELECT HireDate, BirthDate FROM Employee WHERE EmployeeId = 1"),
                "2003-01-02 03:04:05|1962-02-18 00:00:00")
            let limit = try #require(DateText.date("1970-01-01"))
            try expect(Employee.where { $0.birthDate < limit }.all().map(\.id), [1, 2])
            try expect(Employee.where { $0.birthDate.year == 1973 && $0.birthDate.month == 8 }.all().map(\.id), [3])
        }
    }

    @Test func `a view is read by its id column, and cannot be written`() throws {
        try Chinook.with { _, file throws in
            let length = try #require(try Chinook.TrackLength.find(3))
            #expect(length.name == "Fast As a Shark" && length.seconds == 230.619)
            try expect(Chinook.TrackLength.where { $0.seconds > 342 }.all().map(\.id), [1, 2])
            length.name = "x"
            let refusals: [() throws -> Void] = [
                { try length.save() }, { try Chinook.TrackLength().save() }, { try length.delete() },
                { _ = try Chinook.TrackLength.deleteAll() },
                { _ = try Chinook.TrackLength.where { $0.seconds > 0 }.delete() },
                { _ = try Chinook.TrackLength.query.update { $0.name = "y" } },
            ]
            for (number, refusal) in refusals.enumerated() {
                let error = try #require(throws: StoreError.self, "\(number)", performing: refusal)
                #expect(error.code == .readOnly && error.className == "TrackLength", "\(number): \(error)")
            }
            try expect(file.sqlite("SELECT Name FROM Track WHERE TrackId = 3"), "Fast As a Shark")
        }
    }
}
