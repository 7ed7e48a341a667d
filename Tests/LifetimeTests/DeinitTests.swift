import TestSupport
import Testing

@testable import PersistentObjects

/// The values that the base class's `deinit` reads from a dying object, and the edits that it reports.
@Suite struct DeinitTests {
    class Base: PersistentObject {
        var baseText = "a base text that is long enough for the heap"
        var numbers = [1, 2, 3]
    }

    class Middle: Base {
        var middleText = "m"
        deinit { if middleText == "clear" { numbers = [] } }
    }

    final class Leaf: Middle {
        var leafText = "a leaf text that is long enough for the heap"
        var maybe: String? = "something that is long enough for the heap"
        deinit {
            if middleText == "clear" {
                leafText = "changed in deinit, a long text too"
                maybe = nil
            }
        }
    }

    class Generic<T: Codable & Sendable & ExpressibleByIntegerLiteral>: Base {
        var value: T = 1
        deinit { if baseText.isEmpty { value = 9 } }
    }

    private func lostEdits(_ body: () throws -> Void) throws -> [LostEdits] {
        let recorder = Recorder<LostEdits>()
        let store = try Store.inMemory(configuration: .init(lostEdits: .report { recorder.add($0) }))
        try store.withSession { _ in try body() }
        return recorder.all
    }

    private func text(_ edits: [LostEdits]) -> [String] {
        edits.map { "\($0.className) #\($0.id): \($0.changes.map(\.description).joined(separator: ", "))" }
    }

    @Test func `edits of a class and its superclasses are reported with old and new values`() throws {
        let edits = try lostEdits {
            let leaf = Leaf()
            try leaf.save()
            leaf.leafText = "edited, and still long enough for the heap"
            leaf.middleText = "mm"
            leaf.numbers[1] = 7
            leaf.maybe = nil
        }
        expect(
            text(edits),
            [
                "Leaf #1: numbers: [1, 2, 3] -> [1, 7, 3], middleText: \"m\" -> \"mm\", "
                    + "leafText: \"a leaf text that is long enough for the heap\" -> "
                    + "\"edited, and still long enough for the heap\", "
                    + "maybe: \"something that is long enough for the heap\" -> nil"
            ])
    }

    @Test func `changes by a subclass's deinit are reported as edits`() throws {
        let edits = try lostEdits {
            let leaf = Leaf()
            leaf.middleText = "clear"
            try leaf.save()
        }
        expect(edits.map { $0.changes.map(\.name) }, [["numbers", "leafText", "maybe"]])
        expect(edits.first?.changes.first?.new as? [Int], [])
        expect(edits.first?.description.contains("deinit that clears properties"), true)
    }

    @Test func `changes by the deinit of a generic subclass are reported as edits`() throws {
        let edits = try lostEdits {
            let generic = Generic<Int>()
            generic.baseText = ""
            try generic.save()
            let untouched = Generic<Int>()
            try untouched.save()
        }
        expect(text(edits), ["Generic<Int> #1: value: 1 -> 9"])
    }

    @Test func `clean, new, reverted, saved and deleted objects report nothing`() throws {
        let edits = try lostEdits {
            let objects = (0..<4).map { _ in Leaf() }
            for object in objects.dropFirst() { try object.save() }
            objects[0].leafText = "never saved"
            objects[1].leafText = "reverted"
            objects[1].revert()
            objects[2].leafText = "saved"
            try objects[2].save()
            objects[3].leafText = "deleted"
            try objects[3].delete()
        }
        #expect(edits.isEmpty)
    }

    @Test func `an object that outlives its session reports its edits when it is released`() throws {
        let recorder = Recorder<LostEdits>()
        let store = try Store.inMemory(configuration: .init(lostEdits: .report { recorder.add($0) }))
        var leaf: Leaf? = Leaf()
        try store.withSession { _ in try leaf?.save() }
        leaf?.middleText = "after"
        #expect(recorder.all.isEmpty)
        leaf = nil
        expect(recorder.all.map { $0.changes.map(\.name) }, [["middleText"]])
    }

    @Test func `a report can fetch the row, and reads the values of the file`() throws {
        let recorder = Recorder<String>()
        let store = try Store.inMemory(
            configuration: .init(
                lostEdits: .report { edits in
                    recorder.add((try? Leaf.find(edits.id))?.middleText ?? "nothing")
                }))
        try store.withSession { session in
            let leaf = Leaf()
            try leaf.save()
            leaf.middleText = "lost"
        }
        expect(recorder.all, ["m"])
    }

    // MARK: Failing initializers

    struct Failure: Error {}

    final class Failing: Base {
        let token: LifetimeTracker.Token?
        required init() { token = nil }
        init(late tracker: LifetimeTracker) throws {
            token = tracker.token()
            super.init()
            baseText = "edited"
            throw Failure()
        }
        init(early tracker: LifetimeTracker) throws {
            token = tracker.token()
            if tracker.liveCount > 0 { throw Failure() }
            super.init()
        }
    }

    @Test func `an initializer that throws before or after super.init leaks nothing and reports nothing`() throws {
        let tracker = LifetimeTracker()
        let edits = try lostEdits {
            for _ in 0..<100 {
                #expect(throws: Failure.self) { try Failing(late: tracker) }
                #expect(throws: Failure.self) { try Failing(early: tracker) }
            }
            try Failing().save()
        }
        #expect(edits.isEmpty && tracker.liveCount == 0)
    }

    // MARK: Order of deinitialization

    final class Ordered: Middle {
        @Transient var log: Recorder<String>?
        @Transient var token: Announcer?
        deinit { log?.add("body") }
    }

    final class Announcer {
        let log: Recorder<String>
        init(_ log: Recorder<String>) { self.log = log }
        deinit { log.add("field") }
    }

    @Test func `the subclass's deinit runs first, then the report, then the fields are released`() throws {
        let log = Recorder<String>()
        let store = try Store.inMemory(configuration: .init(lostEdits: .report { _ in log.add("report") }))
        try store.withSession { _ in
            let ordered = Ordered()
            try ordered.save()
            ordered.log = log
            ordered.token = Announcer(log)
            ordered.middleText = "edited"
        }
        expect(log.all, ["body", "report", "field"])
    }
}
