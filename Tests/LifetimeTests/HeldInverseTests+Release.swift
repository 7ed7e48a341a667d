import TestSupport
import Testing

@testable import PersistentObjects

/// Sessions that continue to run release inverses that the program no longer reads.
extension HeldInverseTests {
    @Test func `a running session releases inverses that are no longer read`() throws {
        try Self.withStore(count: 40) { store, tracker in
            let before = tracker.liveCount
            try store.withSession { _ in
                for round in 0..<3 {
                    for dept in try Dept.all() { Self.touch(dept) }
                    expect(tracker.liveCount, before + 40 * (1 + Self.size))
                    try Self.pass()
                    expect(tracker.liveCount, before, "round \(round)")
                }
                // An inverse that is read alone is released after a few calls.
                _ = try Dept.find(1)?.staff
                try Self.pass(6)
                expect(tracker.liveCount, before)
            }
        }
    }

    @Test func `the more links are held, the less often they are checked, and without links never`()
        throws
    {
        try Self.withStore { store, _ in
            try store.withSession { _ in
                let dept = try #require(try Dept.find(1))
                let map = try ClassMap.map(of: Dept.self)
                let held = HeldLinks()
                for _ in 0..<2 {
                    #expect((0..<200).allSatisfy { _ in !held.countCall() })
                    for _ in 0..<24 { held.addDeparted(dept, map) }
                    #expect((0..<5).map { _ in held.countCall() } == [false, false, false, true, true])
                    #expect(held.takeAll().departed.count == 24)
                }
            }
        }
    }

    @Test func `an inverse that was set is released after its save, even if it was never read`() throws {
        try Self.withStore { store, tracker in
            try store.withSession { session in
                let (dept, lab) = (try #require(try Dept.find(1)), try #require(try Dept.find(2)))
                let before = tracker.liveCount
                let employees = { try Emp.where { $0.dept == lab }.all() }
                dept.staff = try employees()
                try dept.save()
                expect(tracker.liveCount, before + Self.size)
                try Self.pass()
                #expect(!dept.$staff.isLoaded && tracker.liveCount == before)
                #expect(dept.staff.count == Self.size && lab.staff == [])
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
                // The targets of weak references stay until the next fetch.
                #expect(tracker.liveCount <= before + 1)
            }
        }
    }

    @Test func `a released inverse returns the same objects without a query`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let staff = dept.staff
                Self.touch(dept)
                try Self.pass()
                #expect(!dept.$staff.isLoaded && !dept.$head.isLoaded && !dept.hasChanges)
                let log = statements(of: session) {
                    #expect(dept.staff == staff && dept.head === staff[0] && dept.members == staff)
                    #expect(dept.staff[0] === dept.staff[0])
                }
                #expect(log.isEmpty && !dept.hasChanges)
                try session.save([dept])
            }
        }
    }

    @Test func `a released inverse is loaded again if its objects are gone`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let ids = dept.staff.map(\.id)
                try Self.pass()
                try store.withSession { _ in try #require(try Emp.where { $0.id == 2 }.first()).delete() }
                let log = statements(of: session) {
                    #expect(dept.staff.map(\.id) == ids.filter { $0 != 2 })
                }
                #expect(log.count { $0.contains("\"dept_id\" = ?") } == 1, "\(log)")
                #expect(dept.staff.allSatisfy { $0.dept === dept } && !dept.hasChanges)
            }
        }
    }

    @Test func `edits of an inverse and of its elements stay until they are saved`() throws {
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
                try expect(session.rows("SELECT sum(n) AS n FROM emp").map { try $0.value("n") as Int }, [Self.size])
                try Self.pass()
                #expect(!dept.$staff.isLoaded)
                #expect(try Dept.find(2)?.staff.map(\.id).last == new.id && new.dept?.id == 2)
                try Self.pass()
                expect(tracker.liveCount, before + 2, "dept, and new with its dept")
            }
        }
    }

    @Test func `a loop that saves and fetches loads each inverse once`() throws {
        try Self.withStore(count: 60) { store, _ in
            try store.withSession { session in
                let depts = try Dept.all()
                let log = try statements(of: session) {
                    for dept in depts {
                        for emp in dept.staff {
                            emp.n += 1
                            try emp.save()
                            _ = try Dept.find([-1])
                        }
                    }
                }
                let reads = log.count {
                    $0.contains("BETWEEN") || $0.contains("\"dept_id\" IN") || $0.contains("\"dept_id\" =")
                }
                #expect(reads <= 3, "\(reads)")
            }
        }
    }

    @Test func `a loop over the indices of an inverse that fetches loads the inverse once`() throws {
        try Self.withStore(count: 1) { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let log = try statements(of: session) {
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

    @Test func `an inverse that is being modified in place is not released`() throws {
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
                expect(tracker.liveCount, before)
                let ids = dept.staff.compactMap(\.id)
                #expect(ids.count == Self.size && ids == ids.sorted())
            }
        }
    }
}
