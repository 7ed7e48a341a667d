// Import and export, as in the public API.
import Foundation
import PersistentObjects
import PersistentTransfer

class Person: PersistentObject {
    var lastName = ""
    var age: Int?
}

class Company: PersistentObject {
    var name = ""
}

func transfer(_ store: Store, _ joe: Person, _ data: Data, _ url: URL) throws {
    let json: Data = try joe.json
    let object: [String: Any] = try joe.jsonObject
    let made = try Person(json: data)
    let again = try Person(object)
    try store.export(Person.self, to: url, as: .jsonLines) { progress in print(progress.fractionCompleted) }
    try store.export(Person.self, to: url)
    let count: Int = try store.export([Person.self, Company.self], to: url, as: .json)
    try store.import(Person.self, from: url) { progress in progress.cancel() }
    let whole = Progress(totalUnitCount: 0)
    let report = try store.import([Person.self, Company.self], from: url, ids: .kept, progress: whole) { _ in
    } onError: { error in
        error.line == 7 ? .skip : .stop
    }
    try store.import(Person.self, from: url, onError: { _ in .skip })
    let old = try store.importSQLitePersistentObject(from: "old.sqlite3", Person.self, Company.self) { print($0) }
    let core = try store.importCoreData(
        from: "Model.sqlite", Person.self, mapping: ForeignMapping(entities: ["Person": "CDPerson"]))
    print(json, object, made, again, count, report, old.skipped, core.leftOut, core.count)
}

func transferInBackground(_ store: Store, _ url: URL) async throws -> Int {
    try await Task.detached { try store.export(Person.self, to: url) }.value
}
