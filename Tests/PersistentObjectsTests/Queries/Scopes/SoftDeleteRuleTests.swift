import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Soft deletion combined with delete rules.
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

    /// Has no soft deletion.
    final class Log: PersistentObject {
        override class var tableName: String { "log" }
        var folder: Folder?
    }

    /// Has no soft deletion and owns pages.
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

    @Test func `a soft deletion cascades to classes with soft deletion, and restore reverts it`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try tree.pages[2].delete()
            let earlier = tree.pages[2].deletedAt
            try expect(Folder.where { $0.name == "root" }.delete(), 1)
            #expect(try Folder.count() == 0 && Page.count() == 0 && Log.count() == 1)
            #expect(tree.root.deletedAt == tree.inner.deletedAt && tree.pages[1].deletedAt == tree.root.deletedAt)
            expect(tree.pages[2].deletedAt, earlier)
            // Links to the deleted objects are kept.
            #expect(tree.log.folder === tree.inner && tree.root.children == [tree.inner] && tree.pages[0].folder != nil)
            try tree.root.restore()
            #expect(!tree.inner.isDeleted && !tree.pages[0].isDeleted && !tree.pages[1].isDeleted)
            expect(tree.pages[2].deletedAt, earlier)
            #expect(try Folder.count() == 2 && Page.count() == 2)
            // A part of a deleted tree can be restored separately.
            try tree.root.delete()
            try tree.inner.restore()
            #expect(tree.root.isDeleted && !tree.inner.isDeleted && !tree.pages[1].isDeleted && tree.pages[0].isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM folder"), "2")
        }
    }

    @Test func `deleteForever also deletes owned objects for good`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try tree.pages[1].delete()
            try tree.root.deleteForever()
            #expect(tree.inner.isDeleted && tree.pages.allSatisfy(\.isDeleted) && tree.log.isDeleted)
            try expect(file.sqlite("SELECT (SELECT count(*) FROM folder) + (SELECT count(*) FROM page)"), "0")
            try expect(file.sqlite("SELECT count(*) FROM log"), "0")
        }
    }

    @Test func `an owner without soft deletion deletes its elements for good`() throws {
        try withTemporarySession { session, file throws in
            let binder = Binder()
            binder.pages = [Page(), Page()]
            let pages = binder.pages
            try binder.save()
            // A removed element is deleted softly, as by delete().
            binder.pages = [pages[0]]
            try binder.save()
            #expect(pages[1].isDeleted && pages[1].deletedAt != nil && !pages[0].isDeleted)
            try expect(file.sqlite("SELECT count(*), count(deleted_at) FROM page"), "2|1")
            try binder.delete()
            #expect(pages[0].isDeleted && pages[0].deletedAt == nil)
            try expect(file.sqlite("SELECT group_concat(id) FROM page"), "2")
        }
    }

    @Test func `a deny rule prevents a soft deletion unless the referring object is deleted`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            let lock = Lock()
            lock.folder = tree.inner
            try lock.save()
            let error = #expect(throws: StoreError.self) { try tree.root.delete() }
            expect(error?.code, .deletionDenied)
            #expect(!tree.root.isDeleted && !tree.inner.isDeleted && !tree.pages[0].isDeleted)
            try expect(file.sqlite("SELECT count(deleted_at) FROM folder"), "0")
            try lock.delete()
            try tree.root.delete()
            #expect(tree.root.isDeleted && tree.inner.isDeleted)
            // A deleted object prevents no deletion. Its row loses the reference.
            try tree.inner.deleteForever()
            try expect(file.sqlite("SELECT count(*), count(folder_id) FROM lock"), "1|0")
        }
    }

    @Test func `one call deletes objects with and without soft deletion`() throws {
        try withTemporarySession { session, file throws in
            let tree = try Tree(session)
            try session.delete([tree.log, tree.pages[0]])
            #expect(tree.log.isDeleted && tree.pages[0].deletedAt != nil)
            try expect(file.sqlite("SELECT (SELECT count(*) FROM log), (SELECT count(*) FROM page)"), "0|3")
        }
    }

    @Test func `a soft deletion of a reference cycle terminates`() throws {
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

    @Test func `the default scope applies in addition to soft deletion`() throws {
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
