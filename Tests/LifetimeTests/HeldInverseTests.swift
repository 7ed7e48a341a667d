import TestSupport
import Testing

@testable import PersistentObjects

/// Loaded inverses keep no cycle of objects alive, neither after their session nor in a session that never ends.
struct HeldInverseTests {
    static let living = LifetimeTracker()

    /// Counts the objects of the current test.
    @TaskLocal static var tracker = living

    class Dept: PersistentObject {
        override class var tableName: String { "dept" }
        @Transient var token = HeldInverseTests.tracker.token()
        var name = ""
        @Inverse(\Emp.dept) var staff: [Emp]
        @Inverse(\Emp.former) var alumni: [Emp]
        @Inverse(\Emp.headed) var head: Emp?
        @Inverse(\Emp.teams) var members: [Emp]
        @Inverse(\Emp.clubs, onDelete: .nullify) var guests: [Emp]
    }

    final class Lab: Dept { var budget = 0 }

    class Emp: PersistentObject {
        override class var tableName: String { "emp" }
        @Transient var token = HeldInverseTests.tracker.token()
        var n = 0
        var dept: Dept?
        weak var former: Dept?
        var headed: Dept?
        var teams: [Dept] = []
        var clubs: Set<Dept> = []
    }

    final class Boss: Emp { var car = "" }

    static let size = 6

    /// Saves departments, half of them labs, each with employees that are in all of its inverses.
    static func fill(_ store: Store, _ count: Int = 4) throws {
        try store.withSession { session in
            var all: [PersistentObject] = []
            for index in 0..<count {
                let dept = index % 2 == 0 ? Dept() : Lab()
                dept.name = "\(index)"
                all.append(dept)
                for number in 0..<size {
                    let emp = number == 0 ? Boss() : Emp()
                    emp.dept = dept
                    emp.former = dept
                    emp.headed = number == 0 ? dept : nil
                    emp.teams = [dept]
                    emp.clubs = [dept]
                    all.append(emp)
                }
            }
            try session.save(all)
        }
    }

    /// Opens a store and calls `body` with a tracker that counts its objects.
    static func withStore(
        _ configuration: Store.Configuration = .init(lostEdits: .ignore), count: Int = 4,
        _ body: (Store, LifetimeTracker) throws -> Void
    ) throws {
        let tracker = LifetimeTracker()
        try $tracker.withValue(tracker) {
            try withTemporaryStore(configuration) { store, _ in
                try fill(store, count)
                // The objects that class inspection keeps.
                let before = tracker.liveCount
                try body(store, tracker)
                #expect(tracker.liveCount <= before)
            }
        }
    }

    /// Reads all inverses of a department.
    @discardableResult
    static func touch(_ dept: Dept) -> Int {
        dept.staff.count + dept.alumni.count + (dept.head == nil ? 0 : 1) + dept.members.count + dept.guests.count
    }

    /// Makes enough calls to release all loaded inverses.
    static func pass(_ calls: Int = 300) throws {
        for _ in 0..<calls { _ = try Dept.find([-1]) }
    }

    // MARK: Release at the end of the session

    @Test(arguments: [1, 2, 3, 4, 5]) func `the end of the session frees all objects, whichever inverse was read`(
        which: Int
    ) throws {
        try Self.withStore { store, tracker in
            let before = tracker.liveCount
            for _ in 0..<10 {
                try store.withSession { _ in
                    for dept in try Dept.all() {
                        switch which {
                        case 1: _ = dept.staff
                        case 2: _ = dept.alumni
                        case 3: _ = dept.head
                        case 4: _ = dept.members
                        default: _ = dept.guests
                        }
                    }
                }
            }
            expect(tracker.liveCount, before)
        }
    }

    @Test func `reset frees all objects that the program does not hold, including edited ones`() throws {
        try Self.withStore { store, tracker in
            let before = tracker.liveCount
            try store.withSession { session in
                for dept in try Dept.all() {
                    Self.touch(dept)
                    dept.staff.removeLast()
                }
                expect(tracker.liveCount, before + 4 * (1 + Self.size))
                try session.reset()
                expect(tracker.liveCount, before)
            }
        }
    }

    @Test func `perform frees the objects that it fetched`() async throws {
        let tracker = LifetimeTracker()
        try await Self.$tracker.withValue(tracker) {
            let file = try TemporaryStore()
            let store = try file.open()
            try Self.fill(store)
            let before = tracker.liveCount
            let count = try await store.perform { _ in try Dept.all().reduce(0) { $0 + Self.touch($1) } }
            #expect(count == 4 * (4 * Self.size + 1) && tracker.liveCount == before)
        }
    }

    @Test func `reading an inverse of an object that outlived its session reports the error sessionEnded`() throws {
        try Self.withStore { store, _ in
            let dept = try store.withSession { _ in
                let dept = try #require(try Dept.find(1))
                #expect(Self.touch(dept) == 4 * Self.size + 1)
                return dept
            }
            #expect(!dept.$staff.isLoaded && dept.staff == [] && dept.head == nil)
            #expect((dept.$staff.problem as? StoreError)?.code == .sessionEnded)
            #expect(throws: StoreError.self) { try dept.$staff.load() }
        }
    }

    @Test func `an unsaved edit of an inverse is reported at the end of its session`() throws {
        let lost = Recorder<String>()
        try Self.withStore(.init(lostEdits: .report { lost.add($0.description) })) { store, tracker in
            let before = tracker.liveCount
            try store.withSession { _ in
                let dept = try #require(try Dept.find(1))
                dept.staff.removeLast()
            }
            expect(tracker.liveCount, before)
        }
        #expect(lost.all.count == 1 && lost.all.first?.contains("staff") == true, "\(lost.all)")
    }

    @Test func `deleted objects that refer to each other are freed`() throws {
        try Self.withStore { store, tracker in
            let before = tracker.liveCount
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                Self.touch(dept)
                try session.delete([dept] + dept.staff)
                expect(dept.staff.count, Self.size)
            }
            expect(tracker.liveCount, before)
        }
    }
}
