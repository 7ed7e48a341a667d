import PersistentObjects

/// A performer whose releases and songs are included, two inverses deep.
final class Performer: PersistentObject {
    var name = ""
    @Inverse(\Release.performer) var releases: [Release]
}

final class Release: PersistentObject {
    var title = ""
    var performer: Performer?
    @Inverse(\Song.release) var songs: [Song]
}

final class Song: PersistentObject {
    var title = ""
    var milliseconds = 0
    var release: Release?
    var genre: Genre?
}

/// An object with a long array of objects that have references.
final class Playlist: PersistentObject {
    var name = ""
    var songs: [Song] = []
}

enum PlaylistData {
    static func count(_ rows: Int) -> Int { max(10, rows / 10) }

    /// Saves a tenth as many songs as rows, and a playlist with a third of them.
    static func save(rows: Int, in session: Session) throws {
        let count = count(rows)
        let performers = (0..<max(1, count / 12)).map { number in
            let performer = Performer()
            performer.name = "Performer \(number)"
            return performer
        }
        let releases = (0..<max(1, count / 10)).map { number in
            let release = Release()
            (release.title, release.performer) = ("Release \(number)", performers[number * 7 % performers.count])
            return release
        }
        let genres = (0..<25).map { number in
            let genre = Genre()
            genre.name = "Genre of songs \(number)"
            return genre
        }
        let songs = (0..<count).map { number in
            let song = Song()
            (song.title, song.milliseconds) = ("Song number \(number)", 180_000 + number)
            (song.release, song.genre) = (releases[number / 10 % releases.count], genres[number % 25])
            return song
        }
        try session.save(songs)
        let playlist = Playlist()
        playlist.name = "All of them"
        playlist.songs = songs.filter { $0.milliseconds % 3 == 0 }
        try playlist.save()
    }
}

private final class FloorPerformer {
    let id: Int64
    let name: String
    var releases: [FloorRelease] = []

    init(_ row: FloorStatement) { (id, name) = (row.integer(0), row.text(1)) }
}

private final class FloorRelease {
    let id: Int64
    let title: String
    unowned let performer: FloorPerformer
    var songs: [FloorSong] = []

    init?(_ row: FloorStatement, _ performers: [Int64: FloorPerformer]) {
        guard let performer = performers[row.integer(2)] else { return nil }
        (id, title, self.performer) = (row.integer(0), row.text(1), performer)
    }
}

private final class FloorSong {
    let id: Int64
    let title: String
    let milliseconds: Int
    unowned let release: FloorRelease
    let genre: FloorNamed?

    init?(_ row: FloorStatement, _ releases: [Int64: FloorRelease], _ genres: [Int64: FloorNamed]) {
        guard let release = releases[row.integer(3)] else { return nil }
        (id, title, milliseconds) = (row.integer(0), row.text(1), Int(row.integer(2)))
        (self.release, genre) = (release, genres[row.integer(4)])
    }
}

/// The prepared statements of performers, releases and songs.
private struct FloorSongs {
    let performers, releases, songs, genres, playlist: FloorStatement

    init(_ database: FloorDatabase) throws {
        performers = try database.prepare("SELECT id, name FROM performer")
        releases = try database.prepare("SELECT id, title, performer_id FROM \"release\"")
        genres = try database.prepare("SELECT id, name FROM genre")
        songs = try database.prepare("SELECT id, title, milliseconds, release_id, genre_id FROM song")
        playlist = try database.prepare(
            """
            SELECT song.id, title, milliseconds, release_id, genre_id FROM playlist_songs JOIN song
            ON song.id = value_id WHERE owner_id = 1 ORDER BY position
            """)
    }

    /// All performers with their releases and songs.
    func all() throws -> [FloorPerformer] {
        let all = try performers.rows(FloorPerformer.init)
        let performersByID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
        let allReleases = try releases.rows { FloorRelease($0, performersByID) }.compactMap(\.self)
        for release in allReleases { release.performer.releases.append(release) }
        let releasesByID = Dictionary(uniqueKeysWithValues: allReleases.map { ($0.id, $0) })
        let genresByID = try FloorNamed.all(genres)
        for song in try songs.rows({ FloorSong($0, releasesByID, genresByID) }) {
            if let song { song.release.songs.append(song) }
        }
        return all
    }
}

func playlistWorks() -> [Comparison] {
    [
        Comparison(
            "all performers including their releases and songs", .references, .ratio(1.4), on: .shop,
            operations: PlaylistData.count,
            ours: { trial in
                try trial.inSession(using: Performer.self, Song.self) { _ in
                    try withAll({ try Performer.query.including(\.releases.songs).all() }) { performer in
                        performer.releases.reduce(0) { $0 + $1.songs.reduce(0) { $0 &+ $1.milliseconds } }
                    }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let songs = try FloorSongs(database)
                    return try withAll({ try songs.all() }) { performer in
                        performer.releases.reduce(0) { $0 + $1.songs.reduce(0) { $0 &+ $1.milliseconds } }
                    }
                }
            }),
        Comparison(
            "a playlist of a thirtieth as many songs", .references, .ratio(1.4), on: .shop,
            operations: { PlaylistData.count($0) / 3 },
            ours: { trial in
                try trial.inSession(using: Playlist.self, Song.self) { _ in
                    try withAll({ try Playlist.all() }) { $0.songs.reduce(0) { $0 &+ $1.milliseconds } }
                }
            },
            floor: { trial in
                try trial.onDatabase { database in
                    let statements = try FloorSongs(database)
                    var held: [FloorPerformer] = []
                    defer { withExtendedLifetime(held) {} }
                    return try withAll(
                        {
                            held = try statements.performers.rows(FloorPerformer.init)
                            let performers = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) })
                            let releases = try statements.releases.rows { FloorRelease($0, performers) }
                            let byID = Dictionary(
                                uniqueKeysWithValues: releases.compactMap(\.self).map { ($0.id, $0) })
                            let genres = try FloorNamed.all(statements.genres)
                            let songs = try statements.playlist.rows { FloorSong($0, byID, genres) }
                            return songs.compactMap(\.self)
                        }, { $0.milliseconds })
                }
            }),
    ]
}
