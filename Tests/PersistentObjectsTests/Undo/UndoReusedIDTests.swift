import TestSupport
import Testing

@testable import PersistentObjects

/// Undo with reused ids: a row belongs to one object after another, and each object follows its own row.
struct UndoReusedIDTests {
    class Base: PersistentObject {
        override class var tableName: String { "reused_base" }
        override class var identity: Identity { .given }
        var name = ""
        var tags: [String] = []
    }

    final class A: Base { var first = 1 }

    final class B: Base {
        var second = ""
        var third = [1.5, 2.5]
    }

    private func withSession(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Base.self, A.self, B.self)
            session.recordsUndo = true
            try body(session)
            #expect(session.classes.allIdentities.compactMap { $0.brokenInvariant() } == [])
            #expect(try TestEngine.isPostgres || file.sqlite("PRAGMA foreign_key_check") == "")
        }
    }

    private func make<T: Base>(_: T.Type, _ name: String) throws -> T {
        let object = try T(id: 1)
        object.name = name
        object.tags = [name]
        return object
    }

    /// Requires that the first object has the row, and that the other one is deleted.
    private func expect(
        _ there: Base, _ gone: Base, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(!there.isDeleted && gone.isDeleted, sourceLocation: sourceLocation)
        #expect(try Base.find(1) === there && Base.all() == [there], sourceLocation: sourceLocation)
        #expect(there.tags == [there.name] && !there.hasChanges, sourceLocation: sourceLocation)
    }

    private func roundTrip(_ old: Base, _ new: Base, _ session: Session, _ exchange: () throws -> Void) throws {
        try exchange()
        try expect(new, old)
        for _ in 1...2 {
            #expect(try session.undo())
            try expect(old, new)
            #expect(try session.redo())
            try expect(new, old)
        }
    }

    @Test func `an id reused by an object of the same class in one transaction is undone and redone`() throws {
        try withSession { session in
            let (old, new) = (try make(A.self, "old"), try make(A.self, "new"))
            try old.save()
            try roundTrip(old, new, session) {
                try session.transaction { () throws in
                    try old.delete()
                    try new.save()
                }
            }
        }
    }

    @Test func `an id reused by an object of another class in one transaction is undone and redone`() throws {
        try withSession { session in
            let (old, new) = (try make(A.self, "old"), try make(B.self, "new"))
            try old.save()
            try roundTrip(old, new, session) {
                try session.transaction { () throws in
                    try old.delete()
                    try new.save()
                }
            }
        }
    }

    @Test func `an id reused in two commits of a group is undone and redone`() throws {
        try withSession { session in
            let (old, new) = (try make(A.self, "old"), try make(B.self, "new"))
            try old.save()
            try roundTrip(old, new, session) {
                try session.undoGroup {
                    try old.delete()
                    try new.save()
                }
            }
        }
    }

    @Test func `a rolled back reuse of an id does not affect undo and redo`() throws {
        try withSession { session in
            let (old, new) = (try make(A.self, "old"), try make(A.self, "new"))
            try old.save()
            try session.transaction { () throws in
                try session.transaction { () throws in
                    try old.delete()
                    try new.save()
                    session.rollBack()
                }
                old.name = "changed"
                old.tags = ["changed"]
                try old.save()
            }
            #expect(new.isNew && !old.isDeleted)
            try session.undo()
            #expect(new.isNew && !old.isDeleted && old.name == "old" && old.tags == ["old"])
            try session.redo()
            #expect(new.isNew && !old.isDeleted && old.name == "changed")
        }
    }

    @Test func `an id reused several times is undone and redone commit by commit`() throws {
        try withSession { session in
            let objects = [
                try make(A.self, "0"), try make(B.self, "1"), try make(A.self, "2"), try make(A.self, "3"),
            ]
            try objects[0].save()
            for (old, new) in zip(objects, objects.dropFirst()) {
                try old.delete()
                try new.save()
            }
            for place in [2, 1, 0] {
                try session.undo()
                #expect(objects.allSatisfy { $0.isDeleted })
                try session.undo()
                try expect(objects[place], objects[place + 1])
            }
            for place in 1...3 {
                try session.redo()
                try session.redo()
                try expect(objects[place], objects[place - 1])
            }
        }
    }

    @Test func `undo restores the old row although its object is not in memory`() throws {
        try withSession { session in
            try make(A.self, "old").save()
            let new = try make(A.self, "new")
            try session.transaction { () throws in
                try A.query.delete()
                try new.save()
            }
            try session.undo()
            #expect(new.isDeleted && new.name == "new")
            let old = try #require(try A.find(1))
            try expect(old, new)
            try session.redo()
            try expect(new, old)
        }
    }

    @Test func `redo restores the new row although its object is not in memory`() throws {
        try withSession { session in
            let old = try make(A.self, "old")
            try old.save()
            try session.transaction { () throws in
                try old.delete()
                try make(B.self, "new").save()
            }
            try session.undo()
            #expect(!old.isDeleted && old.name == "old")
            try session.redo()
            #expect(old.isDeleted)
            let new = try #require(try B.find(1))
            try expect(new, old)
            try session.undo()
            try expect(old, new)
        }
    }

    @Test func `an owned element replaced by an element with the same id is undone and redone`() throws {
        final class Owner: PersistentObject {
            override class var tableName: String { "reused_owner" }
            @OnDelete(.cascade) var parts: [Base] = []
        }
        try withSession { session in
            let (owner, old, new) = (Owner(), try make(A.self, "old"), try make(A.self, "new"))
            owner.parts = [old]
            try owner.save()
            try session.transaction { () throws in
                owner.parts = []
                try owner.save()
                owner.parts = [new]
                try owner.save()
            }
            #expect(old.isDeleted && owner.parts == [new])
            try session.undo()
            #expect(new.isDeleted && !old.isDeleted && owner.parts == [old])
            try session.redo()
            #expect(old.isDeleted && !new.isDeleted && owner.parts == [new])
        }
    }
}
