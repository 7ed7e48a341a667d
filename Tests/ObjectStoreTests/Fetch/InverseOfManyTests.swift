import TestSupport
import Testing

@testable import PersistentObjects

/// Inverses of many objects, whose other side is read in the order of its table if most of its rows are needed.
struct InverseOfManyTests {
    final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        var number = 0
        @Inverse(\Book.shelf) var books: [Book]
    }

    class Book: PersistentObject {
        override class var tableName: String { "book" }
        var number = 0
        var shelf: Shelf?
    }

    final class Atlas: Book { var scale = 0 }

    private static let shelfCount = 300
    private static let bookCount = 1_200

    /// The shelf of a book; nil for the books that are on none. Neighboring books are on different shelves.
    private func shelf(of book: Int, keeping share: Int) -> Int? {
        book % 10 < share ? book * 7 % Self.shelfCount : nil
    }

    /// Saves the shelves and books, and runs the body in a new session.
    private func withShelves(keeping share: Int, withAtlases: Bool = false, _ body: (Session) throws -> Void) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let shelves = (0..<Self.shelfCount).map { number in
                    let shelf = Shelf()
                    shelf.number = number
                    return shelf
                }
                try session.save(shelves)
                try session.save(
                    (0..<Self.bookCount).map { number in
                        let book = withAtlases && number % 3 == 0 ? Atlas() : Book()
                        book.number = number
                        book.shelf = shelf(of: number, keeping: share).map { shelves[$0] }
                        return book
                    })
            }
            try store.withSession { try body($0) }
        }
    }

    /// Checks the books of shelves, and returns the statements that read the books.
    private func bookStatements(
        reading shelves: Query<Shelf>, keeping share: Int, in session: Session
    ) throws -> [String] {
        let expected = Dictionary(grouping: 0..<Self.bookCount) { shelf(of: $0, keeping: share) }
        return try statements(of: session) {
            let found = try shelves.including(\.books).all()
            try #require(!found.isEmpty)
            for shelf in found {
                expect(shelf.books.map(\.number), expected[shelf.number] ?? [])
                #expect(shelf.books.allSatisfy { $0.shelf === shelf })
            }
        }.filter { $0.contains("\"book\"") && $0.contains("BETWEEN") }
    }

    @Test(arguments: [false, true])
    func `if most rows are needed, they are read in the order of the table`(withAtlases: Bool) throws {
        try withShelves(keeping: 8, withAtlases: withAtlases) { session in
            let read = try bookStatements(reading: Shelf.query, keeping: 8, in: session)
            expect(read.count, TestEngine.isPostgres ? 1 : 2)
            expect(read.contains { $0.contains("+\"book\"") }, !TestEngine.isPostgres)
        }
    }

    @Test func `if few rows are needed, the index leads to them`() throws {
        try withShelves(keeping: 3) { session in
            let read = try bookStatements(reading: Shelf.query, keeping: 3, in: session)
            #expect(!read.contains { $0.contains("+\"book\"") })
        }
    }

    @Test func `for a few objects, the rows are not counted`() throws {
        try withShelves(keeping: 10) { session in
            let read = try bookStatements(reading: Shelf.query.limit(100), keeping: 10, in: session)
            #expect(read.count == 1 && !read[0].contains("count("))
        }
    }

    @Test func `an edited reference is kept, and its object is in the new owner's inverse only`() throws {
        try withShelves(keeping: 10) { session in
            let book = try #require(try Book.query.order(by: \.number).first())
            let target = try #require(try Shelf.query.order(by: \.number).limit(2).all().last)
            book.shelf = target
            let shelves = try Shelf.query.including(\.books).all()
            #expect(book.shelf === target)
            try session.saveChanges()
            for shelf in shelves { expect(shelf.books.contains { $0 === book }, shelf === target) }
        }
    }
}
