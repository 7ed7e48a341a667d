import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Deletions and unsaved edits: an object that an edit moved away from its owner is not deleted with the owner.
struct UnsavedMoveTests {
    final class Album: PersistentObject {
        override class var tableName: String { "album" }
        var name = ""
        @Inverse(\Photo.album, onDelete: .cascade) var photos: [Photo]
        @Inverse(\Photo.cover) var covers: [Photo]
    }

    final class Photo: PersistentObject {
        override class var tableName: String { "photo" }
        var title = ""
        var cover: Album?
        var album: Album?
        override func validate(_ problems: inout Problems) {
            problems.require(title != "bad", \Photo.title, "is bad")
        }
    }

    final class Book: PersistentObject {
        override class var tableName: String { "book" }
        override class var deleteRules: [String: DeleteRule] {
            ["pages": .cascade, "map": .cascade, "appendix": .cascade]
        }
        var pages: [Page] = []
        var appendix: [Page] = []
        var map: Page?
    }

    final class Page: PersistentObject { override class var tableName: String { "page" } }

    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        @Inverse(\Volume.shelf, onDelete: .cascade) var volumes: [Volume]
    }

    final class Volume: PersistentObject {
        override class var tableName: String { "volume" }
        override class var deleteRules: [String: DeleteRule] { ["pages": .cascade] }
        var shelf: Shelf?
        var pages: [Page] = []
        @Inverse(\Chapter.volume, onDelete: .cascade) var chapters: [Chapter]
    }

    final class Chapter: PersistentObject {
        override class var tableName: String { "chapter" }
        var volume: Volume?
    }

    final class Street: PersistentObject {
        override class var tableName: String { "street" }
        @Inverse(\Lot.street, onDelete: .deny) var lots: [Lot]
    }

    final class Lot: PersistentObject {
        override class var tableName: String { "lot" }
        var street: Street?
    }

    final class Singer: PersistentObject {
        override class var tableName: String { "singer" }
        @Inverse(\Song.singers, onDelete: .cascade) var songs: [Song]
    }

    final class Song: PersistentObject {
        override class var tableName: String { "song" }
        var singers: [Singer] = []
    }

    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
        var folder: Folder?
    }

    final class Folder: PersistentObject {
        override class var tableName: String { "folder" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
        @Inverse(\Note.folder, onDelete: .cascade) var notes: [Note]
    }

    private struct Stop: Error {}

    /// Saves an album with three photos, and another album.
    private func albums(_ session: Session) throws -> (old: Album, new: Album, photos: [Photo]) {
        let (old, new) = (Album(), Album())
        let photos = (0..<3).map { _ in
            let photo = Photo()
            (photo.album, photo.cover) = (old, old)
            return photo
        }
        try session.save([old, new])
        try session.save(photos)
        return (old, new, photos)
    }

    @Test(arguments: ["object", "query", "session", "finder"])
    func `a moved object stays, and its move is saved`(how: String) throws {
        try withTemporarySession { session, file in
            let (old, new, photos) = try albums(session)
            old.name = "old"
            try old.save()
            _ = (old.photos, new.photos)
            photos[0].album = new
            photos[1].title = "another edit"
            photos[1].cover = new
            switch how {
            case "object": try old.delete()
            case "query": try Album.where { $0.name == "old" }.delete()
            case "session": try session.delete([old])
            default: _ = try Album.deleteBy.name("old")
            }
            #expect(!photos[0].isDeleted && photos[1].isDeleted && photos[2].isDeleted)
            #expect(try file.sqlite("SELECT id, album_id FROM photo") == "1|2")
            #expect(photos[0].album === new && !photos[0].hasChanges && new.photos == [photos[0]])
            try session.saveChanges()
            #expect(try file.sqlite("SELECT id, album_id, cover_id FROM photo") == "1|2|")
        }
    }

    @Test func `an object whose reference is now nil stays, and so does an object moved to a new owner`() throws {
        try withTemporarySession { session, file in
            let (old, new, photos) = try albums(session)
            let newest = Album()
            photos[0].album = nil
            photos[1].album = newest
            try session.delete([old, new])
            #expect(newest.id == 3 && photos[2].isDeleted)
            #expect(try file.sqlite("SELECT id, album_id FROM photo ORDER BY id") == "1|\n2|3")
        }
    }

    @Test func `an object whose new owner is deleted too is deleted`() throws {
        try withTemporarySession { session, file in
            let (old, new, photos) = try albums(session)
            photos[0].album = new
            try session.delete([new, old])
            #expect(photos[0].isDeleted)
            #expect(try file.sqlite("SELECT count(*) FROM photo") == "0")
        }
    }

    @Test(arguments: [0, 1])
    func `an element added to two owners stays if one of them is deleted`(deleted: Int) throws {
        try withTemporarySession { session, store in
            let (old, page) = (Book(), Page())
            let takers = [Book(), Book()]
            old.pages = [page]
            try session.save([old] + takers)
            for taker in takers { taker.pages = [page] }
            old.pages = []
            try session.delete([old, takers[deleted]])
            #expect(!page.isDeleted && !takers[1 - deleted].hasChanges)
            try store.open().withSession { _ throws in
                try expect(Page.count(), 1)
                try expect(Book.query.single().pages.map(\.id), [page.id])
            }
            withExtendedLifetime(session) {}
        }
    }

    @Test func `the edit of a released object counts`() throws {
        try withTemporarySession { session, file in
            let new = Album()
            let old = try {
                let (old, other, photos) = try albums(session)
                photos[0].album = new
                photos[1].title = "x"
                withExtendedLifetime(other) {}
                return old
            }()
            try old.delete()
            #expect(try file.sqlite("SELECT id, album_id FROM photo") == "1|3")
            #expect(!session.hasChanges)
        }
    }

    @Test func `a rollback restores the edit`() throws {
        try withTemporarySession { session, file in
            let (old, new, photos) = try albums(session)
            photos[0].album = new
            do {
                try session.transaction {
                    try old.delete()
                    #expect(photos[1].isDeleted && !photos[0].hasChanges)
                    throw Stop()
                }
            } catch is Stop {}
            #expect(!old.isDeleted && !photos[1].isDeleted && photos[0].album === new)
            #expect(photos[0].changes.map(\.name) == ["album"])
            #expect(try file.sqlite("SELECT count(*), min(album_id), max(album_id) FROM photo") == "3|1|1")
            try session.transaction { try old.delete() }
            #expect(try file.sqlite("SELECT id, album_id FROM photo") == "1|2")
        }
    }

    @Test func `if the moved object is invalid, the deletion is refused`() throws {
        try withTemporarySession { session, file in
            let (old, new, photos) = try albums(session)
            photos[0].album = new
            photos[0].title = "bad"
            let error = #expect(throws: StoreError.self) { try old.delete() }
            #expect(error?.code == .invalid && !old.isDeleted && photos[0].album === new)
            #expect(try file.sqlite("SELECT count(*) FROM photo") == "3")
            photos[0].title = "good"
            try old.delete()
            #expect(try file.sqlite("SELECT title FROM photo") == "good")
        }
    }

    @Test func `an element moved from one owning collection to another stays`() throws {
        try withTemporarySession { session, file in
            let books = [Book(), Book(), Book()]
            books[0].pages = [Page(), Page(), Page()]
            books[0].map = Page()
            try session.save(books)
            let pages = books[0].pages + [books[0].map].compactMap(\.self)
            // To the same property, to another property and to a reference; one page is not moved.
            (books[1].pages, books[1].appendix, books[2].map) = ([pages[0]], [pages[3]], pages[1])
            (books[0].pages, books[0].map) = ([], nil)
            try books[0].delete()
            #expect(pages.map(\.isDeleted) == [false, false, true, false])
            try session.saveChanges()
            func ids(_ book: Book, _ page: Page) -> String { "\(book.id ?? 0)|\(page.id ?? 0)" }
            #expect(try file.sqlite("SELECT owner_id, value_id FROM book_pages") == ids(books[1], pages[0]))
            #expect(try file.sqlite("SELECT owner_id, value_id FROM book_appendix") == ids(books[1], pages[3]))
            #expect(try file.sqlite("SELECT id, map_id FROM book WHERE map_id > 0") == ids(books[2], pages[1]))
        }
    }

    @Test func `saving only the former owner also saves the new owner`() throws {
        try withTemporarySession { session, file in
            let (first, second) = (Book(), Book())
            first.pages = [Page(), Page()]
            try session.save([first, second])
            let pages = first.pages
            second.pages = [pages[0]]
            first.pages = []
            try first.save()
            #expect(!pages[0].isDeleted && pages[1].isDeleted && !second.hasChanges)
            #expect(try file.sqlite("SELECT owner_id, value_id FROM book_pages") == "2|1")
        }
    }

    @Test func `an element still in the collections of both owners is deleted with one of them`() throws {
        try withTemporarySession { session, _ in
            let (first, second) = (Book(), Book())
            first.pages = [Page()]
            try session.save([first, second])
            let page = first.pages[0]
            second.pages = [page]
            try session.save(second)
            try first.delete()
            #expect(page.isDeleted && second.pages.isEmpty)
        }
    }

    @Test func `in one save, an orphan's cascade spares the elements that new and changed objects own`() throws {
        try withTemporarySession { session, file in
            let (shelf, volume, better, other) = (Shelf(), Volume(), Volume(), Volume())
            volume.pages = [Page(), Page(), Page()]
            volume.chapters = [Chapter(), Chapter(), Chapter()]
            shelf.volumes = [volume]
            try session.save([shelf, other])
            let (pages, chapters) = (volume.pages, volume.chapters)
            better.pages = [pages[0]]
            other.pages = [pages[1]]
            other.shelf = shelf
            chapters[0].volume = better
            chapters[1].volume = other
            shelf.volumes = [better, other]
            try shelf.save()
            #expect(volume.isDeleted && pages.map(\.isDeleted) == [false, false, true])
            #expect(chapters.map(\.isDeleted) == [false, false, true])
            try session.saveChanges()
            #expect(try file.sqlite("SELECT owner_id, value_id FROM volume_pages ORDER BY 2") == "3|1\n1|2")
            #expect(try file.sqlite("SELECT id, volume_id FROM chapter ORDER BY 1") == "1|3\n2|1")
        }
    }

    @Test func `deny counts the references in memory`() throws {
        try withTemporarySession { session, file in
            let street = Street()
            let lots = [Lot(), Lot()]
            for lot in lots { lot.street = street }
            try session.save(lots)
            lots[0].street = nil
            let error = #expect(throws: StoreError.self) { try street.delete() }
            #expect(error?.code == .deletionDenied && lots[0].hasChanges)
            lots[1].street = nil
            try street.delete()
            #expect(try file.sqlite("SELECT count(*), count(street_id) FROM lot") == "2|0")
            #expect(!session.hasChanges)
        }
    }

    @Test func `an object moved away through the other side of a collection stays`() throws {
        try withTemporarySession { session, file in
            let singers = [Singer(), Singer()]
            let songs = [Song(), Song()]
            for song in songs { song.singers = singers }
            try session.save(songs)
            songs[0].singers.remove(at: 0)
            try singers[0].delete()
            #expect(!songs[0].isDeleted && songs[1].isDeleted && songs[0].singers == [singers[1]])
            #expect(try file.sqlite("SELECT owner_id, value_id FROM song_singers") == "1|2")
        }
    }

    @Test func `a soft deletion cascades according to the references in memory`() throws {
        try withTemporarySession { session, file in
            let (old, new) = (Folder(), Folder())
            let notes = [Note(), Note()]
            for note in notes { note.folder = old }
            try session.save(notes + [new])
            notes[0].folder = new
            try old.delete()
            #expect(notes[0].deletedAt == nil && notes[1].deletedAt != nil)
            let ids = [notes[0].id, new.id].map { "\($0 ?? 0)" }.joined(separator: "|")
            #expect(try file.sqlite("SELECT id, folder_id FROM note WHERE deleted_at IS NULL") == ids)
        }
    }
}
