import TestSupport
import Testing

@testable import PersistentObjects

/// Lazy references and inverses next to rows that cannot be loaded.
struct BrokenLazyTests {
    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var parent: Company?
        @Inverse(\Company.parent) var branches: [Company]
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Lazy var employer: Company?
        @Lazy var former: [Company] = []
    }

    @Test func `an object whose reference cannot be loaded does not prevent its siblings from loading theirs`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in
                let people = (0..<3).map { _ in Person() }
                for person in people { (person.employer, person.former) = (Company(), [Company()]) }
                try session.save(people)
            }
            _ = try file.sqlite(
                """
                UPDATE person SET employer_id = 99 WHERE id = 2;
                UPDATE person_former SET value_id = 98 WHERE owner_id = 2
                """)
            try store.withSession { session throws in
                let people = try Person.all()
                #expect(try people[0].$employer.load() != nil && people[0].$former.load().count == 1)
                let error = #expect(throws: StoreError.self) { try people[1].$employer.load() }
                #expect(error?.code == .brokenReference && error?.property == "employer" && error?.rowID == 2)
                #expect(people[1].employer == nil && people[1].$employer.problem != nil)
                #expect(!people[1].$employer.isLoaded)
                #expect(throws: StoreError.self) { try people[1].$former.load() }
                #expect(people[1].former.isEmpty && !people[1].hasChanges)
                #expect(try people[2].$employer.load()?.isNew == false && people[2].former[0].isNew == false)
                #expect(people.allSatisfy { !$0.hasChanges })
                #expect(try statements(of: session) { try session.saveChanges() }.isEmpty)
            }
        }
    }

    @Test func `an inverse does not contain objects that a failed fetch discarded`() throws {
        try withTemporarySession { session, file throws in
            let company = Company()
            try company.save()
            #expect(company.branches.isEmpty)
            _ = try file.sqlite(
                "INSERT INTO company (parent_id) VALUES (1); INSERT INTO company (parent_id) VALUES (99)")
            #expect(throws: StoreError.self) { try Company.findByCriteria("WHERE id > 1") }
            #expect(company.branches.isEmpty && !company.hasChanges)
            _ = try file.sqlite("DELETE FROM company WHERE id = 3")
            let all = try Company.all()
            #expect(company.branches == [all[1]] && !company.hasChanges)
            company.branches = []
            try company.save()
            try expect(file.sqlite("SELECT count(parent_id) FROM company"), "0")
        }
    }
}
