import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Uniqueness among the objects that are not soft-deleted, and deletions that soft-deleted objects do not block.
struct SoftUniquenessTests {
    class User: PersistentObject {
        override class var softDeletes: Bool { true }
        override class var tableName: String { "soft_user" }
        var email = ""
        var name = ""
        var deletedAt: Date?
        override class var indexes: [Index] {
            [
                Index(\User.email, unique: true, where: { $0.deletedAt == nil }),
                Index(\User.name, \User.email, unique: true, where: { $0.deletedAt == nil }),
            ]
        }
        override func validate(_ problems: inout Problems) {
            problems.requireUnique(\User.email)
            problems.requireUnique(\User.email, \User.name)
        }
    }
    final class Admin: User { var level = 1 }
    final class Odd: PersistentObject {
        override class var softDeletes: Bool { true }
        override class var tableName: String { "soft_odd" }
        var code = ""
        var deletedAt: Date?
        override class var indexes: [Index] { [Index(\Odd.code, unique: true, where: { $0.code != "" })] }
        override func validate(_ problems: inout Problems) { problems.requireUnique(\Odd.code) }
    }

    private func user(_ email: String, _ name: String = "") -> User {
        let user = User()
        (user.email, user.name) = (email, name)
        return user
    }

    @Test func `validation counts only rows that are not soft-deleted, and the objects of the same save`() throws {
        try withTemporarySession { session, _ in
            let one = user("a")
            try one.save()
            #expect(throws: StoreError.self) { try user("a").save() }
            try one.delete()
            let two = user("a")
            try two.save()
            let error = #expect(throws: StoreError.self) { try session.save([user("b"), user("b")]) }
            #expect(error?.code == .invalid && error?.problems.first?.property == "email")
            // A soft-deleted object is not checked, and frees its value in the same save.
            one.name = "x"
            try one.save()
            two.deletedAt = Date()
            try two.save()
            try user("a").save()
            #expect(try User.count() == 1 && User.withDeleted.count() == 3)
        }
    }

    final class Plain: PersistentObject {
        override class var softDeletes: Bool { true }
        override class var tableName: String { "soft_plain" }
        var email = ""
        var isCurrent = true
        var place = 0
        var deletedAt: Date?
        override class var keepsHistory: Bool { true }
        override class var indexes: [Index] {
            [
                Index(\Plain.email, unique: true, where: { $0.deletedAt == nil }),
                Index(\Plain.place, unique: true, where: { $0.isCurrent == true }),
            ]
        }
        convenience init(_ email: String, place: Int) {
            self.init()
            (self.email, self.place) = (email, place)
        }
    }

    @Test func `a soft-deleted row and its successor with the same value can be saved together`() throws {
        try withTemporarySession { session, _ in
            // With and without `requireUnique`, and before and after the successor in the save.
            let (one, two) = (user("a", "one"), user("b", "two"))
            try session.save([one, two])
            one.deletedAt = Date()
            let next = user("a", "next")
            try session.save([next, one])
            two.deletedAt = Date()
            next.deletedAt = Date()
            let (third, fourth) = (user("a", "third"), user("b", "fourth"))
            try session.save([third, two, fourth, next])
            #expect(try User.all().map(\.name).sorted() == ["fourth", "third"])
            // A second successor is refused, and nothing is changed.
            third.deletedAt = Date()
            #expect(throws: StoreError.self) { try session.save([third, user("a"), user("a")]) }
            third.revert()
            #expect(try User.count() == 2)
        }
        try withTemporarySession { session, _ in
            let old = (0..<5).map { Plain("m\($0)", place: $0) }
            try session.save(old)
            for each in old { each.deletedAt = Date() }
            for each in old { each.place += 10 }
            let new = (0..<5).map { Plain("m\($0)", place: $0 + 20) }
            try session.save(new + old)
            #expect(try Plain.all().map(\.id) == new.map(\.id))
            // One saved object leaves the index, and another one takes its value.
            let (first, last) = (new[0], new[4])
            (last.deletedAt, first.email) = (Date(), last.email)
            try session.save([first, last])
            let restored = new[1]
            (restored.deletedAt, first.deletedAt, restored.email) = (nil, Date(), first.email)
            try session.save([restored, first])
            #expect(try Plain.all().map(\.email) == ["m4", "m2", "m3"])
            #expect(try session.store.checkIntegrity().problems.isEmpty)
        }
    }

    @Test func `a row that leaves another partial index and its successor can be saved together`() throws {
        try withTemporarySession { session, _ in
            let old = (0..<5).map { Plain("old\($0)", place: $0) }
            try session.save(old)
            for each in old { each.isCurrent = false }
            let new = (0..<5).map { Plain("new\($0)", place: $0) }
            try session.save(new + old)
            #expect(try Plain.where { $0.isCurrent == true }.all().map(\.id) == new.map(\.id))
        }
    }

    @Test func `upsert, insertMissing and findOrCreateBy match only rows that are not soft-deleted`() throws {
        try withTemporarySession { session, _ in
            let gone = user("a", "gone")
            try gone.save()
            try gone.delete()
            let one = user("a", "one")
            #expect(try session.upsert(one, on: \.email) === one)
            #expect(try session.upsert(user("a", "two"), on: \.email) === one)
            #expect(one.name == "two" && gone.name == "gone" && gone.isDeleted)
            #expect(try session.insertMissing([user("a", "three")], on: \.email)[0] === one)
            try one.delete()
            let new = try session.insertMissing([user("a", "four")], on: \.email)[0]
            #expect(!new.isDeleted && new !== one && new.name == "four")
            try new.delete()
            let made: User = try User.findOrCreateByEmail("a")
            #expect(made !== new && !made.isDeleted)
            #expect(try User.findOrCreateBy.email("a") === made)
            #expect(try User.withDeleted.count() == 4)
            // An object that is passed with a deletion date gets its own row.
            let deleted = user("a", "five")
            deleted.deletedAt = Date()
            #expect(try session.upsert(deleted, on: \.email) === deleted)
            #expect(try User.count() == 1)
        }
    }

    @Test func `restoring a row whose value is taken is an error with property and row`() throws {
        try withTemporarySession { session, _ in
            let others = (0..<5).map { user("o\($0)", "n\($0)") }
            try session.save(others)
            _ = try User.where { $0.email.hasPrefix("o") }.delete()
            try user("o3").save()
            let many = #expect(throws: StoreError.self) { try User.onlyDeleted.restore() }
            #expect(many?.code == .notUnique && many?.property == "email" && many?.className == "User")
            #expect(many?.rowID == (TestEngine.isPostgres ? nil : others[3].id))
            let error = #expect(throws: StoreError.self) { try others[3].restore() }
            #expect(error?.code == .notUnique && error?.property == "email" && error?.rowID == others[3].id)
            #expect(error?.problems.map(\.properties) == [["email"]])
            #expect(try User.count() == 1 && others.allSatisfy(\.isDeleted))
        }
    }

    @Test func `subclasses share the index, and a partial index with another condition is refused`() throws {
        try withTemporarySession { session, _ in
            let admin = Admin()
            admin.email = "a"
            try admin.save()
            #expect(throws: StoreError.self) { try user("a").save() }
            try admin.delete()
            try user("a").save()
            let odd = Odd()
            odd.code = "x"
            let error = #expect(throws: StoreError.self) { try odd.save() }
            #expect(error?.code == .misuse)
            #expect(throws: StoreError.self) { try session.upsert(odd, on: \.code) }
        }
    }

    final class Author: PersistentObject {
        override class var tableName: String { "soft_author" }
        var name = ""
        @OnDelete(.deny) var drafts: [Draft] = []
    }
    final class Draft: PersistentObject {
        override class var softDeletes: Bool { true }
        override class var tableName: String { "soft_draft" }
        var deletedAt: Date?
    }
    final class Book: PersistentObject {
        override class var softDeletes: Bool { true }
        override class var tableName: String { "soft_book" }
        var title = ""
        @OnDelete(.deny) var author: Author?
        var shelf: Shelf?
        var deletedAt: Date?
    }
    final class Shelf: PersistentObject {
        override class var tableName: String { "soft_shelf" }
        @Inverse(\Book.shelf, onDelete: .deny) var books: [Book]
    }

    @Test func `soft-deleted rows deny no deletion, whether by the library or by other programs`() throws {
        for byOthers in [false, true] {
            try withTemporarySession { session, file in
                let (author, book, shelf, draft) = (Author(), Book(), Shelf(), Draft())
                (book.author, book.shelf, author.drafts) = (author, shelf, [draft])
                try session.save([author, book, shelf])
                func delete(_ object: PersistentObject, _ table: String) throws {
                    guard byOthers else { return try object.delete() }
                    try session.execute("DELETE FROM \(table) WHERE id = ?", object.id)
                }
                for (object, table) in [(author, "soft_author"), (shelf, "soft_shelf")] as [(PersistentObject, String)]
                {
                    #expect(throws: StoreError.self) { try delete(object, table) }
                }
                try book.delete()
                try delete(shelf, "soft_shelf")
                #expect(throws: StoreError.self) { try delete(author, "soft_author") }
                try draft.delete()
                try delete(author, "soft_author")
                #expect(try Author.count() == 0 && Shelf.count() == 0)
                try session.refresh()
                #expect(book.author == nil && book.shelf == nil && book.isDeleted && !book.hasChanges)
                try book.restore()
                #expect(try Book.all() == [book])
                #expect(try file.isSound)
            }
        }
    }
}
