import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Deletions of an object whose links another session has changed, which this session has not seen.
struct StaleDeletionTests {
    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        var name = ""
        @Inverse(\Book.shelf) var books: [Book]
        @Inverse(\Book.copies) var copied: [Book]
    }

    final class Book: PersistentObject {
        override class var tableName: String { "book" }
        var pages = 0
        var shelf: Shelf?
        weak var seen: Shelf?
        @Lazy var lent: Shelf?
        var copies: [Shelf] = []
        var places: Set<Shelf> = []
        var named: [String: Shelf] = [:]
        @Lazy var former: [Shelf] = []
    }

    enum Property: CaseIterable { case shelf, seen, lent, copies, places, named, former }

    /// The call that refreshes the session.
    enum Look: CaseIterable { case refresh, query, revert, reload }

    /// The call that deletes the old shelf.
    enum Way: CaseIterable { case object, list, query, all }

    static func set(_ property: Property, of book: Book, to shelves: [Shelf]) {
        switch property {
        case .shelf: book.shelf = shelves.first
        case .seen: book.seen = shelves.first
        case .lent: book.lent = shelves.first
        case .copies: book.copies = shelves
        case .places: book.places = Set(shelves)
        case .named: book.named = Dictionary(uniqueKeysWithValues: shelves.map { ("\($0.name)", $0) })
        case .former: book.former = shelves
        }
    }

    static func shelves(_ property: Property, of book: Book) -> [Shelf] {
        switch property {
        case .shelf: book.shelf.map { [$0] } ?? []
        case .seen: book.seen.map { [$0] } ?? []
        case .lent: book.lent.map { [$0] } ?? []
        case .copies: book.copies
        case .places: book.places.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
        case .named: book.named.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
        case .former: book.former
        }
    }

    /// Puts a book on the first of two shelves; another session moves it to the second. The session of `body` has not
    /// seen the move.
    static func withMovedBook(
        _ property: Property, isRead: Bool = true, _ body: (Session, Book, [Shelf]) throws -> Void
    ) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let shelves = ["old", "new"].map { name in
                    let shelf = Shelf()
                    shelf.name = name
                    return shelf
                }
                let book = Book()
                Self.set(property, of: book, to: [shelves[0]])
                try session.save(shelves + [book])
                if isRead { for shelf in shelves { _ = (shelf.books, shelf.copied) } }
                try store.withSession { _ in
                    let (theirs, new) = (try #require(try Book.find(1)), try #require(try Shelf.find(2)))
                    Self.set(property, of: theirs, to: [new])
                    try withExtendedLifetime(new) { try theirs.save() }
                }
                try body(session, book, shelves)
            }
        }
    }

    @Test(arguments: Property.allCases, Look.allCases)
    func `after the old target is deleted, a link moved by another session has its new target`(
        property: Property, look: Look
    ) throws {
        for isRead in [true, false] {
            try Self.withMovedBook(property, isRead: isRead) { session, book, shelves in
                try shelves[0].delete()
                #expect(!book.hasChanges, "before the look")
                switch look {
                case .refresh: try session.refresh()
                case .query: _ = (try Shelf.all(), try Book.all())
                case .revert:
                    book.revert()
                    _ = try Book.all()
                case .reload: try book.reload()
                }
                #expect(Self.shelves(property, of: book) == [shelves[1]] && book.changes.isEmpty)
                #expect(property != .shelf || shelves[1].books == [book])
                #expect(property != .copies || shelves[1].copied == [book])
                book.pages += 1
                try book.save()
                #expect(Self.shelves(property, of: book) == [shelves[1]] && !book.hasChanges)
                try session.store.withSession { _ in
                    let there = try #require(try Book.find(1))
                    #expect(there.pages == 1 && Self.shelves(property, of: there).map(\.id) == [2])
                }
            }
        }
    }

    @Test(arguments: Property.allCases)
    func `an object whose old target was deleted can be saved before anything is read`(property: Property) throws {
        try Self.withMovedBook(property) { session, book, shelves in
            try shelves[0].delete()
            book.pages = 7
            try book.save()
            try expect(session.rows("SELECT pages FROM book").map { try $0.value("pages") as Int }, [7])
            try session.refresh()
            #expect(Self.shelves(property, of: book) == [shelves[1]] && !book.hasChanges)
        }
    }

    @Test(arguments: Way.allCases)
    func `the link has its new target after each way to delete the old target`(way: Way) throws {
        try Self.withMovedBook(.shelf) { session, book, shelves in
            switch way {
            case .object: try shelves[0].delete()
            case .list: try session.delete([shelves[0]])
            case .query: #expect(try Shelf.where { $0.name == "old" }.delete() == 1)
            case .all: #expect(try Shelf.deleteAll() == 2)
            }
            try session.refresh()
            #expect(book.shelf === (way == .all ? nil : shelves[1]) && !book.hasChanges)
            book.pages = 1
            try book.save()
        }
    }

    @Test func `the link has its new target after raw SQL deleted the old target`() throws {
        try Self.withMovedBook(.shelf) { session, book, shelves in
            try session.execute("DELETE FROM shelf WHERE id = 1")
            try session.refresh()
            #expect(shelves[0].isDeleted && book.shelf === shelves[1] && !book.hasChanges)
            book.pages = 1
            try book.save()
        }
    }

    @Test(arguments: Property.allCases)
    func `reverting an edit restores the link that another session set`(property: Property) throws {
        try Self.withMovedBook(property) { session, book, shelves in
            let third = Shelf()
            try third.save()
            Self.set(property, of: book, to: [third])
            try shelves[0].delete()
            #expect(book.hasChanges)
            book.revert()
            #expect(!book.hasChanges)
            _ = try Book.all()
            #expect(Self.shelves(property, of: book) == [shelves[1]] && !book.hasChanges)
        }
    }

    @Test(arguments: Property.allCases)
    func `a save of a link set to a deleted object is refused`(property: Property) throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, _ in
            let (book, shelf) = (Book(), Shelf())
            try session.save([book, shelf])
            try shelf.delete()
            Self.set(property, of: book, to: [shelf])
            #expect(book.hasChanges)
            withExtendedLifetime(shelf) {
                let error = #expect(throws: StoreError.self) { try book.save() }
                #expect(error?.code == .objectIsDeleted)
            }
        }
    }

    @Test func `a rollback restores the deleted object and the moved link`() throws {
        struct Stop: Error {}
        try Self.withMovedBook(.shelf) { session, book, shelves in
            #expect(throws: Stop.self) {
                try session.transaction {
                    try shelves[0].delete()
                    throw Stop()
                }
            }
            #expect(!shelves[0].isDeleted && !book.hasChanges)
            try session.refresh()
            #expect(book.shelf === shelves[1] && shelves[0].books == [] && shelves[1].books == [book])
        }
    }

    @Test func `a book moved here by another session leaves the inverse when it is deleted`() throws {
        try Self.withMovedBook(.copies, isRead: false) { session, book, shelves in
            expect(shelves[1].copied, [book])
            try book.delete()
            #expect(shelves[1].copied == [] && !shelves[1].hasChanges)
        }
    }

    final class Crate: PersistentObject {
        override class var tableName: String { "crate" }
        @Inverse(\Jar.crate, onDelete: .cascade) var jars: [Jar]
    }

    final class Jar: PersistentObject {
        override class var tableName: String { "jar" }
        var crate: Crate?
        var tray: Tray?
    }

    final class Tray: PersistentObject {
        override class var tableName: String { "tray" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
        @Inverse(\Jar.tray) var jars: [Jar]
    }

    @Test func `delete rules use the links in the file, and soft-deleted rows stay`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let (crates, trays, jar) = ([Crate(), Crate()], [Tray(), Tray()], Jar())
                (jar.crate, jar.tray) = (crates[0], trays[0])
                try session.save(crates + trays + [jar])
                #expect(crates[0].jars == [jar] && crates[1].jars == [] && trays[0].jars == [jar])
                try store.withSession { _ in
                    let theirs = try #require(try Jar.all().first)
                    theirs.crate = try Crate.find(2)
                    theirs.tray = try Tray.find(2)
                    try theirs.save()
                }
                try crates[0].delete()
                try trays[0].delete()
                #expect(!jar.isDeleted && !jar.hasChanges)
                try session.refresh()
                #expect(jar.crate === crates[1] && jar.tray === trays[1] && !jar.hasChanges)
                #expect(crates[1].jars == [jar] && trays[0].jars == [] && trays[1].jars == [jar])
                try crates[1].delete()
                #expect(jar.isDeleted)
            }
        }
    }
}
