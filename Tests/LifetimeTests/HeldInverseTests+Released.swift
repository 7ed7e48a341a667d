import TestSupport
import Testing

@testable import PersistentObjects

/// The behavior of released inverses.
extension HeldInverseTests {
    @Test func `a save includes the living objects of a released inverse`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                let dept = try #require(try Dept.find(1))
                let emp = try #require(dept.staff.last)
                try Self.pass()
                #expect(!dept.$staff.isLoaded)
                emp.n = 7
                try dept.save()
                #expect(!emp.hasChanges && !dept.$staff.isLoaded)
                try expect(Emp.where { $0.n == 7 }.count(), 1)
                emp.n = 8
                try dept.save(.shallow)
                #expect(emp.hasChanges)
                emp.revert()
            }
        }
    }

    @Test func `a released inverse follows saves, fetches and deletions`() throws {
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
                expect(dept.staff, ours.filter { $0 !== ours[1] })
                expect(lab.staff, [ours[1]] + theirs.dropFirst())
                try Self.pass()
                try store.withSession { _ in
                    let moved = try #require(try Emp.find(ours[2].id ?? 0))
                    moved.dept = try Dept.find(2)
                    try moved.save()
                }
                _ = try Emp.all()
                expect(dept.staff, ours.filter { $0 !== ours[1] && $0 !== ours[2] })
                #expect(lab.staff == [ours[1], ours[2]] + theirs.dropFirst() && !lab.hasChanges)
            }
        }
    }

    @Test func `a released inverse can be edited and set`() throws {
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
                try expect(Emp.where { $0.dept == nil }.count(), Self.size)
            }
        }
    }

    @Test func `a rolled back transaction restores released inverses`() throws {
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

    @Test func `snapshots and undo include the objects of a released inverse`() throws {
        try Self.withStore { store, _ in
            try store.withSession { session in
                // If SQLite has no session extension, this remains false.
                session.recordsUndo = true
                let dept = try #require(try Dept.find(1))
                let staff = dept.staff
                try Self.pass()
                let snapshot = dept.snapshot(loading: false)
                #expect(snapshot.isLoaded(\.staff) && !dept.$staff.isLoaded)
                expect(snapshot.staff.map(\.value), staff.compactMap(\.id))
                staff[0].dept = nil
                try staff[0].save()
                try Self.pass()
                guard session.recordsUndo else { return }
                try session.undo()
                expect(dept.staff, staff)
                try session.redo()
                expect(dept.staff, Array(staff.dropFirst()))
            }
        }
    }
}
