#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// The history of classes with encrypted properties.
    @Suite(.onSQLite("a server keeps no history of encrypted values")) struct EncryptedHistoryTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "kept_patient" }
            override class var keepsHistory: Bool { true }
            override class var identity: Identity { .uuid }
            var name = ""
            @Encrypted var diagnosis = "none"
            @Encrypted var notes: [String] = []
            @Encrypted(.searchable) var number: String?
        }

        final class Insured: PersistentObject {
            override class var tableName: String { "kept_insured" }
            override class var keepsHistory: Bool { true }
            override class var identity: Identity { .uuid }
            @Unique @Encrypted(.searchable) var number: String? = nil
        }

        @Test func `an exchange of unique encrypted values has one entry for each row`() throws {
            try EncryptedFile().session { session in
                let (ann, bob) = (Insured(), Insured())
                (ann.number, bob.number) = ("A", "B")
                try session.save([ann, bob])
                (ann.number, bob.number) = ("B", "A")
                try session.save([ann, bob])
                for (one, old, new) in [(ann, "A", "B"), (bob, "B", "A")] {
                    let entry = try one.history.where { $0.change == .changed }.single()
                    try expect(entry.old(\Insured.number), old)
                    try expect(entry.new(\Insured.number), new)
                }
            }
        }

        enum Plain {
            final class Person: PersistentObject {
                override class var tableName: String { "kept_person" }
                override class var keepsHistory: Bool { true }
                override class var identity: Identity { .string }
                var name = ""
                var secret = ""
                var notes: [String] = []
            }
        }
        enum Sealed {
            final class Person: PersistentObject {
                override class var tableName: String { "kept_person" }
                override class var keepsHistory: Bool { true }
                override class var identity: Identity { .string }
                var name = ""
                @Encrypted var secret = ""
                var notes: [String] = []
            }
        }
        enum Renamed {
            final class Person: PersistentObject {
                override class var tableName: String { "kept_person" }
                override class var keepsHistory: Bool { true }
                override class var identity: Identity { .string }
                override class var formerColumns: [String: [String]] { ["word": ["secret"]] }
                var name = ""
                @Encrypted var word = ""
                var notes: [String] = []
            }
        }
        enum Lists {
            final class Person: PersistentObject {
                override class var tableName: String { "kept_person" }
                override class var keepsHistory: Bool { true }
                override class var identity: Identity { .string }
                var name = ""
                var secret = ""
                @Encrypted var notes: [String] = []
            }
        }

        private func fill(_ file: EncryptedFile) throws {
            try file.session { _ in
                let ann = Patient()
                ann.name = "Ann"
                ann.diagnosis = "measles"
                try ann.save()
                ann.diagnosis = "mumps"
                ann.notes = ["first note"]
                ann.number = "K1"
                try ann.save()
                ann.name = "Anna"
                try ann.save()
            }
        }

        @Test func `entries contain the encrypted bytes, and old and new decrypt them`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try file.session { _ in
                let entries = try Patient.history.all()
                expect(entries.count, 3)
                try expect(entries[0].new(\Patient.diagnosis), "measles")
                try expect(entries[1].old(\Patient.diagnosis), "measles")
                try expect(entries[1].new(\Patient.diagnosis), "mumps")
                try expect(entries[1].old(\Patient.notes), [])
                try expect(entries[1].new(\Patient.notes), ["first note"])
                try expect(entries[1].new(\Patient.number), "K1")
                try expect(entries[2].didChange(\Patient.diagnosis), false)
                try expect(entries[2].new(\Patient.diagnosis), nil)
                let ann = try #require(try Patient.all().first)
                try ann.delete()
            }
            // The key of a deleted object is in the history.
            try file.session { _ in
                let entries = try Patient.history.all()
                try expect(entries[3].old(\Patient.diagnosis), "mumps")
                try expect(entries[0].new(\Patient.diagnosis), "measles")
            }
            for text in ["measles", "mumps", "first note"] { try expect(file.files(containing: text), []) }
        }

        @Test func `objects are reverted and restored`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try file.session { _ in
                let ann = try #require(try Patient.all().first)
                let entries = try ann.history.all()
                try ann.revert(to: entries[0].date)
                expect(ann.diagnosis == "measles" || ann.diagnosis == "mumps", true)
                expect(ann.name == "Ann" || ann.name == "Anna", true)
                ann.diagnosis = "measles"
                ann.notes = ["first note"]
                try ann.save()
                let id = try #require(ann.id)
                // Entries have their times to the millisecond.
                Thread.sleep(forTimeInterval: 0.01)
                let before = Date()
                Thread.sleep(forTimeInterval: 0.01)
                try ann.delete()
                let restored = try Patient.restored(id, to: before)
                expect(restored.diagnosis, "measles")
                expect(restored.notes, ["first note"])
            }
        }

        @Test func `entries whose key the keyring lacks are locked`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let other = [UInt8](repeating: 9, count: 32)
            let lacking = try Keyring.provider(current: 2) { $0 == 2 ? other : nil }
            try file.session(lacking) { _ in
                let entry = try #require(try Patient.history.all().first)
                expect(EncryptedFile.code { _ = try entry.new(\Patient.diagnosis) }, .locked)
                let message = EncryptedFile.message { _ = try entry.new(\Patient.diagnosis) }
                expect(message.contains("Patient.diagnosis"), true, "\(message)")
                try expect(entry.new(\Patient.name), "Ann")
                let ann = try #require(try Patient.all().first)
                expect(EncryptedFile.code { try ann.revert(to: entry.date) }, .locked)
                expect(ann.name, "Anna")
            }
        }

        @Test func `a new key also encrypts the history, which gets no entries`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try file.keys.addKey()
            expect(store.encryption.propertyKeys, [1])
            try store.withSession { _ in
                // The current values have the new key, the history has the old key.
                for patient in try Patient.all() {
                    patient.diagnosis += "!"
                    patient.notes.append("!")
                    patient.number = "K2"
                    try patient.save()
                }
            }
            expect(store.encryption.propertyKeys, [1, 2])
            try store.changeIndexKey()
            expect(EncryptedFile.code { try store.removeKey(1) }, .misuse)
            let count = try store.withSession { _ in try Patient.history.count() }
            try expect(store.reencrypt() > 0, true)
            try store.removeKey(1)
            try expect(store.reencrypt(), 0)
            try store.withSession { _ in
                try expect(Patient.history.count(), count)
                let entries = try Patient.history.all()
                try expect(entries[1].old(\Patient.diagnosis), "measles")
                try expect(entries[3].new(\Patient.notes), ["first note", "!"])
            }
        }

        @Test func `adding and removing Encrypted converts the history`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let person = Plain.Person()
                try person.setKey("a")
                person.secret = "secret text 1"
                person.notes = ["x"]
                try person.save()
                person.secret = "secret text 2"
                try person.save()
                let gone = Plain.Person()
                try gone.setKey("b")
                gone.secret = "secret text 3"
                try gone.save()
                try gone.delete()
            }
            func check() throws {
                try file.session { session in
                    let entries = try Sealed.Person.history.all()
                    expect(entries.count, 4)
                    try expect(entries[0].new(\Sealed.Person.secret), "secret text 1")
                    try expect(entries[1].old(\Sealed.Person.secret), "secret text 1")
                    try expect(entries[1].new(\Sealed.Person.secret), "secret text 2")
                    try expect(entries[3].old(\Sealed.Person.secret), "secret text 3")
                    try expect(entries[0].new(\Sealed.Person.notes), ["x"])
                    try session.store.vacuum()
                    try session.store.checkpoint()
                }
                try expect(file.files(containing: "secret text"), [])
            }
            try check()
            try file.session { _ in
                let entries = try Renamed.Person.history.all()
                try expect(entries[1].old(\Renamed.Person.word), "secret text 1")
                try expect(entries[3].old(\Renamed.Person.word), "secret text 3")
                let person = try #require(try Renamed.Person.all().first)
                person.word = "secret text 4"
                try person.save()
                try expect(person.history.all().last?.new(\Renamed.Person.word), "secret text 4")
            }
        }

        @Test func `a collection with entries is refused, until they are deleted`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let person = Plain.Person()
                try person.setKey("a")
                person.notes = ["secret note"]
                try person.save()
            }
            let message = EncryptedFile.message { try file.session { _ in _ = try Lists.Person.count() } }
            expect(message.contains("Person.notes") && message.contains("history.delete()"), true, "\(message)")
            _ = try file.session { _ in try Plain.Person.history.delete() }
            try file.session { _ in
                let person = try #require(try Lists.Person.all().first)
                expect(person.notes, ["secret note"])
                person.notes.append("more")
                try person.save()
                try expect(person.history.all().last?.new(\Lists.Person.notes), ["secret note", "more"])
            }
        }
    }
#endif
