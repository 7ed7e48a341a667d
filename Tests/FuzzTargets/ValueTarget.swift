import Foundation
import PersistentObjects
import PersistentTransfer

/// Invalid values of the right type in columns: strings that are not UTF-8, invalid JSON, numbers out of range.
struct ValueTarget {
    typealias Person = Fuzzed.Person
    private let store: Store

    /// The statements that write a value into a column of the person or of its collections.
    private static let statements: [String] = {
        let texts = ["last_name", "email", "price", "letter", "home", "status"].map {
            "UPDATE person SET \($0) = CAST(?1 AS TEXT) WHERE id = 1"
        }
        let blobs = ["token", "photo", "bytes", "address", "address2"].map {
            "UPDATE person SET \($0) = ?1 WHERE id = 1"
        }
        let integers = ["years", "small", "large", "is_active", "level", "mentor_id", "employer_id"].map {
            "UPDATE person SET \($0) = ?2 WHERE id = 1"
        }
        let reals = ["weight", "ratio", "born"].map { "UPDATE person SET \($0) = ?3 WHERE id = 1" }
        return texts + blobs + integers + reals + [
            "UPDATE person_tags SET value = CAST(?1 AS TEXT) WHERE owner_id = 1 AND position = 0",
            "UPDATE person_tags SET position = ?2 WHERE owner_id = 1 AND position = 0",
            "UPDATE person_numbers SET value = ?2 WHERE owner_id = 1 AND value = 1",
            "UPDATE person_marks SET key = CAST(?1 AS TEXT), value = ?3 WHERE owner_id = 1",
            "UPDATE person_addresses SET value = ?1 WHERE owner_id = 1",
            "UPDATE person_dates SET key = ?2, value = ?3 WHERE owner_id = 1",
            "UPDATE person_posts SET key = CAST(?1 AS TEXT) WHERE owner_id = 1",
            "UPDATE person SET class = CAST(?1 AS TEXT) WHERE id = 1",
        ]
    }()

    init() throws {
        store = try Store.inMemory(configuration: .fuzzed())
        try store.withSession { session throws in
            try store.prepare(Fuzzed.classes)
            try Fuzzed.fill(session)
        }
    }

    func run(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        try store.withSession { session in
            do {
                try session.transaction { () throws in
                    session.rollBack()
                    repeat { try Self.put(&input, session) } while !input.isEmpty
                    Self.read(session)
                }
            } catch { try FuzzErrors.check(error) }
            if session.isInTransaction { throw FuzzFinding("a transaction is left open") }
        }
        // The rollback must restore the rows, also for the next input.
        try store.withSession { _ throws in
            guard try Person.find(1)?.lastName == "Smith 0", try Person.count() == 3 else {
                throw FuzzFinding("a rollback left something")
            }
        }
    }

    private static func put(_ input: inout FuzzInput, _ session: Session) throws {
        let sql = statements[input.number(below: statements.count)]
        // Each statement receives only the arguments that it uses.
        if sql.contains("?3") && sql.contains("?1") {
            let value = input.integer()
            try session.execute(
                sql.replacing("?3", with: "?2"), Data(input.some()), Double(bitPattern: UInt64(bitPattern: value)))
        } else if sql.contains("?3") && sql.contains("?2") {
            let (key, value) = (input.integer(), input.integer())
            try session.execute(
                sql.replacing("?2", with: "?1").replacing("?3", with: "?2"), key,
                Double(bitPattern: UInt64(bitPattern: value)))
        } else if sql.contains("?1") {
            try session.execute(sql, Data(input.some()))
        } else if sql.contains("?2") {
            try session.execute(sql.replacing("?2", with: "?1"), input.integer())
        } else {
            try session.execute(
                sql.replacing("?3", with: "?1"), Double(bitPattern: UInt64(bitPattern: input.integer())))
        }
    }

    /// Reads the objects in several ways, each of which returns or throws independently of the others.
    private static func read(_ session: Session) {
        var texts = 0
        func attempt(_ body: () throws -> Void) { do { try body() } catch { texts += "\(error)".utf8.count } }
        attempt {
            for person in try Person.all() {
                texts += "\(person)".utf8.count + (try person.json.count)
                let snapshot = person.snapshot()
                texts += snapshot.lastName.utf8.count
                attempt {
                    person.tags.append("more")
                    person.address.floors.append(1)
                    person.age = 5
                    try person.save()
                    try person.reload()
                    texts += try Person(json: person.json).tags.count
                }
            }
        }
        attempt { texts += try Person.findByTagsContaining("a").count }
        attempt { texts += try Person.where { $0.marks["m"] > 1 }.count() }
        attempt { texts += try Person.where { $0.status == .active }.values(of: \.lastName, \.price).count }
        attempt { try session.refresh() }
    }
}
