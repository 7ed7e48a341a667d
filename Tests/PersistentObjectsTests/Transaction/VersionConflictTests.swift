import Foundation
import PersistentObjects
import TestSupport
import Testing

/// In a class with a `versionProperty`, each change by another session is a conflict, also a change that is not a save.
struct VersionConflictTests {
    class Page: PersistentObject {
        override class var tableName: String { "versioned_page" }
        override class var versionProperty: AnyKeyPath? { \Page.version }
        override class var softDeletes: Bool { true }
        var title = ""
        var text = ""
        var tags: [String] = []
        var version = 0
        var updatedAt: Date?
        var deletedAt: Date?
    }

    final class Cover: Page {
        override class var tableName: String { "versioned_page" }
        var image = ""
    }

    /// Saves an edited title after `change` was made to the row, and returns the error's properties.
    private func conflicts(_ change: (Session, TemporaryStore, Cover) throws -> Void) throws -> [String]? {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, file in
            let mine = Cover()
            try mine.save()
            mine.title = "mine"
            try session.store.withSession { other throws in
                try change(other, file, try #require(try Cover.find(1)))
            }
            let error = refusal(of: mine)
            #expect(error == nil || error?.code == .staleObject)
            #expect(mine.title == "mine")
            return error?.conflicts.map(\.property)
        }
    }

    /// The error of a save; nil if it succeeds.
    private func refusal(of page: Page) -> StoreError? {
        do {
            try page.save()
            return nil
        } catch { return error as? StoreError }
    }

    @Test func `an update by a query counts the version, and is a conflict`() throws {
        #expect(
            try conflicts { _, _, _ throws in try Page.query.update { $0.text = "theirs" } } == ["text", "version"])
        #expect(try conflicts { _, _, _ throws in try Cover.query.update { $0.image = "i" } } == ["version", "image"])
        #expect(try conflicts { _, _, _ throws in try Page.query.update { $0.tags = ["t"] } } == ["version", "tags"])
        #expect(
            try conflicts { _, _, _ throws in try Page.where { $0.title == "none" }.update { $0.text = "x" } } == nil)
    }

    @Test func `an update by a query counts like a save, and a closure can set the version`() throws {
        try withTemporarySession { session, _ in
            let page = Page()
            try page.save()
            try Page.query.update { $0.text = "a" }
            #expect(page.version == 1 && !page.hasChanges)
            page.text = "b"
            try page.save()
            #expect(page.version == 2)
            try Page.query.update { $0.version = 7 }
            try Page.query.update { _ in }
            #expect(page.version == 7)
        }
    }

    @Test func `a soft deletion, also by a query, is a conflict, and so is raw SQL`() throws {
        #expect(try conflicts { _, _, page throws in try page.delete() } == ["deletedAt"])
        #expect(try conflicts { _, _, _ throws in try Page.query.delete() } == ["deletedAt"])
        #expect(
            try conflicts { other, _, _ throws in try other.execute("UPDATE versioned_page SET text = 'x'") } == [
                "text"
            ])
        #expect(try conflicts { _, file, _ in _ = try file.sqlite("UPDATE versioned_page SET text = 'x'") } == ["text"])
        #expect(
            try conflicts { _, _, page throws in
                try page.delete()
                try page.restore()
            } == nil)
    }

    @Test func `a change after an undo is a conflict, although the version is the same again`() throws {
        try withTemporarySession { session, _ in
            session.recordsUndo = true
            let page = Page()
            try page.save()
            page.title = "first"
            try page.save()
            try session.store.withSession { other throws in
                let theirs = try #require(try Page.find(1))
                try session.undo()
                page.title = "second"
                try page.save()
                #expect(page.version == theirs.version)
                theirs.text = "theirs"
                let error = refusal(of: theirs)
                #expect(error?.conflicts.map(\.property) == ["title"])
                theirs.revert()
            }
        }
    }
}
