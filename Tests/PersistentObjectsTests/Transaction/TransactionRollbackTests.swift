import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A rollback must not produce edits that the program did not make, because the next save would overwrite other
/// sessions' commits.
struct TransactionRollbackTests {
    final class Two: PersistentObject {
        override class var tableName: String { "two" }
        var name = "a"
        var age = 1
        var note = ""
        @Unique var code: String?
        weak var pal: Two?
    }

    /// Changes one property in another session.
    private func rename(_ id: Int64, to name: String, _ store: Store) throws {
        try store.withSession { _ throws in
            let theirs = try #require(try Two.find(id))
            theirs.name = name
            try theirs.save()
        }
    }

    @Test(arguments: [1, 2]) func `another session's change that a query read is not an edit after a rollback`(
        depth: Int
    ) throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let mine = Two()
                try mine.save()
                mine.note = "an unsaved edit"
                try rename(1, to: "OTHER", store)
                func run() throws {
                    _ = try Two.all()
                    mine.age = 5
                    try mine.save()
                }
                if depth == 1 {
                    try failing(session, run)
                } else {
                    try session.transaction { () throws in
                        try failing(session, run)
                        expect(mine.changes.map(\.name), ["note"])
                    }
                }
                #expect(mine.changes.map(\.name) == ["note"] && mine.name == "OTHER" && mine.age == 1)
                mine.age = 7
                try mine.save()
                try expect(file.sqlite("SELECT name, age, note FROM two"), "OTHER|7|an unsaved edit")
            }
        }
    }

    @Test(arguments: ["merge", "save", "refresh"])
    func `a cleared weak reference is not an edit after a rollback`(how: String) throws {
        try withTemporarySession { session, file in
            let mine = Two()
            try mine.save()
            try {
                let pal = Two()
                mine.pal = pal
                try session.save([mine, pal])
            }()
            mine.note = "an unsaved edit"
            #expect(mine.pal == nil && mine.changes.map(\.name) == ["note"])
            try failing(session) {
                if how == "merge" {
                    var form = mine.snapshot()
                    try form.set(\.name, to: "x")
                    _ = try session.merge(form)
                } else {
                    mine.name = "x"
                }
                try mine.save()
                if how == "refresh" { try session.refresh() }
            }
            expect(mine.changes.map(\.name), ["note"])
            mine.name = "y"
            try mine.save()
            try expect(file.sqlite("SELECT name, pal_id FROM two WHERE id = 1"), "y|2")
        }
    }

    @Test(.onSQLite("the trigger of the test is SQLite's"))
    func `a rollback restores an edit that an upsert overwrote`() throws {
        try withTemporarySession { session, file in
            let mine = try Two(["code": "c"])
            try mine.save()
            mine.note = "an unsaved edit"
            try failing(session) {
                let same = try session.upsert(Two(["code": "c"]), on: \.code)
                #expect(same === mine && mine.note.isEmpty)
            }
            #expect(mine.note == "an unsaved edit" && mine.changes.map(\.name) == ["note"])
            // A failed upsert also keeps the edit.
            _ = try file.sqlite("CREATE TRIGGER no BEFORE UPDATE ON two BEGIN SELECT RAISE(ABORT, 'no'); END")
            #expect(throws: StoreError.self) {
                try session.upsert(Two(["code": "c", "note": "from upsert"]), on: \.code)
            }
            #expect(mine.note == "an unsaved edit" && mine.changes.map(\.name) == ["note"])
        }
    }

    @Test(arguments: [1, 2]) func `a new object whose save failed keeps later edits after a rollback`(
        tries: Int
    ) throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let taken = Two()
                taken.code = "x"
                try taken.save()
                let new = Two()
                try failing(session) { () throws in
                    new.code = "x"
                    for _ in 1...tries { #expect(throws: StoreError.self) { try new.save() } }
                    new.name = "mended"
                    new.code = "y"
                }
                #expect(new.isNew && new.name == "mended" && new.code == "y")
                // Saved after a failed save: the object has the values of the successful save.
                try failing(session) { () throws in
                    new.code = "x"
                    #expect(throws: StoreError.self) { try new.save() }
                    (new.name, new.code) = ("saved", "z")
                    try new.save()
                    new.name = "edited"
                    try new.save()
                }
                #expect(new.isNew && new.name == "saved" && new.code == "z")
                try new.save()
                #expect(try Two.all().map(\.name) == ["a", "saved"])
            }
        }
    }

    final class Album: PersistentObject {
        override class var tableName: String { "album" }
        var title = ""
        @Lazy var cover = Data()
        @Lazy var best: Two?
        var last: Two?
    }

    @Test func `edits of properties read or cleared in the transaction are kept after a rollback`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let (album, one, two) = (Album(), Two(), Two())
                (album.best, album.last, album.cover) = (one, one, Data([1]))
                try session.save([album, one, two])
            }
            try store.withSession { session in
                let (album, one, two) = (try #require(try Album.find(1)), try #require(try Two.find(1)), Two())
                try failing(session) { () throws in
                    try two.save()
                    // Read while an uncommitted change exists.
                    #expect(album.best === one && album.cover == Data([1]))
                    album.cover = Data([2])
                    try one.delete()
                    #expect(album.best == nil && album.last == nil)
                    (album.best, album.last) = (two, two)
                }
                #expect(album.best === two && album.last === two && album.cover == Data([2]))
                expect(Set(album.changes.map(\.name)), ["best", "last", "cover"])
                try album.save()
                try expect(
                    file.sqlite("SELECT best_id, last_id, hex(cover), (SELECT count(*) FROM two) FROM album"),
                    "3|3|02|3")
            }
        }
    }

    @Test func `a failed save that ends the transaction also reverts the object's edits`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let taken = Two()
                taken.code = "x"
                let mine = Two()
                try session.save([taken, mine])
                #expect(throws: StoreError.self) {
                    try session.transaction { () throws in
                        mine.age += 1
                        mine.code = "x"
                        try mine.save()
                    }
                }
                // A retry counts the increment once.
                #expect(mine.age == 1 && mine.code == nil && !mine.hasChanges)
            }
        }
    }

    @Test func `a rollback without writes keeps objects fresh`() throws {
        try withTemporarySession { session, _ in
            let all = (0..<5).map { _ in Two() }
            try session.save(all)
            _ = try Two.all()
            let epoch = session.memory.epoch
            try session.transaction { () throws in
                _ = try Two.where { $0.age == 1 }.all()
                // A nested rollback also keeps them fresh.
                try session.transaction { session.rollBack() }
                session.rollBack()
            }
            #expect(session.memory.epoch == epoch && all.allSatisfy { $0.freshness == epoch })
            try session.transaction { () throws in
                all[0].age = 3
                try all[0].save()
                session.rollBack()
            }
            #expect(session.memory.epoch != epoch)
        }
    }
}
