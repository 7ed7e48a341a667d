import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects that outlive their session, store or thread, and objects whose deinit uses the session.
@Suite struct OutlivingTests {
    class Item: PersistentObject {
        var name = "n"
        @Transient var token: LifetimeTracker.Token?
    }

    /// Carries objects to the thread that releases them.
    private typealias Cargo = Smuggled<[PersistentObject]>

    private func cargo(_ count: Int, _ tracker: LifetimeTracker) throws -> Cargo {
        let cargo = Cargo([])
        try Store.inMemory(configuration: .init(lostEdits: .ignore)).withSession { session in
            let items = (0..<count).map { _ in
                let item = Item()
                item.token = tracker.token()
                return item
            }
            try session.save(items)
            cargo.value = items
        }
        return cargo
    }

    @Test func `objects that outlive session and store keep their values, report their changes and can be reverted`()
        throws
    {
        let tracker = LifetimeTracker()
        let cargo = try cargo(10, tracker)
        let item = try #require(cargo.value[3] as? Item)
        #expect(item.id == 4 && item.name == "n")
        item.name = "m"
        expect(item.changes.map(\.name), ["name"])
        let error = #expect(throws: StoreError.self) { try item.save() }
        expect(error?.code, .sessionEnded)
        item.revert()
        #expect(item.name == "n" && !item.hasChanges)
        #expect(item.copy().isNew)
    }

    @Test func `objects that outlive their session can be released on other threads`() throws {
        let tracker = LifetimeTracker()
        let cargo = try cargo(400, tracker)
        let shares = (0..<4).map { share in Cargo(Array(cargo.value[(share * 100)..<(share * 100 + 100)])) }
        cargo.value = []
        DispatchQueue.concurrentPerform(iterations: 4) { shares[$0].value = [] }
        expect(tracker.liveCount, 0)
    }

    @Test func `objects are found by id while another thread releases them`() throws {
        try Store.inMemory(configuration: .init(lostEdits: .ignore)).withSession { session in
            try session.save((0..<20).map { _ in Item() })
            let thread = DispatchQueue(label: "releases")
            for number in 0..<2000 {
                let id = PersistentID<Item>(Int64(number % 20 + 1))
                let cargo = Cargo([try #require(try session.object(for: id))])
                thread.async { cargo.value = [] }
            }
            thread.sync {}
            let identity = try session.space(of: Item.self).identity
            #expect(identity.count == 0 && identity.brokenInvariant() == nil)
        }
    }

    @Test func `an identity map lives exactly as long as its last object`() throws {
        weak var map: IdentityMap?
        let tracker = LifetimeTracker()
        var cargo: Cargo? = try cargo(2, tracker)
        do {
            let keeper = try #require(cargo?.value.first?.keeper as? IdentityMap)
            map = keeper
            #expect(keeper.count == 2 && keeper.session == nil)
        }
        cargo?.value.removeLast()
        #expect(map != nil)
        cargo = nil
        #expect(map == nil)
        expect(tracker.liveCount, 0)
    }

    // MARK: Queries in deinit

    final class Curious: PersistentObject {
        var name = "c"
        @Transient var heir: Recorder<Int64>?
        @Transient var inherits = false
        // Only one test, on one thread, has objects of this class.
        nonisolated(unsafe) static var kept: Curious?
        deinit {
            guard inherits, let id, let found = try? Curious.find(id) else { return }
            heir?.add(id)
            Curious.kept = found
        }
    }

    @Test func `a deinit that fetches its own row gets a new object, which stays the row's object`() throws {
        try Store.inMemory().withSession { session in
            let recorder = Recorder<Int64>()
            var first: Curious? = Curious()
            try first?.save()
            first?.heir = recorder
            first?.inherits = true
            let address = first.map { ObjectMemory.start(of: $0) }
            first = nil
            expect(recorder.all, [1])
            let second = try #require(Curious.kept)
            Curious.kept = nil
            #expect(second.id == 1 && !second.hasChanges && ObjectMemory.start(of: second) != address)
            #expect(try Curious.find(1) === second)
            let map = try session.space(of: Curious.self).identity
            #expect(map.count == 1 && map.brokenInvariant() == nil)
        }
    }

    // MARK: Deinits that take long

    @globalActor actor Reaper { static let shared = Reaper() }

    final class Slow: PersistentObject {
        var name = "s"
        @Transient var token: LifetimeTracker.Token?
        @Reaper deinit {}
    }

    @Test func `an object that is dying for long does not prevent a new object for its row`() async throws {
        let tracker = LifetimeTracker()
        let store = try Store.inMemory()
        try store.withSession { session in
            let map = try session.space(of: Slow.self).identity
            var rows: [Slow] = (0..<20).map { _ in Slow() }
            for row in rows { row.token = tracker.token() }
            try session.save(rows)
            let old = rows.map { ObjectIdentifier($0) }
            // The actor that runs the deinits uses another thread, so from here on most entries are dying.
            rows = []
            let again = try Slow.all()
            #expect(again.count == 20 && Set(again.map { ObjectIdentifier($0) }).count == 20)
            _ = old
            for (object, id) in zip(again, 1...20 as ClosedRange<Int64>) {
                let found = try Slow.find(id)
                #expect(found === object)
            }
            #expect(map.brokenInvariant() == nil)
        }
        // A loaded machine may run the deinits late.
        for _ in 0..<6000 where tracker.liveCount > 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(tracker.liveCount == 0)
    }

    /// Blocks a deinit until the gate is opened.
    private final class Gate: Sendable {
        private let reached = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)
        func pass() {
            reached.signal()
            opened.wait()
        }
        func waitUntilReached() { reached.wait() }
        func open() { opened.signal() }
    }

    private final class Held: PersistentObject {
        override class var tableName: String { "held" }
        @Transient var gate: Gate?
        deinit { gate?.pass() }
    }

    @Test func `an identity map waits for a dying object, even if a later object of the row is already gone`() throws {
        weak var map: IdentityMap?
        let gate = Gate()
        let finished = DispatchSemaphore(value: 0)
        try Store.inMemory().withSession { session in
            let cargo = Cargo([])
            cargo.value = [Held()]
            try session.save(cargo.value)
            (cargo.value[0] as? Held)?.gate = gate
            Thread {
                cargo.value = []
                finished.signal()
            }.start()
            gate.waitUntilReached()
            var second = try Held.find(1)
            #expect(second != nil)
            second = nil
            map = try session.space(of: Held.self).identity
            // The dying object still counts, but is no longer in the table.
            #expect(map?.count == 1 && map?.liveObjects().isEmpty == true)
        }
        #expect(map != nil)
        gate.open()
        finished.wait()
        #expect(map == nil)
    }
}
