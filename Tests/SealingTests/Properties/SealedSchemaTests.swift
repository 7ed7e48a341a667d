#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Classes that become encrypted, cease to be encrypted, or change otherwise.
    @Suite struct SealedSchemaTests {
        enum Plain {
            final class Person: PersistentObject {
                override class var tableName: String { "schema_person" }
                var name = ""
                var secret = "initial"
                var number: Int?
            }
        }
        enum Sealed {
            final class Person: PersistentObject {
                override class var tableName: String { "schema_person" }
                var name = ""
                @Encrypted var secret = "initial"
                @Encrypted(.searchable) var number: Int?
                @Encrypted var added = "new"
            }
        }
        enum Retyped {
            final class Person: PersistentObject {
                override class var tableName: String { "schema_person" }
                override class var formerColumns: [String: [String]] { ["word": ["secret"]] }
                var name = ""
                @Encrypted(.searchable) var word: String? = "initial"
                @Encrypted var number: String?
                @Encrypted var added = "new"
            }
        }
        enum Renamed {
            final class Human: PersistentObject {
                override class var tableName: String { "schema_person" }
                override class var formerNames: [String] { ["Person"] }
                var name = ""
                @Encrypted var secret = "initial"
                @Encrypted(.searchable) var number: Int?
                @Encrypted var added = "new"
            }
        }
        enum Keyed {
            final class Person: PersistentObject {
                override class var tableName: String { "schema_person" }
                override class var identity: Identity { .uuid }
                var name = ""
                @Encrypted var secret = "initial"
                @Encrypted(.searchable) var number: Int?
                @Encrypted var added = "new"
            }
        }
        enum Below {
            class Root: PersistentObject {
                override class var tableName: String { "schema_person" }
                @Encrypted var secret = "initial"
            }
            final class Person: Root {
                var name = ""
                @Encrypted(.searchable) var number: Int?
                @Encrypted var added = "new"
            }
        }

        private func fill(_ file: EncryptedFile) throws {
            try file.session { _ in
                for index in 0..<3 {
                    let person = Plain.Person()
                    person.name = "\(index)"
                    person.secret = "secret text \(index)"
                    person.number = index == 0 ? nil : index
                    try person.save()
                }
            }
        }

        private func check(_ file: EncryptedFile) throws {
            try file.session { session in
                let all = try Sealed.Person.all().sorted { $0.name < $1.name }
                expect(all.map(\.secret), (0..<3).map { "secret text \($0)" })
                expect(all.map(\.number), [nil, 1, 2])
                expect(all.map(\.added), ["new", "new", "new"])
                try expect(Sealed.Person.findBy.number(2).first?.name, "2")
                try expect(session.store.schemaPlan(for: Sealed.Person.self).isEmpty, true)
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test func `adding Encrypted converts all values, and removing it needs consent`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try check(file)
            let store = try file.file.open(configuration: file.configuration())
            try EncryptedFile.clean(store)
            store.close()
            try expect(file.files(containing: "secret text"), [])
            // An older version of the class.
            let message = EncryptedFile.message { _ = try file.session { _ in try Plain.Person.count() } }
            expect(message.isEmpty, false)
            try check(file)
            let again = try file.file.open(configuration: file.configuration())
            defer { again.close() }
            let plan = try again.schemaPlan(for: Plain.Person.self)
            expect(plan.exposes.count, 2)
            try again.run(plan)
            try again.withSession { _ in
                let all = try Plain.Person.all().sorted { $0.name < $1.name }
                expect(all.map(\.secret), (0..<3).map { "secret text \($0)" })
                expect(all.map(\.number), [nil, 1, 2])
            }
        }

        /// Opens the file with a recorder of notes.
        private func open(_ file: EncryptedFile, journal: JournalMode = .wal) throws -> (Store, Recorder<String>) {
            let notes = Recorder<String>()
            var configuration = file.configuration()
            configuration.journal = journal
            configuration.busyTimeout = .milliseconds(100)
            configuration.onNote = { notes.add($0) }
            return (try file.file.open(configuration: configuration), notes)
        }

        @Test(.onSQLite("a server maintains its own files"), arguments: [JournalMode.wal, .rollback], [false, true])
        func `an automatic change removes plain values from free pages and the log`(
            journal: JournalMode, isInTransaction: Bool
        ) throws {
            let file = try EncryptedFile()
            try fill(file)
            let (store, notes) = try open(file, journal: journal)
            defer { store.close() }
            try store.withSession { session in
                if isInTransaction {
                    try session.transaction {
                        try expect(Sealed.Person.count(), 3)
                        try Sealed.Person().save()
                        expect(notes.all.contains { $0.hasPrefix("Free pages were released") }, false)
                    }
                } else {
                    let person = Sealed.Person()
                    person.name = "3"
                    try person.save()
                }
            }
            try expect(file.files(containing: "secret text"), [])
            expect(notes.all.count { $0.hasPrefix("Free pages were released and the log was emptied") }, 1)
            expect(notes.all.count { $0.contains("secret: The values are encrypted from now on") }, 1)
            try store.withSession { _ in try expect(Sealed.Person.count(), 4) }
        }

        @Test(
            .onSQLite("a server maintains its own files"), .onPlainFiles("an encrypted file shows no plain values"),
            arguments: [false, true])
        func `plain values that a killed process left are removed at the next use`(isAlone: Bool) throws {
            let file = try EncryptedFile()
            try fill(file)
            let killed = try EncryptedFile(file: TemporaryStore(), keys: file.keys)
            var configuration = file.configuration()
            let (source, target) = (file.file.path, killed.file.path)
            configuration.onNote = { note in
                // The transaction is committed, and the file is not vacuumed yet.
                guard note.contains("secret: The values are encrypted from now on") else { return }
                for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source + suffix) {
                    do {
                        try FileManager.default.copyItem(atPath: source + suffix, toPath: target + suffix)
                    } catch { Issue.record(error) }
                }
            }
            let store = try file.file.open(configuration: configuration)
            try store.withSession { _ in try expect(Sealed.Person.count(), 3) }
            store.close()
            try expect(file.files(containing: "secret text"), [])
            let mark = "SELECT count(*) FROM po_feature WHERE name = 'plain remains'"
            try expect(file.file.sqlite(mark), "0")
            try expect(killed.files(containing: "secret text").isEmpty, false)

            for isLeft in [true, false] {
                let (next, notes) = try open(killed)
                try next.withSession { session in
                    if isAlone {
                        try expect(Sealed.Person.all().map(\.secret).first, "secret text 0")
                    } else {
                        try session.transaction { try expect(Sealed.Person.count(), 3) }
                    }
                }
                try expect(killed.files(containing: "secret text"), [])
                expect(notes.all.count { $0.hasPrefix("Free pages were released") }, isLeft ? 1 : 0)
                next.close()
                try expect(killed.file.sqlite(mark), "0")
            }
        }

        @Test(.onSQLite("a server maintains its own files"))
        func `plain values that a reader keeps in the log are reported`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let (reader, _) = try open(file)
            let (store, notes) = try open(file)
            defer { store.close() }
            try reader.withSession { session in
                try session.reading {
                    try expect(Plain.Person.count(), 3)
                    try store.withSession { _ in try expect(Sealed.Person.count(), 3) }
                    expect(notes.all.count { $0.contains("may still contain them in plain text") }, 1)
                    try expect(Plain.Person.all().map(\.secret).first, "secret text 0")
                }
            }
            reader.close()
            try EncryptedFile.clean(store)
            try expect(file.files(containing: "secret text"), [])
        }

        enum Late {
            final class Person: PersistentObject {
                override class var tableName: String { "schema_late" }
                override class var identity: Identity { .uuid }
                @Encrypted var secret = ""
            }
        }

        @Test func `a class without keys is reported once`() throws {
            let file = try EncryptedFile()
            for isFirst in [true, false] {
                let (store, notes) = try open(file)
                defer { store.close() }
                try store.prepare(Sealed.Person.self, Late.Person.self)
                let found = notes.all.filter { $0.contains("has no keys") }
                expect(found.count, isFirst ? 1 : 0, "\(found)")
                if isFirst { expect(found[0].hasPrefix("Person.secret, number, added: "), true, "\(found)") }
            }
        }

        @Test func `types, names and hashes change`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try check(file)
            try file.session { session in
                let all = try Retyped.Person.all().sorted { $0.name < $1.name }
                expect(all.map(\.word), (0..<3).map { "secret text \($0)" })
                expect(all.map(\.number), [nil, "1", "2"])
                try expect(Retyped.Person.findBy.word("secret text 1").first?.name, "1")
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test func `a renamed class keeps its values`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try check(file)
            try file.session { session in
                let all = try Renamed.Human.all().sorted { $0.name < $1.name }
                expect(all.map(\.secret), (0..<3).map { "secret text \($0)" })
                try expect(Renamed.Human.findBy.number(2).first?.name, "2")
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test func `changes that would lose values are refused before anything changes`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try check(file)
            for type in [Keyed.Person.self, Below.Person.self] as [PersistentObject.Type] {
                let store = try file.file.open(configuration: file.configuration())
                let message = EncryptedFile.message { try store.prepare(type) }
                store.close()
                expect(message.contains("are encrypted for their class and key"), true, "\(type): \(message)")
            }
            try check(file)
        }

        @Test(.onSQLite("a server has no list of features"))
        func `older versions of the library refuse the file`() throws {
            let file = try EncryptedFile()
            try fill(file)
            try expect(file.file.sqlite("SELECT count(*) FROM po_feature WHERE name = 'encrypted'"), "0")
            try check(file)
            try expect(
                file.file.sqlite("SELECT level FROM po_feature WHERE name = 'encrypted'"), "reading")
        }
    }
#endif
