#if Encryption
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    /// Encrypted arrays, sets and dictionaries.
    @Suite struct EncryptedCollectionTests {
        struct Dose: Codable, Equatable { var drug: String, amount: Int }

        final class Patient: PersistentObject {
            override class var identity: Identity { .uuid }
            override class var tableName: String { "sealed_lists" }
            var name = ""
            @Encrypted var notes: [String] = []
            @Encrypted var codes: Set<Int> = []
            @Encrypted var values: [String: Double] = [:]
            @Encrypted var doses: [Dose]?
            @Encrypted(padded: false) var days: [Date?] = []
            @Encrypted var lists: [[Int]] = []
        }

        enum Plain {
            final class Person: PersistentObject {
                override class var tableName: String { "sealed_person" }
                var name = ""
                var notes: [String] = ["initial"]
                var codes: Set<Int>?
                var values: [String: Double] = [:]
            }
        }
        enum Sealed {
            final class Person: PersistentObject {
                override class var tableName: String { "sealed_person" }
                var name = ""
                @Encrypted var notes: [String] = ["initial"]
                @Encrypted var codes: Set<Int>?
                @Encrypted var values: [String: Double] = [:]
                @Encrypted var added: [String] = ["new"]
            }
        }
        enum Retyped {
            final class Person: PersistentObject {
                override class var tableName: String { "sealed_person" }
                override class var formerColumns: [String: [String]] { ["texts": ["notes"]] }
                var name = ""
                @Encrypted var texts: Set<String>? = []
                @Encrypted var codes: [String]?
                @Encrypted var values: [String: String] = [:]
                @Encrypted var added: [Int: String] = [:]
            }
        }
        enum Single {
            final class Person: PersistentObject {
                override class var tableName: String { "sealed_person" }
                var name = ""
                @Encrypted var notes = ""
            }
        }

        @Test func `elements are stored in one encrypted value, and read back`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let ann = Patient()
                ann.name = "Ann"
                ann.notes = ["measles", "", "measles"]
                ann.codes = [3, 1, 2]
                ann.values = ["temperature": 38.5]
                ann.doses = [Dose(drug: "aspirin", amount: 2)]
                ann.days = [nil, Date(timeIntervalSinceReferenceDate: 1.5)]
                ann.lists = [[1, 2], []]
                try ann.save()
                expect(ann.hasChanges, false)
                try Patient().save()
            }
            try file.session { session in
                let ann = try #require(try Patient.findBy.name("Ann").first)
                expect(ann.$notes.isLoaded, false)
                expect(ann.notes, ["measles", "", "measles"])
                expect(ann.codes, [1, 2, 3])
                expect(ann.values, ["temperature": 38.5])
                expect(ann.doses, [Dose(drug: "aspirin", amount: 2)])
                expect(ann.days, [nil, Date(timeIntervalSinceReferenceDate: 1.5)])
                expect(ann.lists, [[1, 2], []])
                ann.notes.append("cured")
                expect(ann.hasChanges, true)
                expect("\(ann.changes) \(ann)".contains("cured"), false)
                try ann.save()
                ann.codes.insert(3)
                expect(ann.hasChanges, false)
                ann.doses = nil
                try ann.save()
                let other = try #require(try Patient.findBy.name("").first)
                expect(other.notes, [])
                expect(other.doses, nil)
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
            try file.session { _ in
                let ann = try #require(try Patient.findBy.name("Ann").first)
                expect(ann.notes, ["measles", "", "measles", "cured"])
                expect(ann.doses, nil)
            }
            try expect(file.tableCount(beginning: "sealed_lists_"), "0")
            try expect(file.files(containing: "temperature"), [])
            try expect(file.files(containing: "measles"), [])
        }

        @Test func `undo, conflicts and new keys compare the decrypted elements`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try store.withSession { session in
                session.recordsUndo = !TestEngine.isPostgres
                let ann = Patient()
                ann.notes = ["one"]
                try ann.save()
                ann.notes.append("two")
                try ann.save()
                if !TestEngine.isPostgres {
                    try session.undo()
                    expect(ann.notes, ["one"])
                    try session.redo()
                }
                expect(ann.notes, ["one", "two"])
                // Another session writes the same elements again, with other bytes.
                ann.notes = ["mine"]
                try store.withSession { _ in
                    let same = try #require(try Patient.all().first)
                    same.notes = ["other"]
                    try same.save()
                    same.notes = ["one", "two"]
                    try same.save()
                }
                try file.keys.addKey()
                try expect(store.reencrypt() > 0, true)
                try ann.save()
                ann.notes = ["again"]
                try store.withSession { _ in
                    let other = try #require(try Patient.all().first)
                    other.notes = ["theirs"]
                    try other.save()
                }
                expect(EncryptedFile.code { try ann.save() }, .staleObject)
                try store.removeKey(1)
            }
        }

        @Test func `collections become encrypted, and plain again with consent`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                for index in 0..<3 {
                    let person = Plain.Person()
                    person.name = "\(index)"
                    person.notes = (0..<index).map { "secret note \($0)" }
                    person.codes = index == 0 ? nil : Set(1..<index)
                    person.values = ["secret key \(index)": Double(index)]
                    try person.save()
                }
            }
            func check(_ notes: [[String]], _ codes: [Set<Int>?], _ values: [[String: Double]]) {
                expect(notes, [[], ["secret note 0"], ["secret note 0", "secret note 1"]])
                expect(codes, [nil, [], [1]])
                expect(values, (0..<3).map { ["secret key \($0)": Double($0)] })
            }
            do {
                try file.session { session in
                    let all = try Sealed.Person.all().sorted { $0.name < $1.name }
                    check(all.map(\.notes), all.map(\.codes), all.map(\.values))
                    expect(all.map(\.added), [["new"], ["new"], ["new"]])
                    try expect(session.store.schemaPlan(for: Sealed.Person.self).isEmpty, true)
                    try expect(session.store.checkIntegrity().problems.count, 0)
                    try EncryptedFile.clean(session.store)
                }
                try expect(file.tableCount(beginning: "sealed_person_"), "0")
                try expect(file.files(containing: "secret"), [])
                expect(
                    EncryptedFile.message { _ = try file.session { _ in try Plain.Person.count() } }.isEmpty, false)
                let store = try file.file.open(configuration: file.configuration())
                defer { store.close() }
                let plan = try store.schemaPlan(for: Plain.Person.self)
                expect(plan.exposes.count, 3)
                try store.run(plan)
                try store.withSession { _ in
                    let all = try Plain.Person.all().sorted { $0.name < $1.name }
                    check(all.map(\.notes), all.map(\.codes), all.map(\.values))
                    all[0].notes = ["x"]
                    all[0].notes = []
                    try all[0].save()
                }
            }
        }

        @Test func `encrypted collections change their types and names`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let person = Sealed.Person()
                person.name = "Ann"
                person.notes = ["a", "b"]
                person.codes = [2, 1]
                person.values = ["k": 1.5]
                person.added = ["first", "second"]
                try person.save()
            }
            try file.session { session in
                let person = try #require(try Retyped.Person.all().first)
                expect(person.texts, ["a", "b"])
                expect(person.codes.map { Set($0) }, ["1", "2"])
                expect(person.values, ["k": "1.5"])
                expect(person.added, [0: "first", 1: "second"])
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test func `an encrypted collection cannot become a single value`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let person = Sealed.Person()
                person.notes = ["secret note"]
                try person.save()
            }
            let message = EncryptedFile.message { try file.session { _ in _ = try Single.Person.all() } }
            expect(message.contains("a collection cannot become a single value"), true, "\(message)")
            expect(message.contains("secret note"), false)
        }

        @Test func `conversion errors do not contain the elements`() throws {
            final class Numbers: PersistentObject {
                override class var tableName: String { "sealed_person" }
                override class var formerNames: [String] { ["Person"] }
                @Encrypted var notes: [Int] = []
            }
            let file = try EncryptedFile()
            try file.session { _ in
                let person = Sealed.Person()
                person.notes = ["secret note"]
                try person.save()
            }
            var configuration = file.configuration()
            configuration.showsValuesInErrors = true
            let store = try file.file.open(configuration: configuration)
            defer { store.close() }
            let message = EncryptedFile.message { try store.prepare(Numbers.self) }
            expect(message.contains("Numbers.notes"), true, "\(message)")
            expect(message.contains("secret note"), false, "\(message)")
        }

        @Test func `conditions on encrypted collections are refused by name`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                try Patient().save()
                let messages = [
                    EncryptedFile.message { _ = try Patient.where { $0.notes.contains("x") }.all() },
                    EncryptedFile.message { _ = try Patient.where { $0.notes.count > 1 }.all() },
                    EncryptedFile.message { _ = try Patient.where { $0.values["k"] == 1 }.all() },
                    EncryptedFile.message { _ = try Patient.where("notes IS NOT NULL").delete() },
                    EncryptedFile.message { _ = try Patient.query.update { $0.notes = ["x"] } },
                ]
                for message in messages { expect(message.contains("encrypted"), true, "\(message)") }
                try expect(Patient.count(), 1)
            }
        }

        @Test func `elements that were changed, or moved to another object, are damaged`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                for name in ["A", "B"] {
                    let patient = Patient()
                    patient.name = name
                    patient.notes = [name]
                    try patient.save()
                }
            }
            _ = try file.file.sqlite(
                "UPDATE sealed_lists SET notes = (SELECT notes FROM sealed_lists WHERE name = 'B') WHERE name = 'A'")
            try file.session { session in
                let moved = try #require(try Patient.findBy.name("A").first)
                expect(EncryptedFile.code { try moved.$notes.load() }, .damaged)
                expect(moved.notes, [])
                try expect(Patient.findBy.name("B").first?.notes, ["B"])
                try expect(session.store.checkIntegrity().problems.count, 1)
            }
        }

        @Test func `json contains the elements, and an object is created from it`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let ann = Patient()
                ann.notes = ["measles"]
                ann.values = ["t": 1]
                ann.codes = [2, 1]
                try ann.save()
                let json = String(decoding: try ann.json, as: UTF8.self)
                expect(json.contains("\"notes\":[\"measles\"]"), true, "\(json)")
                let copy = try Patient(json: Data(json.utf8))
                expect(copy.notes, ["measles"])
                expect(copy.values, ["t": 1])
                expect(copy.codes, [1, 2])
            }
        }
    }
#endif
