import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The effects of `update { }` on objects in memory, and the updates that it refuses.
struct QueryUpdateEdgeTests {
    typealias Person = QueryUpdateTests.Person
    typealias Company = QueryUpdateTests.Company

    private func people(_ count: Int) -> [Person] {
        (0..<count).map { index in
            let person = Person()
            person.firstName = "f\(index)"
            person.age = index
            person.code = index
            return person
        }
    }

    @Test func `update keeps unsaved edits`() throws {
        try withTemporarySession { session, file throws in
            let all = people(2)
            try session.save(all)
            all[0].age = 77
            all[0].firstName = "edited"
            try Person.query.update {
                $0.age = 5; $0.lastName = "new"
            }
            expect(all.map(\.age), [77, 5])
            expect(all.map(\.lastName), ["new", "new"])
            expect(all[0].firstName, "edited")
            expect(all[0].changes.map(\.name), ["firstName", "age"])
            expect(all[0].changes[1].old as? Int, 5)
            try withExtendedLifetime(all) { try session.saveChanges() }
            try expect(file.sqlite("SELECT age FROM person ORDER BY id"), "77\n5")
        }
    }

    @Test func `other sessions see the update at their next query`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { session in
                let all = people(2)
                try session.save(all)
                try store.withSession { _ in _ = try Person.where { $0.age == 1 }.update { $0.age = 50 } }
                expect(all[1].age, 1)
                try expect(Person.where { $0.age == 50 }.all(), [all[1]])
                expect(all[1].age, 50)
            }
        }
    }

    @Test func `finders find the new unique values`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(3)
            try session.save(all)
            #expect(try Person.findBy.code(1) == [all[1]])
            try Person.where { $0.code == 1 }.update { $0.code = 10 }
            #expect(try Person.findBy.code(1) == [])
            #expect(try Person.findBy.code(10) == [all[1]])
            let error = #expect(throws: StoreError.self) { try Person.query.update { $0.code = 4 } }
            #expect(error?.code == .notUnique)
            #expect(all.map(\.code) == [0, 10, 2])
            #expect(try Person.findBy.code(2) == [all[2]])
        }
    }

    @Test func `update sets references, and inverses follow`() throws {
        try withTemporarySession { session, file throws in
            let (acme, zorg) = (Company(), Company())
            let all = people(3)
            all[0].employer = zorg
            all[1].employer = zorg
            try session.save(all + [acme, zorg])
            #expect(zorg.staff == [all[0], all[1]] && acme.staff.isEmpty)
            #expect(try Person.where { $0.age > 0 }.update { $0.employer = acme } == 2)
            #expect(all.map(\.employer) == [zorg, acme, acme])
            #expect(zorg.staff == [all[0]] && acme.staff == [all[1], all[2]])
            let ids = [zorg, acme, acme].map { "\($0.id ?? 0)" }.joined(separator: "\n")
            #expect(try file.sqlite("SELECT employer_id FROM person ORDER BY id") == ids)
            try Person.query.update { $0.employer = nil }
            #expect(all.allSatisfy { $0.employer == nil } && zorg.staff.isEmpty && acme.staff.isEmpty)
        }
    }

    @Test func `inverses follow rows that are not in memory`() throws {
        try withTemporarySession { session, _ throws in
            let acme = Company()
            try session.save(people(3) + [acme])
            #expect(acme.staff.isEmpty)
            try Person.query.update { $0.employer = acme }
            expect(acme.staff.count, 3)
        }
    }

    @Test func `a reference to a new, deleted or foreign object throws`() throws {
        try withTemporarySession { session, _ throws in
            let (acme, gone) = (Company(), Company())
            try session.save(people(1) + [gone])
            try gone.delete()
            expect(code { try Person.query.update { $0.employer = acme } }, .misuse)
            expect(code { try Person.query.update { $0.employer = gone } }, .objectIsDeleted)
            try withTemporaryStore { other, _ in
                try other.withSession { _ in
                    let foreign = Company()
                    try foreign.save()
                    expect(code { try session.enter { try update(session, foreign) } }, .otherSession)
                }
            }
        }
    }

    private func update(_ session: Session, _ company: Company) throws {
        let list = AssignmentList(try ClassMap.map(of: Person.self))
        list.assign(\Person.employer, value: company as Company?)
        _ = try BulkUpdate(session).update(try session.space(of: Person.self), Person.query.definition, list)
    }

    @Test func `a reference to a row that another program deleted throws`() throws {
        try withTemporarySession { session, file throws in
            let acme = Company()
            let all = people(1)
            try session.save(all + [acme])
            _ = try file.sqlite("DELETE FROM company")
            let error = #expect(throws: StoreError.self) { try Person.query.update { $0.employer = acme } }
            #expect(error?.code == .brokenReference && error?.property == "employer")
            #expect(all[0].employer == nil && !all[0].hasChanges)
        }
    }

    @Test func `a remainder, which can be nil, needs a default`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(5)
            try session.save(all)
            let error = #expect(throws: QueryError.self) { try Person.query.update { $0.age = $0.age % 3 } }
            #expect(error.map { "\($0)".contains("$0.n = $0.age % 3 ?? 0") } ?? false)
            #expect(all.map(\.age) == [0, 1, 2, 3, 4])
            try Person.query.update { $0.age = $0.age % 3 ?? 0 }
            #expect(all.map(\.age) == [0, 1, 2, 0, 1])
            try Person.query.update { $0.age = $0.age / 2 ?? 0 }
            #expect(all.map(\.age) == [0, 0, 1, 0, 0])
        }
    }

    @Test func `lazy values are read again after an update`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(2)
            for person in all { person.photo = Data([1]) }
            try session.save(all)
            try Person.where { $0.age == 1 }.update { $0.photo = Data([2, 3]) }
            #expect(all.map(\.photo) == [Data([1]), Data([2, 3])])
            #expect(all.allSatisfy { !$0.hasChanges })
        }
    }

    @Test func `values that do not fit their properties throw`() throws {
        try withTemporarySession { session, file throws in
            let all = people(2)
            all[1].level = 127
            all[0].age = .max
            all[1].price = 1.5
            try session.save(all)
            #expect(code { try Person.query.update { $0.level += 1 } } == .typeMismatch)
            #expect(code { try Person.query.update { $0.age += 1 } } == .constraint)
            #expect(code { try Person.query.update { $0.score = Double.nan } } == .notRepresentable)
            #expect(all.map(\.level) == [0, 127] && all[0].age == .max)
            #expect(try file.sqlite("SELECT level FROM person ORDER BY id") == "0\n127")
            // Decimals are stored as strings, with which SQL cannot calculate.
            #expect(throws: QueryError.self) { try Person.query.update { $0.price += 1 } }
            try Person.query.update {
                $0.price = 2.5; $0.level = -128
            }
            #expect(all.map(\.price) == [2.5, 2.5] && all.map(\.level) == [-128, -128])
        }
    }

    @Test func `unsupported assignments throw before any statement runs`() throws {
        try withTemporarySession { session, _ throws in
            let all = people(2)
            try session.save(all)
            func refused(_ changes: (inout Assignments<Person>) throws -> Void) throws -> String {
                var text = ""
                let log = statements(of: session) {
                    do { _ = try Person.query.update(changes) } catch { text = "\(error)" }
                }
                #expect(log.isEmpty)
                return text
            }
            #expect(try refused { $0.lastName.append("x") }.contains("Person.lastName"))
            #expect(try refused { $0.tags = $0.tags }.contains("set only to a value of its type"))
            #expect(try refused { $0.tags.append("x") }.contains("Person.tags"))
            #expect(try refused { $0.photo?.append(1) }.contains("Person.photo"))
            #expect(try refused { $0.age = Int($0.lastName) ?? 0 }.contains("Person.lastName"))
            #expect(
                try refused {
                    $0.employer = nil; $0.mentor = $0.mentor; $0.mentor = $0.mentor.mentor
                }
                .contains("read after it was set"))
            struct Own: Error {}
            #expect(throws: Own.self) {
                try Person.query.update {
                    $0.age = 1; throw Own()
                }
            }
            #expect(all.map(\.age) == [0, 1] && all.map(\.lastName) == ["", ""])
            try session.save([Company()])
            let inverse = #expect(throws: QueryError.self) { try Company.query.update { $0.staff = [] } }
            #expect(inverse.map { "\($0)" }?.contains("inverse") == true)
        }
    }

    private func code(_ body: () throws -> Void) -> StoreError.Code? {
        do { try body() } catch { return (error as? StoreError)?.code }
        return nil
    }
}
