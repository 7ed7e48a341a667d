// swift-format-ignore-file
// The public API: "Stores and sessions", "Schema and care" and the headings after it, line by line.
import Foundation
import PersistentObjects
import PersistentTransfer

class Company: PersistentObject { var name = "" }
class Person: PersistentObject { var lastName = ""; var age: Int?; var employer: Company? }
class Pet: PersistentObject { var name = "" }

func stores(_ a: Person, _ b: Person, _ joe: Person, _ id: PersistentID<Person>) async throws {
    let store = try Store("people.sqlite")
    try Store.inMemory(); try Store.temporary()
    try Store("x.sqlite", configuration: .init(durability: .full, busyTimeout: .seconds(5), lostEdits: .keep))
    try Store("x.sqlite", configuration: .init(lostEdits: .report { lost in })); try Store("x.sqlite", configuration: .init(lostEdits: .ignore))
    try Store("x.sqlite", configuration: .init(queryTimeout: .seconds(1), onNote: { note in }))
    Store.default
    try Store.open("people.sqlite")
    try store.withSession { session in try Person.all() }
    let names = try await store.perform { session in try Person.all().map(\.lastName) }
    try Store.transaction { try Person().save() }
    for await event in Person.events { }
    for await event in joe.events { }; for await event in store.events { }
}

func sessions(_ session: Session, _ store: Store, _ a: Person, _ b: Person, _ joe: Person, _ id: PersistentID<Person>) throws {
    try session.transaction { try a.save() }; try session.save([a, b]); try session.saveChanges(); try session.delete([a, b])
    try session.object(for: id); try session.refresh(); try session.reset()
    try session.execute("UPDATE …", 3)
    for row in try session.rows("SELECT …", 3) { row["name"]; let n: String = try row.value("name") }

    try session.add(joe)
    try Store.transaction(keepingEdits: false) { try a.save() }
    try Store.transaction(retries: 3) { try a.save() }
    try session.reading { try Person.count() }
    session.expire(joe); session.expireAll(); session.evict(joe)
}

func mainSession() throws {
    let session = try Store.session()
    session.recordsUndo = true
    try session.undo(); try session.saveChanges(); try session.rows("SELECT 1")
}

@MainActor func live() throws {
    let live = LiveQuery(Person.where { $0.age > 30 })
    live.results; live.error; live.sections(by: \.lastName)
}

func schema(_ store: Store) throws {
    try store.prepare(Person.self, Pet.self)
    let plan = try store.schemaPlan(for: Person.self)
    print(plan); plan.statements; plan.losses; try store.run(plan)
    try store.migrate("2026-11 split names") { session in }
    try store.migrate("2026-11 join names", before: Person.self) { session in }
    try store.backup(to: "copy.sqlite") { progress in }; let report = try store.checkIntegrity(); try store.vacuum(); try store.checkpoint(); try store.erase(); store.close()
    Store.Configuration(onQuery: { profile in profile.sql; profile.duration; profile.rows; try? profile.plan() })
    Store.Configuration(slowQuery: .milliseconds(50))
}

func engines(_ file: Store, _ server: Store) throws {
    try Store.open("postgres://user@host/shop")
    try Store(.postgres("…"))
}

func transfer(_ store: Store, _ joe: Person, _ url: URL, _ data: Data) throws {
    try store.export([Person.self], to: url) { progress in }; try store.export(Person.self, to: url, as: .jsonLines)
    try store.import([Person.self], from: url) { progress in }; try joe.json; try Person(json: data)
}
