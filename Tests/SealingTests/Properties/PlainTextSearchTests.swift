#if Encryption
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    /// A search for the plain text of encrypted values finds nothing, wherever the library writes.
    @Suite struct PlainTextSearchTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "searched_patient" }
            override class var keepsHistory: Bool { true }
            var name = ""
            @Encrypted var diagnosis = ""
            @Unique @Encrypted(.searchable) var number: String? = nil
            @Encrypted var notes: [String] = []
            @Encrypted var details: [String: String]?
        }

        private static let secret = "Zirbeldrüsenentzündung"

        @Test(.onSQLite("the class keeps a history, and the log and the journal are files"), arguments: [false, true])
        func `file, log, journal, backup, export, history and messages`(usesLog: Bool) throws {
            let secret = PlainTextSearchTests.secret
            let file = try EncryptedFile()
            let texts = Recorder<String>()
            var configuration = file.configuration()
            if !usesLog { configuration.journal = .rollback }
            configuration.showsQueryArguments = true
            configuration.showsValuesInErrors = true
            configuration.onQuery = { texts.add("\($0) \(String(describing: $0.arguments))") }
            configuration.onNote = { texts.add("\($0)") }
            let store = try file.file.open(configuration: configuration)
            let folder = file.file.folder
            func note(_ body: () throws -> Void) { texts.add(EncryptedFile.message(body)) }
            try store.withSession { session in
                session.recordsUndo = true
                let patient = Patient()
                patient.diagnosis = secret
                patient.number = secret
                patient.notes = [secret, secret]
                patient.details = [secret: secret]
                try patient.save()
                patient.notes.append(secret + "2")
                texts.add("\(patient) \(patient.changes)")
                try patient.save()
                texts.add("\(try patient.history.all())")
                for entry in try patient.history.all() { texts.add("\(entry.values)") }
                try session.undo()
                try session.redo()
                let other = Patient()
                other.number = secret
                note { try other.save() }
                note { _ = try Patient.where { $0.diagnosis == secret }.all() }
                note { _ = try Patient.where { $0.notes.contains(secret) }.all() }
                _ = try Patient.findBy.number(secret)
                _ = try Patient.where { $0.number.isIn([secret]) }.all()
                try store.withSession { _ in
                    let same = try #require(try Patient.all().first)
                    same.diagnosis = secret + "3"
                    try same.save()
                }
                patient.diagnosis = secret + "4"
                note { try patient.save() }
                _ = try store.export(Patient.self, to: folder.appending(path: "export.jsonl"))
                _ = try store.export(Patient.self, to: folder.appending(path: "export.csv"), as: .csv)
                // The journal exists while a transaction is open.
                try session.transaction {
                    let third = Patient()
                    third.diagnosis = secret
                    try third.save()
                    try expect(file.files(containing: secret), [])
                }
            }
            try store.backup(to: folder.appending(path: "copy.sqlite").path(percentEncoded: false))
            try expect(file.files(containing: secret), [])
            try store.vacuum()
            store.close()
            try expect(file.files(containing: secret), [])
            expect(texts.all.count > 10, true)
            expect(texts.all.filter { $0.contains(secret) }, [])
            // The search can find something.
            let open = try file.file.open(configuration: file.configuration())
            defer { open.close() }
            let plain = folder.appending(path: "plain.jsonl")
            _ = try open.export(Patient.self, to: plain, values: .plain)
            try expect(file.files(containing: secret), ["plain.jsonl"])
        }
    }
#endif
