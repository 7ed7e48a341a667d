import PersistentObjects
import TestSupport
import Testing

/// Inverses of arrays, which can contain the same object several times.
@Suite struct InverseOfArrayTests {
    final class Song: PersistentObject {
        override class var tableName: String { "array_song" }
        var plays = 0
        var singers: [Singer] = []
        var audience: Set<Singer> = []
    }
    final class Singer: PersistentObject {
        override class var tableName: String { "array_singer" }
        var name = ""
        @Inverse(\Song.singers) var songs: [Song]
        @Inverse(\Song.audience) var heard: [Song]
        @Inverse(\Song.singers, where: { $0.plays > 10 }) var hits: [Song]
    }

    @Test func `an object that refers to its owner twice counts once in memory, counts and sums`() throws {
        try withTemporarySession { session, _ in
            let (ella, chet) = (Singer(), Singer())
            let songs = [5, 20, 30].map { plays in
                let song = Song()
                (song.plays, song.singers, song.audience) = (plays, [ella, chet, ella], [ella])
                return song
            }
            songs[2].singers = [ella, ella]
            try session.save(songs)
            #expect(ella.songs.count == 3 && chet.songs.count == 2 && ella.hits.count == 2)
            try expect(Singer.where { $0.songs.count == 3 }.all(), [ella])
            try expect(Singer.where { $0.songs.count == 2 && $0.hits.count == 1 }.all(), [chet])
            try expect(Singer.where { $0.songs.sum { $0.plays } == 55 }.all(), [ella])
            try expect(Singer.where { $0.hits.sum { $0.plays } == 50 }.all(), [ella])
            try expect(Singer.where { $0.heard.sum { $0.plays } == 55 && $0.heard.count == 3 }.all(), [ella])
            try expect(Singer.where { $0.songs.contains(songs[2]) }.all(), [ella])
            try expect(Singer.where { $0.songs.any { $0.plays == 5 } }.count(), 2)
            try expect(Singer.where { $0.hits.isEmpty }.count(), 0)
            try songs[1].delete()
            try expect(Singer.where { $0.songs.isEmpty || $0.hits.isEmpty }.all(), [chet])
        }
    }
}
