// Schema and maintenance, as in the public API.
import PersistentObjects

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
}

class Pet: PersistentObject {
    var name = ""
}

class Manager: Person {
    override class var formerNames: [String] { ["Worker"] }
}

class Statistic: PersistentObject {
    override class var isReadOnly: Bool { true }
    override class var conversions: [PropertyConversion] {
        [PropertyConversion(\Statistic.count, from: "amount") { (amount: Double) in Int(amount) }]
    }
    var count = 0
}

func prepare(_ store: Store) throws {
    try store.prepare(Person.self, Pet.self)
    try store.prepare([Person.self, Pet.self]) { progress in print(progress.fractionCompleted) }
    let plan = try store.schemaPlan(for: Person.self)
    print(plan, plan.statements, plan.losses, plan.estimatedDuration)
    try store.run(plan)
    try store.migrate("2026-11 split names") { session in try session.execute("UPDATE person SET age = 1") }
    try store.migrate("2026-12 old", before: Person.self) { session in
        try session.old(Person.self).forEach { row in print(row["last_name"] as Any) }
    }
    try store.migrate([Migration("2027-01 one", sql: "UPDATE pet SET name = 'x'"), Migration("2027-02 two") { _ in }])
}

func care(_ store: Store) throws {
    try store.backup(to: "copy.sqlite") { progress in print(progress.fractionCompleted) }
    try store.backup(to: "copy.sqlite", replacing: true)
    let report = try store.checkIntegrity()
    print(report, report.isSound)
    try store.vacuum()
    try store.checkpoint()
    try store.erase()
    store.close()
}

func configure() throws -> Store {
    try Store(
        ":memory:",
        configuration: Store.Configuration(
            schemaChanges: .refused, showsValuesInErrors: true,
            onQuery: { profile in print(profile.sql, profile.duration, profile.rows, (try? profile.plan()) as Any) },
            slowQuery: .milliseconds(50)))
}

func damaged() throws -> [Person] {
    try Person.all(.skippingUndecodable { row in print(row) })
}
