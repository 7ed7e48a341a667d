import Foundation
import PersistentObjects
import PersistentObjectsTesting
import PersistentTransfer

/// Database files. They are used or refused, with documented errors.
struct FileTarget {
    typealias Person = Fuzzed.Person

    /// A valid file, which inputs change.
    private let whole: [UInt8]

    init() throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .fuzzed())
        try store.prepare(Fuzzed.classes)
        _ = try store.withSession { session throws in try Fuzzed.fill(session) }
        store.close()
        whole = Array(try Data(contentsOf: URL(filePath: file.path)))
    }

    /// The file for an input: the input itself if it begins like a file, otherwise the valid file with changes.
    ///
    /// Each change has an offset of three bytes, a number of bytes, and the bytes.
    private func content(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: Array("SQLite".utf8)) { return bytes }
        var input = FuzzInput(bytes)
        var file = whole
        let cut = input.byte()
        if cut != 0 { file.removeLast(Int(cut) * 37 % file.count) }
        while !input.isEmpty {
            let place = Int(input.byte()) << 16 | Int(input.byte()) << 8 | Int(input.byte())
            for (offset, byte) in input.some().enumerated() { file[(place + offset) % file.count] = byte }
        }
        return file
    }

    func run(_ bytes: [UInt8]) throws {
        let file = try TemporaryStore()
        try Data(content(bytes)).write(to: URL(filePath: file.path))
        for uses in [Self.use, Self.change, Self.care] {
            do {
                let store = try file.open(configuration: .fuzzed())
                defer { store.close() }
                try uses(store)
            } catch { try FuzzErrors.check(error) }
        }
    }

    /// Runs all steps, even if some fail.
    private static func each(_ steps: [() throws -> Void]) throws {
        for step in steps { do { try step() } catch { try FuzzErrors.check(error) } }
    }

    private static func use(_ store: Store) throws {
        try store.withSession { session throws in
            try each([
                { try store.prepare(Fuzzed.classes) },
                { for person in try Person.all() { _ = "\(person) \(person.students.count)" } },
                { for company in try Fuzzed.Company.all() { _ = try company.json } },
                { _ = try Person.findByLastNameContainingAndTagsContaining("S", "a") },
                { _ = try Person.where { $0.employer.name == "Acme" && $0.marks["m"] > 1 }.order(by: \.born).all() },
                {
                    for person in try Person.all() {
                        person.age = 5
                        person.tags.append("new")
                        person.address.zip = 9
                    }
                    try session.saveChanges()
                },
                {
                    let person = Fuzzed.Employee()
                    (person.lastName, person.salary) = ("New", 5)
                    person.friends = try Person.all()
                    try person.save()
                },
                { try Person.find(1)?.delete() },
                { try Fuzzed.Company.deleteAll() },
            ])
            if session.isInTransaction { throw FuzzFinding("a transaction is left open") }
        }
    }

    /// Uses the file with the next version of a program.
    private static func change(_ store: Store) throws {
        try store.withSession { session throws in
            try each([
                { _ = try store.schemaPlan(for: Fuzzed.Next.Person.self) },
                { try store.prepare(Fuzzed.Next.Person.self, Fuzzed.Next.Company.self) },
                { for person in try Fuzzed.Next.Person.all() { _ = "\(person)" } },
                {
                    for company in try Fuzzed.Next.Company.all() { company.title += "!" }
                    try session.saveChanges()
                },
                { try store.migrate("one") { session in try session.execute("UPDATE company SET rank = rank + 1") } },
            ])
        }
    }

    private static func care(_ store: Store) throws {
        try each([
            { for problem in try store.checkIntegrity().problems { _ = "\(problem)" } },
            { try store.vacuum() },
            { _ = try store.withSession { _ in try Fuzzed.Next.Company.all() } },
        ])
    }
}
