import TestSupport
import Testing

@testable import PersistentObjects

/// Hooks after a commit that save new objects endlessly are stopped after a number of rounds.
@Suite(.serialized) struct EndlessHookTests {
    final class Link: PersistentObject {
        override class var tableName: String { "link" }
        var hook = ""
        var left = Int.max
        // Each test uses one thread, and the suite is serialized.
        nonisolated(unsafe) static var errors: [StoreError] = []

        func go(_ hook: String, _ body: (Link) throws -> Void = { try $0.save() }) {
            guard self.hook == hook, left > 0 else { return }
            let next = Link()
            (next.hook, next.left) = (hook, left - 1)
            do { try body(next) } catch let error as StoreError { Link.errors.append(error) } catch {}
        }

        override func didSave() {
            go("didSave")
            go("transaction") { next in try next.identityMap?.session?.transaction { try next.save() } ?? next.save() }
        }
        override func didInsert() { go("didInsert") }
        override func didCommit() { go("didCommit") }
    }

    @Test(arguments: ["didSave", "didInsert", "didCommit", "transaction"])
    func `a hook that saves a new object of its class endlessly ends with an error`(hook: String) throws {
        try withTemporarySession(.init(durability: .relaxed)) { session, file in
            let link = Link()
            link.hook = hook
            Link.errors = []
            try link.save()
            #expect(Link.errors.map(\.code) == [.misuse])
            #expect(Link.errors.first?.description.contains("did… methods") ?? false)
            let count = try Link.count()
            #expect((1000...1002).contains(count))
            // The next call starts a new count.
            let last = Link()
            (last.hook, last.left) = (hook, 5)
            try last.save()
            #expect(try Link.count() == count + 6 && Link.errors.count == 1)
            #expect(try file.sqlite("SELECT count(*) FROM link") == "\(count + 6)")
        }
    }

    final class Undecided: PersistentObject {
        override class var tableName: String { "undecided" }
        var number = 0
        var left = Int.max
        // Each test uses one thread, and the suite is serialized.
        nonisolated(unsafe) static var errors: [StoreError] = []
        nonisolated(unsafe) static var calls = 0
        nonisolated(unsafe) static var depth = 0
        nonisolated(unsafe) static var deepest = 0

        override class var transient: Set<String> { ["left"] }

        override func didRollback() {
            Undecided.calls += 1
            Undecided.depth += 1
            Undecided.deepest = max(Undecided.deepest, Undecided.depth)
            defer { Undecided.depth -= 1 }
            guard left > 0 else { return }
            left -= 1
            do { try tryInVain() } catch let error as StoreError { Undecided.errors.append(error) } catch {}
        }

        func tryInVain() throws {
            try identityMap?.session?.transaction {
                number += 1
                try save()
                throw CancellationError()
            }
        }
    }

    @Test(arguments: [false, true])
    func `a hook after a rollback that rolls back again endlessly ends with an error`(isInside: Bool) throws {
        try withTemporarySession(.init(durability: .relaxed)) { session, file in
            let object = Undecided()
            try object.save()
            func go() {
                if isInside {
                    try? session.transaction { try? object.tryInVain() }
                } else {
                    try? object.tryInVain()
                }
            }
            (Undecided.errors, Undecided.calls, Undecided.deepest) = ([], 0, 0)
            go()
            #expect(Undecided.errors.map(\.code) == [.misuse])
            #expect(Undecided.errors.first?.description.contains("did… methods") ?? false)
            #expect((1000...1002).contains(Undecided.calls) && Undecided.deepest == 1)
            // The next call starts a new count.
            object.left = 5
            go()
            #expect(Undecided.errors.count == 1)
            object.left = 0
            object.number = 7
            try object.save()
            #expect(try file.sqlite("SELECT number FROM undecided") == "7")
        }
    }

    @Test func `a growing chain of hooks is stopped earlier, and a large first round is not stopped`() {
        var rounds = NotificationRounds()
        rounds.begin(1_000_000)
        for _ in 0..<9 { rounds.begin(100_000) }
        #expect(!rounds.areTooMany)
        var growing = NotificationRounds()
        var count = 1
        while !growing.areTooMany, count < 1 << 20 {
            growing.begin(count)
            count *= 2
        }
        #expect(count < 1 << 16)
    }
}
