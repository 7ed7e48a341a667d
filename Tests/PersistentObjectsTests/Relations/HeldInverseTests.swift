import TestSupport
import Testing

@testable import PersistentObjects

/// Inverses that are in memory keep no ring of objects alive: neither after their session, nor in one that never ends.
struct HeldInverseTests {
    private static let living = LifetimeTracker()

    /// What a test counts: the objects that it has made.
    @TaskLocal private static var tracker = living

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
        _ configuration: Store.Configuration = .init(onLostEdits: .ignore), count: Int = 4,
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
            #expect(tracker.liveCount == before)
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
                #expect(tracker.liveCount == before + 4 * (1 + Self.size))
                try session.reset()
                #expect(tracker.liveCount == before)
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
        try Self.withStore(.init(onLostEdits: .call { lost.add($0.description) })) { store, tracker in
            let before = tracker.liveCount
            try store.withSession { _ in
                let dept = try #require(try Dept.find(1))
                dept.staff.removeLast()
            }
            #expect(tracker.liveCount == before)
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
                #expect(dept.staff.count == Self.size)
            }
            #expect(tracker.liveCount == before)
        }
    }

    // MARK: In a session that goes on

    @Test func `a session that goes on frees what nobody reads any more`() throws {
        try Self.withStore(count: 40) { store, tracker in
            let before = tracker.liveCount
            try store.withSession { _ in
                for round in 0..<3 {
                    for dept in try Dept.all() { Self.touch(dept) }
                    #expect(tracker.liveCount == before + 40 * (1 + Self.size))
                    try Self.pass()
                    #expect(tracker.liveCount == before, "round \(round)")
                }
                // One that is read alone goes after a few calls.
                _ = try Dept.find(1)?.staff
                try Self.pass(6)
                #expect(tracker.liveCount == before)
            }
        }
    }

    @Test func `saves count as calls`() throws {
        try Self.withStore { store, tracker in
            try store.withSession { session in
                let other = Emp()
                try session.save([other])
                let before = tracker.liveCount
                _ = try Dept.find(1)?.staff
                for n in 1...6 {
                    other.n = n
                    try other.save()
                }
                // Weak references' objects stay until the next fetch.
                #expect(tracker.liveCount <= before + 1)
            }
        }
    }

    @Test func `an inverse that was let go of has the same objects again, without a query`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let staff = dept.staff
                Self.touch(dept)
                try Self.pass()
                #expect(!dept.$staff.isLoaded && !dept.$head.isLoaded && !dept.hasChanges)
                let log = statements(of: session.connection) {
                    #expect(dept.staff == staff && dept.head === staff[0] && dept.members == staff)
                    #expect(dept.staff[0] === dept.staff[0])
                }
                #expect(log.isEmpty && !dept.hasChanges)
                try session.save([dept])
            }
        }
    }

    @Test func `an inverse that was let go of is read again where its objects are gone`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let ids = dept.staff.map(\.id)
                try Self.pass()
                try store.withSession { _ in try #require(try Emp.where { $0.id == 2 }.first()).delete() }
                let log = statements(of: session.connection) {
                    #expect(dept.staff.map(\.id) == ids.filter { $0 != 2 })
                }
                #expect(log.count { $0.contains("\"dept_id\" IN") } == 1, "\(log)")
                #expect(dept.staff.allSatisfy { $0.dept === dept } && !dept.hasChanges)
            }
        }
    }

    @Test func `edits of its elements and of itself stay until they are saved`() throws {
        try Self.withStore { store, tracker in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let before = tracker.liveCount
                for emp in dept.staff { emp.n += 1 }
                let new = Emp()
                try #require(try Dept.find(2)).staff.append(new)
                try Self.pass()
                #expect(dept.$staff.isLoaded && tracker.liveCount > before)
                try session.saveChanges()
                #expect(try session.rows("SELECT sum(n) AS n FROM emp").map { try $0.value("n") as Int } == [Self.size])
                try Self.pass()
                #expect(!dept.$staff.isLoaded)
                #expect(try Dept.find(2)?.staff.map(\.id).last == new.id && new.dept?.id == 2)
                try Self.pass()
                #expect(tracker.liveCount == before + 2, "dept, and new with its dept")
            }
        }
    }

    @Test func `a save takes along what is alive of an inverse that was let go of`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let emp = try #require(dept.staff.last)
                try Self.pass()
                #expect(!dept.$staff.isLoaded)
                emp.n = 7
                try dept.save()
                #expect(!emp.hasChanges && !dept.$staff.isLoaded)
                #expect(try Emp.where { $0.n == 7 }.count() == 1)
                emp.n = 8
                try dept.save(.shallow)
                #expect(emp.hasChanges)
                emp.revert()
            }
        }
    }

    @Test func `an inverse that was let go of follows saves, fetches and deletions`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let (dept, lab) = (try #require(try Dept.find(1)), try #require(try Dept.find(2)))
                let (ours, theirs) = (dept.staff, lab.staff)
                try Self.pass()
                #expect(!dept.$staff.isLoaded)
                ours[1].dept = lab
                try ours[1].save()
                #expect(!dept.$staff.isLoaded)
                try theirs[0].delete()
                #expect(dept.staff == ours.filter { $0 !== ours[1] })
                #expect(lab.staff == [ours[1]] + theirs.dropFirst())
                try Self.pass()
                try store.withSession { _ in
                    let moved = try #require(try Emp.find(ours[2].id ?? 0))
                    moved.dept = try Dept.find(2)
                    try moved.save()
                }
                _ = try Emp.all()
                #expect(dept.staff == ours.filter { $0 !== ours[1] && $0 !== ours[2] })
                #expect(lab.staff == [ours[1], ours[2]] + theirs.dropFirst() && !lab.hasChanges)
            }
        }
    }

    @Test func `an inverse that was let go of is edited and set like any other`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                _ = (dept.staff, dept.head)
                try Self.pass()
                dept.staff.removeFirst()
                #expect(dept.staff.count == Self.size - 1 && dept.changes.map(\.name) == ["staff"])
                dept.revert()
                #expect(dept.staff.count == Self.size && !dept.hasChanges)
                try Self.pass()
                dept.staff = []
                dept.head = nil
                try dept.save()
                #expect(dept.staff == [] && dept.head == nil)
                try Self.pass()
                #expect(dept.staff == [] && dept.head == nil && !dept.hasChanges)
                #expect(try Emp.where { $0.dept == nil }.count() == Self.size)
            }
        }
    }

    @Test func `a transaction that is rolled back brings inverses back that were let go of`() throws {
        struct Stop: Error {}
        try Self.withStore { store, _ in
            try store.withSession { session in
                let (dept, lab) = (try #require(try Dept.find(1)), try #require(try Dept.find(2)))
                let staff = dept.staff
                _ = lab.staff
                try Self.pass()
                #expect(throws: Stop.self) {
                    try session.transaction {
                        staff[0].dept = lab
                        try staff[0].save()
                        #expect(dept.staff.count == Self.size - 1 && lab.staff.count == Self.size + 1)
                        dept.staff.removeAll()
                        try dept.save()
                        try Self.pass()
                        #expect(dept.staff == [])
                        try lab.delete()
                        throw Stop()
                    }
                }
                #expect(dept.staff == staff && lab.staff.count == Self.size)
                #expect(staff.allSatisfy { $0.dept === dept } && !dept.hasChanges && !lab.hasChanges)
            }
        }
    }

    @Test func `snapshots and undo know what an inverse has that was let go of`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                // Where SQLite has no session extension it stays false.
                session.recordsUndo = true
                let dept = try #require(try Dept.find(1))
                let staff = dept.staff
                try Self.pass()
                let snapshot = dept.snapshot(loading: false)
                #expect(snapshot.isLoaded(\.staff) && !dept.$staff.isLoaded)
                #expect(snapshot.staff.map(\.value) == staff.compactMap(\.id))
                staff[0].dept = nil
                try staff[0].save()
                try Self.pass()
                guard session.recordsUndo else { return }
                try session.undo()
                #expect(dept.staff == staff)
                try session.redo()
                #expect(dept.staff == Array(staff.dropFirst()))
            }
        }
    }

    // MARK: Without reading again and again

    @Test func `a loop that saves and fetches reads each inverse once`() throws {
        try Self.withStore(count: 60) { store, _ in
            try store.withSession { session in
                let depts = try Dept.all()
                let log = try statements(of: session.connection) {
                    for dept in depts {
                        for emp in dept.staff {
                            emp.n += 1
                            try emp.save()
                            _ = try Dept.find([-1])
                        }
                    }
                }
                let reads = log.count { $0.contains("BETWEEN") || $0.contains("\"dept_id\" IN") }
                #expect(reads <= 3, "\(reads)")
            }
        }
    }

    @Test func `indices in a loop that fetches`() throws {
        try Self.withStore(count: 1) { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let log = try statements(of: session.connection) {
                    for _ in 0..<50 {
                        for index in dept.staff.indices {
                            _ = try Dept.find([-1])
                            #expect(dept.staff[index].dept === dept)
                        }
                    }
                }
                #expect(log.count { $0.contains("\"dept_id\" =") || $0.contains("\"dept_id\" IN") } <= 1)
            }
        }
    }

    @Test func `what is being edited in place is left alone`() throws {
        try Self.withStore { store, tracker in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let before = tracker.liveCount
                dept.staff.sort { one, other in
                    _ = try? Self.pass(20)
                    return (one.id ?? 0) > (other.id ?? 0)
                }
                #expect(dept.staff.count == Self.size && !dept.hasChanges)
                try Self.pass()
                #expect(tracker.liveCount == before)
                let ids = dept.staff.compactMap(\.id)
                #expect(ids.count == Self.size && ids == ids.sorted())
            }
        }
    }
}
