import Foundation
import PersistentObjects
import PersistentObjectsTesting
import PersistentTransfer

/// Imported JSON. Exporting it and importing it again must not change it.
struct TransferTarget {
    typealias Person = Fuzzed.Person
    private let folder: TemporaryStore

    init() throws { folder = try TemporaryStore() }

    /// The first byte selects the kind of import, and the rest is the file.
    func run(_ bytes: [UInt8]) throws {
        let how = bytes.first ?? 0
        let file = folder.folder.appending(path: "\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let data = Data(bytes.dropFirst())
        do {
            switch how % 4 {
            case 0: try Self.one(data)
            case 1: try Self.all(data, file, how >= 128 ? { _ in .skip } : nil)
            case 2: try Self.all(data, file, nil, ids: .kept)
            default: try Self.known(data, file)
            }
        } catch { try FuzzErrors.check(error) }
    }

    private static func withStore<R>(_ body: (Store, Session) throws -> R) throws -> R {
        let store = try Store.inMemory(configuration: .fuzzed())
        return try store.withSession { session in
            try store.prepare(Fuzzed.classes)
            return try body(store, session)
        }
    }

    private static func one(_ data: Data) throws {
        try withStore { _, session throws in
            try Fuzzed.fill(session)
            let person = try Person(json: data)
            let json = try person.json
            try person.save()
            try person.reload()
            // The id can have changed, so the copy is compared with the JSON without one.
            let again = try Person(json: person.json)
            guard try again.json == json else {
                throw FuzzFinding("\(String(decoding: json, as: UTF8.self)) became other values")
            }
        }
    }

    private static func all(
        _ data: Data, _ file: URL, _ decision: ((TransferError) -> ImportDecision)?, ids: ImportedIDs = .fitting
    ) throws {
        try data.write(to: file)
        let first = try withStore { store, _ in
            try store.import(Fuzzed.classes, from: file, ids: ids, onError: decision)
            try store.export(Fuzzed.classes, to: file)
            return try Data(contentsOf: file)
        }
        let second = try withStore { store, _ in
            do {
                try store.import(Fuzzed.classes, from: file, ids: .kept)
                try store.export(Fuzzed.classes, to: file)
            } catch { throw FuzzFinding("what was exported cannot be imported: \(error)") }
            return try Data(contentsOf: file)
        }
        guard first == second else { throw FuzzFinding("an export differs after it was imported") }
    }

    /// Imports into a store with objects. Either all objects are imported or none.
    private static func known(_ data: Data, _ file: URL) throws {
        try data.write(to: file)
        try withStore { store, session throws in
            try Fuzzed.fill(session)
            let before = try Person.count()
            do {
                let report = try store.import(Fuzzed.classes, from: file)
                let people = (report.converted["Person"] ?? 0) + (report.converted["Employee"] ?? 0)
                guard try Person.count() == before + people else { throw FuzzFinding("the report is wrong: \(report)") }
            } catch {
                try FuzzErrors.check(error)
                guard try Person.count() == before else { throw FuzzFinding("a part was imported: \(error)") }
            }
        }
    }
}
