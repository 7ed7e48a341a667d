import TestSupport
import Testing

@testable import PersistentObjects

/// The `did…` methods: they are called after the commit, once for each object, and never for changes that were rolled
/// back.
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

    @Test func `didInsert, didUpdate, didSave and didDelete are called after their operation`() throws {
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

    @Test func `the did… methods are called once, after the commit of the outermost transaction`() throws {
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

    @Test func `the did… methods are not called for changes that are rolled back`() throws {
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

    @Test func `didDelete is called for cascades and for deleteAll`() throws {
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

    @Test func `a did… method can save, and the did… methods of that save are called after it`() throws {
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

    @Test func `a save without hooks calls no did… methods`() throws {
        try withTemporarySession { session, _ throws in
            let joe = Person()
            try joe.save(.withoutHooks)
            #expect(joe.calls.isEmpty)
        }
    }
}
