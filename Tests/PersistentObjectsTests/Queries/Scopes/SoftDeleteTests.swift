import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Classes whose deleted objects keep their rows.
struct SoftDeleteTests {
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        override class var softDeletes: Bool { true }
        @Searchable var title = ""
        var rank = 0
        @Unique var code: Int?
        var deletedAt: Date?
        var tags: [String] = []
    }

    private func notes(_ count: Int) -> [Note] {
        (0..<count).map { index in
            let note = Note()
            (note.title, note.rank, note.code, note.tags) = ("note \(index)", index, index, ["x"])
            return note
        }
    }

    @Test func `delete writes the time, restore takes it back`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(3)
            try session.save(all)
            let before = Date()
            try all[1].delete()
            #expect(all[1].isDeleted && !all[0].isDeleted && !all[1].hasChanges)
            let time = try #require(all[1].deletedAt)
            #expect(time >= before && time <= Date())
            #expect(try Note.all() == [all[0], all[2]] && Note.count() == 2)
            #expect(try Note.find(2) === all[1] && Note.findByTitle("note 1") == [] && Note.findBy.code(1) == [])
            #expect(try file.sqlite("SELECT count(*), count(deleted_at) FROM note") == "3|1")
            #expect(try file.sqlite("SELECT count(*) FROM note_tags") == "3")
            // A second deletion changes nothing.
            try all[1].delete()
            #expect(all[1].deletedAt == time)
            try all[1].restore()
            #expect(all[1].deletedAt == nil && !all[1].isDeleted && !all[1].hasChanges)
            #expect(try Note.all() == all && all[1].tags == ["x"])
            try all[1].restore()
            #expect(try Note.count() == 3)
        }
    }

    @Test func `what is deleted is saved as any other, and edits stay`() throws {
        try withTemporarySession { session, file throws in
            let note = notes(1)[0]
            try note.save()
            note.title = "edited"
            try note.delete()
            #expect(note.title == "edited" && note.hasChanges && note.isDeleted)
            try note.save()
            #expect(try file.sqlite("SELECT title, deleted_at IS NULL FROM note") == "edited|0")
            // By hand it is the same.
            note.deletedAt = nil
            try note.save()
            #expect(try Note.all() == [note])
        }
    }

    @Test func `another session sees it`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(2)
            try session.save(all)
            try session.store.withSession { _ throws in
                let other = try #require(try Note.find(1))
                try other.delete()
                #expect(try Note.count() == 1)
            }
            #expect(try Note.all() == [all[1]])
            #expect(try Note.withDeleted.all() == all && all[0].isDeleted)
        }
    }

    @Test func `deleted ones are asked for`() throws {
        try withTemporarySession { session, _ throws in
            let all = notes(4)
            try session.save(all)
            try session.delete([all[0], all[3]])
            #expect(all[0].deletedAt == all[3].deletedAt)
            #expect(try Note.query.all() == [all[1], all[2]])
            #expect(try Note.withDeleted.all() == all && Note.unscoped.all() == all)
            #expect(try Note.onlyDeleted.all() == [all[0], all[3]])
            #expect(try Note.onlyDeleted.where { $0.rank > 0 }.all() == [all[3]])
            #expect(try Note.where { $0.deletedAt == nil }.count() == 2)
            #expect(try Note.withDeleted.findBy.code(3) == [all[3]])
            #expect(try Note.findByCriteria("ORDER BY rank DESC") == [all[2], all[1]])
            #expect(try Note.search("note").all() == [all[1], all[2]] && Note.withDeleted.search("note").count() == 4)
        }
    }

    @Test func `queries and finders delete softly`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(8)
            try session.save(all)
            #expect(try Note.where { $0.rank < 2 }.delete() == 2)
            #expect(try Note.deleteBy.rank(1) == 0 && Note.deleteBy.rank(2) == 1)
            #expect(try Note.deleteByRank(3) == [all[3]])
            #expect(try Note.query.order(by: \.rank, .descending).limit(1).delete() == 1)
            #expect(all.map(\.isDeleted) == [true, true, true, true, false, false, false, true])
            let times = all.map(\.deletedAt)
            #expect(try Note.deleteAll() == 3 && Note.count() == 0)
            #expect(try file.sqlite("SELECT count(*), count(deleted_at) FROM note") == "8|8")
            #expect(all[0].deletedAt == times[0] && all[5].deletedAt != nil)
            // Some of them again.
            #expect(try Note.onlyDeleted.where { $0.rank < 3 }.restore() == 3)
            #expect(try Note.all() == Array(all[..<3]))
            #expect(try Note.withDeleted.where { $0.rank.isIn(2...3) }.restore() == 1)
            #expect(try Note.onlyDeleted.where { $0.rank > 4 }.deleteForever() == 3)
            #expect(try file.sqlite("SELECT group_concat(rank) FROM note") == "0,1,2,3,4")
            #expect(try Note.query.update { $0.title = "x" } == 4 && all[4].title == "note 4")
        }
    }

    @Test func `for good`() throws {
        try withTemporarySession { session, file throws in
            let all = notes(3)
            try session.save(all)
            try all[0].delete()
            try all[0].deleteForever()
            try all[1].deleteForever()
            #expect(all.map(\.isDeleted) == [true, true, false])
            #expect(try file.sqlite("SELECT group_concat(id) FROM note") == "3")
            #expect(try file.sqlite("SELECT group_concat(owner_id) FROM note_tags") == "3")
            let error = #expect(throws: StoreError.self) { try all[0].restore() }
            #expect(error?.code == .objectIsDeleted)
            #expect(#expect(throws: StoreError.self) { try Note().restore() }?.code == .misuse)
            #expect(#expect(throws: StoreError.self) { try Note().delete() }?.code == .misuse)
            // A unique value is free again.
            let again = notes(1)[0]
            try again.save()
            try again.delete()
            #expect(#expect(throws: StoreError.self) { try notes(1)[0].save() }?.code == .notUnique)
        }
    }
}

/// Soft deletions and delete rules.
struct SoftDeleteRuleTests {
    final class Folder: PersistentObject {
        override class var tableName: String { "folder" }
        override class var softDeletes: Bool { true }
        override class var defaultScope: Condition { Folder.condition { $0.name != "hidden" } }
        var name = ""
        var deletedAt: Date?
        var parent: Folder?
        @Inverse(\Folder.parent, onDelete: .cascade) var children: [Folder]
        @Inverse(\Page.folder, onDelete: .cascade) var pages: [Page]
        @Inverse(\Lock.folder, onDelete: .deny) var locks: [Lock]
        @Inverse(\Log.folder, onDelete: .cascade) var logs: [Log]
    }

    final class Page: PersistentObject {
        override class var tableName: String { "page" }
        override class var softDeletes: Bool { true }
        var text = ""
        var deletedAt: Date?
        var folder: Folder?
    }

    final class Lock: PersistentObject {
        override class var tableName: String { "lock" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
        var folder: Folder?
    }

    /// Does not delete softly.
    final class Log: PersistentObject {
        override class var tableName: String { "log" }
        var folder: Folder?
    }

    /// Does not either, and owns pages.
    final class Binder: PersistentObject {
        override class var tableName: String { "binder" }
        @OnDelete(.cascade) var pages: [Page] = []
    }

    private struct Tree {
        let root = Folder()
        let inner = Folder()
        let pages = [Page(), Page(), Page()]
        let log = Log()

        init(_ session: Session) throws {
            (root.name, inner.name, inner.parent) = ("root", "inner", root)
            (pages[0].folder, pages[1].folder, pages[2].folder) = (root, inner, inner)
            log.folder = inner
            try session.save([root, inner, log])
            try session.save(pages)
        }
    }

    @Test func `cascades go to what deletes softly, and come back with it`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try tree.pages[2].delete()
            let earlier = tree.pages[2].deletedAt
            #expect(try Folder.where { $0.name == "root" }.delete() == 1)
            #expect(try Folder.count() == 0 && Page.count() == 0 && Log.count() == 1)
            #expect(tree.root.deletedAt == tree.inner.deletedAt && tree.pages[1].deletedAt == tree.root.deletedAt)
            #expect(tree.pages[2].deletedAt == earlier)
            // Links stay, and lead there.
            #expect(tree.log.folder === tree.inner && tree.root.children == [tree.inner] && tree.pages[0].folder != nil)
            try tree.root.restore()
            #expect(!tree.inner.isDeleted && !tree.pages[0].isDeleted && !tree.pages[1].isDeleted)
            #expect(tree.pages[2].deletedAt == earlier)
            #expect(try Folder.count() == 2 && Page.count() == 2)
            // A part of what was deleted can be restored alone.
            try tree.root.delete()
            try tree.inner.restore()
            #expect(tree.root.isDeleted && !tree.inner.isDeleted && !tree.pages[1].isDeleted && tree.pages[0].isDeleted)
            #expect(try file.sqlite("SELECT count(*) FROM folder") == "2")
        }
    }

    @Test func `what is deleted for good takes along what it owns`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try tree.pages[1].delete()
            try tree.root.deleteForever()
            #expect(tree.inner.isDeleted && tree.pages.allSatisfy(\.isDeleted) && tree.log.isDeleted)
            #expect(try file.sqlite("SELECT (SELECT count(*) FROM folder) + (SELECT count(*) FROM page)") == "0")
            #expect(try file.sqlite("SELECT count(*) FROM log") == "0")
        }
    }

    @Test func `an owner without soft deletion takes its elements for good`() throws {
        try withTemporarySession { session, file throws in
            let binder = Binder()
            binder.pages = [Page(), Page()]
            let pages = binder.pages
            try binder.save()
            // An element that leaves is deleted as by delete().
            binder.pages = [pages[0]]
            try binder.save()
            #expect(pages[1].isDeleted && pages[1].deletedAt != nil && !pages[0].isDeleted)
            #expect(try file.sqlite("SELECT count(*), count(deleted_at) FROM page") == "2|1")
            try binder.delete()
            #expect(pages[0].isDeleted && pages[0].deletedAt == nil)
            #expect(try file.sqlite("SELECT group_concat(id) FROM page") == "2")
        }
    }

    @Test func `a rule that denies counts, but not for what is deleted`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            let lock = Lock()
            lock.folder = tree.inner
            try lock.save()
            let error = #expect(throws: StoreError.self) { try tree.root.delete() }
            #expect(error?.code == .deletionDenied)
            #expect(!tree.root.isDeleted && !tree.inner.isDeleted && !tree.pages[0].isDeleted)
            #expect(try file.sqlite("SELECT count(deleted_at) FROM folder") == "0")
            try lock.delete()
            try tree.root.delete()
            #expect(tree.root.isDeleted && tree.inner.isDeleted)
            // Its row refers to the folder's all the same.
            #expect(#expect(throws: StoreError.self) { try tree.inner.deleteForever() }?.code == .deletionDenied)
        }
    }

    @Test func `objects of several classes, each in its way`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try session.delete([tree.log, tree.pages[0]])
            #expect(tree.log.isDeleted && tree.pages[0].deletedAt != nil)
            #expect(try file.sqlite("SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM page)") == "0|3")
        }
    }

    @Test func `a ring ends`() throws {
        try withTemporarySession { session, _ throws in
            let (a, b) = (Folder(), Folder())
            (a.parent, b.parent) = (b, a)
            try session.save([a, b])
            try a.delete()
            #expect(a.isDeleted && b.isDeleted)
            try b.restore()
            #expect(!a.isDeleted && !b.isDeleted)
        }
    }

    @Test func `the default scope counts besides`() throws {
        try withTemporarySession { session, _ throws in
            let all = (0..<4).map { _ in Folder() }
            (all[1].name, all[3].name) = ("hidden", "hidden")
            try session.save(all)
            try session.delete(Array(all[2...]))
            #expect(try Folder.all() == [all[0]] && Folder.withDeleted.all() == [all[0], all[2]])
            #expect(try Folder.onlyDeleted.all() == [all[2]] && Folder.unscoped.count() == 4)
        }
    }
}

/// Classes that cannot delete softly say so.
struct SoftDeleteClassTests {
    final class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var deletedAt: Date?
    }

    final class Missing: PersistentObject {
        override class var tableName: String { "missing" }
        override class var softDeletes: Bool { true }
        var name = ""
    }

    final class Misfit: PersistentObject {
        override class var tableName: String { "misfit" }
        override class var softDeletes: Bool { true }
        var deletedAt = Date()
    }

    class Base: PersistentObject {
        override class var tableName: String { "base" }
        var deletedAt: Date?
    }

    final class Lower: Base {
        override class var softDeletes: Bool { true }
    }

    class Soft: PersistentObject {
        override class var tableName: String { "soft" }
        override class var softDeletes: Bool { true }
        var deletedAt: Date?
    }

    final class Softer: Soft {
        var more = 0
    }

    @Test func `without the switch it is a date like any other`() throws {
        try withTemporarySession { _, file throws in
            let plain = Plain()
            plain.deletedAt = Date()
            try plain.save()
            #expect(try Plain.all() == [plain] && !plain.isDeleted && Plain.withDeleted.count() == 1)
            #expect(throws: QueryError.self) { try Plain.onlyDeleted.all() }
            #expect(#expect(throws: StoreError.self) { try plain.restore() }?.code == .misuse)
            #expect(#expect(throws: StoreError.self) { try Plain.query.restore() }?.code == .misuse)
            try plain.delete()
            #expect(try file.sqlite("SELECT count(*) FROM plain") == "0")
        }
    }

    @Test func `the property must be there, in the whole hierarchy`() throws {
        try withTemporarySession { _, _ throws in
            let missing = #expect(throws: SchemaError.self) { try Missing().save() }
            #expect(missing == .needsDeletedAt(className: "Missing", root: "Missing"))
            #expect(missing?.description.contains("write var deletedAt: Date? in Missing") == true)
            #expect(throws: SchemaError.self) { try Missing.all() }
            #expect(throws: SchemaError.self) { try Missing.where { $0.name == "" }.all() }
            #expect(throws: SchemaError.self) { try Misfit().save() }
            let lower = #expect(throws: SchemaError.self) { try Lower().save() }
            #expect(lower == .softDeletesDiffer(className: "Lower", root: "Base"))
            #expect(lower?.description.contains("override it in Base only") == true)
        }
    }

    @Test func `subclasses do as their superclass`() throws {
        try withTemporarySession { session, file throws in
            let (soft, softer) = (Soft(), Softer())
            try session.save([soft, softer])
            try softer.delete()
            #expect(softer.isDeleted && softer.deletedAt != nil)
            #expect(try Soft.all() == [soft] && Softer.all() == [] && Softer.onlyDeleted.all() == [softer])
            #expect(try Soft.deleteAll() == 1 && Soft.onlyDeleted.restore() == 2 && Softer.count() == 1)
            #expect(try file.sqlite("SELECT count(*), count(deleted_at) FROM soft") == "2|0")
        }
    }
}
