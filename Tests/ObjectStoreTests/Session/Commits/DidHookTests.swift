import TestSupport
import Testing

@testable import PersistentObjects

/// The `did…` methods: after the commit, once for each object, never for what was rolled back.
struct DidHookTests {
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var age = 0
        @OnDelete(.cascade) var passport: Passport?
        @Transient var calls: [String] = []
        @Transient var onUpdate: ((Person) -> Void)?

        override func didInsert() { calls.append("insert \(previousChanges.map(\.name).contains("name"))") }
        override func didUpdate() {
            calls.append("update \(previousChanges.map { "\($0.name) \($0.old ?? "nil")→\($0.new ?? "nil")" })")
            onUpdate?(self)
        }
        override func didSave() { calls.append("save") }
        override func didDelete() { calls.append("delete") }
    }

    final class Passport: PersistentObject {
        override class var tableName: String { "passport" }
        var number = ""
        @Transient var isGone = false
        override func didDelete() { isGone = true }
    }

    struct Veto: Error {}

    @Test func `they follow insert, update and delete`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            joe.name = "Joe"
            try joe.save()
            joe.age = 3
            try joe.save()
            try joe.save()
            try joe.delete()
            expect(joe.calls, ["insert true", "save", "update [\"age 0→3\"]", "save", "delete"])
            #expect(joe.previousChanges.isEmpty)
        }
    }

    @Test func `they come after the commit of the outermost transaction, once`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            try joe.save()
            let ann = Person()
            joe.calls = []
            try session.transaction { () throws in
                joe.age = 1
                try joe.save()
                try session.transaction { () throws in
                    joe.age = 2
                    joe.name = "J"
                    try session.save([joe, ann])
                    try ann.delete()
                }
                #expect(joe.calls.isEmpty)
            }
            expect(joe.calls, ["update [\"age 0→2\", \"name →J\"]", "save"])
            #expect(ann.calls.isEmpty)
        }
    }

    @Test func `there are none for what is rolled back`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(), Person())
            try session.transaction { () throws in
                try joe.save()
                #expect(throws: Veto.self) {
                    try session.transaction { () throws in
                        joe.age = 2
                        try session.save([joe, ann])
                        throw Veto()
                    }
                }
            }
            #expect(joe.calls == ["insert true", "save"])
            #expect(ann.calls.isEmpty)
        }
    }

    @Test func `what is deleted along with another hears of it`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            let passport = Passport()
            joe.passport = passport
            try joe.save()
            try joe.delete()
            #expect(passport.isGone)
            let others = [Person(), Person()]
            try session.save(others)
            try Person.deleteAll()
            #expect(others.allSatisfy { $0.calls.last == "delete" })
        }
    }

    @Test func `one may save, which is told when the first is`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (Person(), Person())
            try session.save([joe, ann])
            var log: [String] = []
            joe.onUpdate = { joe in
                ann.age += 1
                try? ann.save()
                log.append("joe")
            }
            ann.onUpdate = { _ in log.append("ann") }
            joe.age = 1
            try joe.save()
            expect(log, ["joe", "ann"])
            #expect(!ann.hasChanges)
        }
    }

    @Test func `a save without hooks calls none`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            try joe.save(.withoutHooks)
            #expect(joe.calls.isEmpty)
        }
    }
}
