import TestSupport
import Testing

@testable import PersistentObjects

/// If saving a graph fails, the file and memory are unchanged, and the graph can be saved after the cause is fixed.
struct GraphSaveFailureTests {
    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        @Unique var name = ""
        var size = 1.0
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var employer: Company?
        var friends: Set<Person> = []
    }

    /// The cause that makes a save fail.
    enum Obstacle: CaseIterable {
        case notANumber, duplicate, trigger, triggerOfCollection

        var code: StoreError.Code {
            switch self {
            case .notANumber: .notRepresentable
            case .duplicate: .notUnique
            case .trigger, .triggerOfCollection: .constraint
            }
        }
    }

    /// A graph of new and changed objects; the cause of the failure is in the last company.
    private struct Graph {
        let known: Person
        let new: [Person]
        let companies: [Company]

        init(_ session: Session) throws {
            known = Person()
            known.name = "known"
            let taken = Company()
            taken.name = "taken"
            try session.save([known, taken])
            companies = ["Acme", "Bolt"].map { name in
                let company = Company()
                company.name = name
                return company
            }
            new = (0..<3).map { _ in Person() }
            new[0].employer = companies[0]
            new[1].employer = companies[1]
            new[1].friends = [new[2]]
            known.name = "edited"
            known.friends = Set(new)
            known.employer = companies[1]
        }

        func block(_ obstacle: Obstacle, _ file: TemporaryStore) throws {
            switch obstacle {
            case .notANumber: companies[1].size = .nan
            case .duplicate: companies[1].name = "taken"
            case .trigger: _ = try file.sqlite(Graph.trigger("UPDATE ON person"))
            case .triggerOfCollection: _ = try file.sqlite(Graph.trigger("INSERT ON person_friends"))
            }
        }

        private static func trigger(_ event: String) -> String {
            "CREATE TRIGGER no BEFORE \(event) BEGIN SELECT RAISE(ABORT, 'not on a Sunday'); END"
        }

        func unblock(_ obstacle: Obstacle, _ file: TemporaryStore) throws {
            switch obstacle {
            case .notANumber: companies[1].size = 2
            case .duplicate: companies[1].name = "free"
            case .trigger, .triggerOfCollection: _ = try file.sqlite("DROP TRIGGER no")
            }
        }
    }

    private static let counts =
        "SELECT (SELECT count(*) FROM company), (SELECT count(*) FROM person), (SELECT count(*) FROM person_friends), "
        + "(SELECT name FROM person WHERE id = 1)"

    @Test(arguments: Obstacle.allCases)
    func `a failed save changes nothing, and succeeds after the cause is fixed`(obstacle: Obstacle) throws {
        try withTemporarySession { session, file throws in
            let graph = try Graph(session)
            try graph.block(obstacle, file)
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try graph.known.save() }
                #expect(error?.code == obstacle.code)
                if obstacle == .notANumber || obstacle == .duplicate { #expect(error?.className == "Company") }
                if obstacle == .notANumber { #expect(error?.property == "size" && error?.rowID == nil) }
                if obstacle == .duplicate { #expect(error?.property == "name") }
                #expect(try file.sqlite(Self.counts) == "1|1|0|known")
                #expect(graph.new.allSatisfy { $0.isNew && $0.id == nil && $0.rowID == 0 && $0.keeper == nil })
                #expect(graph.companies.allSatisfy { $0.isNew && $0.id == nil && $0.rowID == 0 })
                #expect(graph.known.changes.map(\.name).sorted() == ["employer", "friends", "name"])
                #expect(graph.known.employer === graph.companies[1] && graph.known.friends == Set(graph.new))
                #expect(try session.space(of: Person.self).identity.brokenInvariant() == nil)
            }
            try graph.unblock(obstacle, file)
            try graph.known.save()
            #expect(try file.sqlite(Self.counts) == "3|4|4|edited")
            #expect(graph.new.allSatisfy { $0.id != nil && !$0.hasChanges } && !graph.known.hasChanges)
            #expect(try file.sqlite("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func `a duplicate value among many new rows is an error with class and property`() throws {
        try withTemporarySession { session, file throws in
            let people = (0..<100).map { _ in Person() }
            for (index, person) in people.enumerated() {
                person.employer = Company()
                person.employer?.name = index == 77 ? "C3" : "C\(index)"
            }
            let error = #expect(throws: StoreError.self) { try session.save(people) }
            #expect(error?.code == .notUnique && error?.className == "Company" && error?.property == "name")
            #expect(people.allSatisfy { $0.isNew && $0.id == nil && $0.employer?.isNew == true })
            people[77].employer?.name = "C77"
            try session.save(people)
            #expect(try file.sqlite("SELECT count(*) FROM company") == "100")
        }
    }

    @Test func `a changed row that another program deleted is named, and nothing else is written`() throws {
        try withTemporarySession { session, file throws in
            let graph = try Graph(session)
            try graph.known.save()
            graph.new[2].name = "edited"
            graph.companies[0].size = 5
            _ = try file.sqlite("DELETE FROM person WHERE id = \(graph.new[2].id ?? 0)")
            let error = #expect(throws: StoreError.self) { try graph.known.save() }
            #expect(error?.code == .rowGone && error?.rowID == graph.new[2].id)
            #expect(graph.companies[0].hasChanges && graph.new[2].hasChanges)
            try expect(file.sqlite("SELECT count(*) FROM company WHERE size = 5"), "0")
            _ = try file.sqlite("DELETE FROM person_friends WHERE value_id NOT IN (SELECT id FROM person)")
        }
    }
}
