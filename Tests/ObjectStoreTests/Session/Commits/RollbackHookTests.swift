import TestSupport
import Testing

@testable import PersistentObjects

/// `didCommit` and `didRollback` are called once for each object whose save or deletion was committed or rolled back.
struct RollbackHookTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        @Unique var number = 0
        @Transient var calls: [String] = []
        @Transient var onRollback: ((Person) -> Void)?

        convenience init(_ number: Int) {
            self.init()
            self.number = number
        }

        override func didSave() { calls.append("save") }
        override func didDelete() { calls.append("delete") }
        override func didCommit() { calls.append("commit") }
        override func didRollback() {
            calls.append("rollback \(isNew ? "new" : isDeleted ? "deleted" : "saved") \(name)")
            onRollback?(self)
        }
    }

    final class Silent: PersistentObject {
        override class var tableName: String { "silent" }
        var name = ""
    }

    struct Veto: Error {}

    @Test func `didCommit is called last, once for each outermost transaction`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person(1)
            try joe.save()
            expect(joe.calls, ["save", "commit"])
            joe.calls = []
            try session.transaction { () throws in
                for name in ["a", "b", "c"] {
                    joe.name = name
                    try session.transaction { () throws in try joe.save() }
                }
                #expect(joe.calls.isEmpty)
            }
            expect(joe.calls, ["save", "commit"])
            try joe.delete()
            expect(joe.calls, ["save", "commit", "delete", "commit"])
        }
    }

    @Test func `didRollback is called after memory was restored`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann, bob) = (Person(1), Person(2), Person(3))
            (joe.name, bob.name) = ("Joe", "Bob")
            try session.save([joe, bob])
            (joe.calls, bob.calls) = ([], [])
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    joe.name = "Jo"
                    try session.save([joe, ann])
                    try joe.save()
                    try bob.delete()
                    throw Veto()
                }
            }
            #expect(joe.calls == ["rollback saved Joe"] && ann.calls == ["rollback new "])
            expect(bob.calls, ["rollback saved Bob"])
        }
    }

    @Test func `after an inner rollback, didRollback is called at once for objects of the inner transaction`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(1), Person(2))
            try session.transaction { () throws in
                try joe.save()
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        try ann.save()
                        throw Veto()
                    }
                }
                #expect(ann.calls == ["rollback new "] && joe.calls.isEmpty)
            }
            #expect(ann.calls == ["rollback new "] && joe.calls == ["save", "commit"])
            joe.calls = []
            try session.transaction { () throws in
                joe.name = "x"
                try session.transaction { () throws in try joe.save() }
                session.rollBack()
            }
            #expect(joe.calls == ["rollback saved "])
        }
    }

    @Test func `for an object that was inserted and deleted, only didRollback is called`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person(1)
            for isVetoed in [true, false] {
                do {
                    try session.transaction { () throws in
                        try joe.save()
                        try joe.delete()
                        if isVetoed { throw Veto() }
                    }
                } catch is Veto {}
                expect(joe.calls, ["rollback new "])
            }
        }
    }

    @Test func `didRollback is not called for a failed save, or a save without hooks`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(1), Person(1))
            try joe.save(.withoutHooks)
            #expect(throws: StoreError.self) { try ann.save() }
            #expect(throws: StoreError.self) {
                try session.transaction { () throws in
                    joe.name = "x"
                    try joe.save(.withoutHooks)
                    try ann.save()
                }
            }
            #expect(joe.calls.isEmpty && ann.calls.isEmpty)
        }
    }

    @Test func `didRollback can save and begin transactions`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(1), Person(2))
            joe.onRollback = { _ in
                #expect(!session.isInTransaction)
                ann.name = "told"
                #expect(throws: Never.self) { try session.transaction { () throws in try ann.save() } }
            }
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try joe.save()
                    throw Veto()
                }
            }
            #expect(try Person.all() == [ann] && ann.calls == ["save", "commit"])
        }
    }

    @Test func `didCommit and didRollback are not called on objects of other sessions`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session throws in
                let joe = Person(1)
                try joe.save()
                joe.calls = []
                try store.withSession { other throws in
                    let same = try #require(try Person.find(1))
                    same.name = "x"
                    try same.save()
                    #expect(same.calls == ["save", "commit"])
                    #expect(throws: Veto.self) {
                        try other.transaction { () throws in
                            same.name = "y"
                            try same.save()
                            throw Veto()
                        }
                    }
                    #expect(same.calls == ["save", "commit", "rollback saved x"])
                }
                #expect(try Person.all() == [joe] && joe.name == "x" && joe.calls.isEmpty)
            }
        }
    }

    @Test(.onSQLite("a server records nothing"))
    func `an undo calls no hooks`() throws {
        try withTemporarySession { session, _ throws in
            session.recordsUndo = true
            let joe = Person(1)
            try joe.save()
            joe.calls = []
            try session.undo()
            try session.redo()
            #expect(joe.calls.isEmpty)
        }
    }

    @Test func `objects of classes without hooks are not recorded`() throws {
        try withTemporarySession { session, _ throws in
            let object = Silent()
            #expect(throws: Veto.self) {
                try session.transaction { () throws in
                    try object.save()
                    expect(session.level?.log.isEmpty, true)
                    throw Veto()
                }
            }
            #expect(object.isNew)
        }
    }
}
