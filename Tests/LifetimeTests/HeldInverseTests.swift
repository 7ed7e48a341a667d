import TestSupport
import Testing

@testable import PersistentObjects

/// Inverses that are in memory keep no ring of objects alive: neither after their session, nor in one that never ends.
struct HeldInverseTests {
    static let living = LifetimeTracker()

    /// What a test counts: the objects that it has made.
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

    /// Some departments, half of them labs, each with employees that are in all of its inverses.
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

    /// Opens a store and calls `body` with what counts its objects.
    static func withStore(
        _ configuration: Store.Configuration = .init(lostEdits: .ignore), count: Int = 4,
        _ body: (Store, LifetimeTracker) throws -> Void
    ) throws {
        let tracker = LifetimeTracker()
        try $tracker.withValue(tracker) {
            try withTemporaryStore(configuration) { store, _ in
                try fill(store, count)
                // What the examination of the classes keeps.
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

    /// Enough calls for whatever is read at the moment to be let go of.
    static func pass(_ calls: Int = 300) throws {
        for _ in 0..<calls { _ = try Dept.find([-1]) }
    }

    // MARK: With their session

    @Test(arguments: [1, 2, 3, 4, 5]) func `all is freed with its session, whichever inverse was read`(
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

    @Test func `reset frees what nobody holds, edits too`() throws {
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

    @Test func `perform frees what it has read`() async throws {
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

    @Test func `an inverse of an object that has outlived its session says why it cannot be read`() throws {
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

    @Test func `an edit of an inverse is reported where its session ends`() throws {
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

    @Test func `deleted objects, which are in each other, are freed`() throws {
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
