#if Encryption
    import Foundation
    import PersistentObjects
    import PersistentTransfer
    import TestSupport
    import Testing

    /// Exports and imports of encrypted properties.
    @Suite struct EncryptedTransferTests {
        final class Patient: PersistentObject {
            override class var identity: Identity { .uuid }
            override class var tableName: String { "moved_patient" }
            var name = ""
            @Encrypted var diagnosis = "none"
            @Encrypted(.searchable) var number: String?
            @Encrypted var notes: [String: Int] = [:]
            @Encrypted var born: Date?
        }

        final class Visit: PersistentObject {
            override class var tableName: String { "moved_visit" }
            var patient: Patient?
            @Encrypted var reason = ""
        }

        final class Plain: PersistentObject {
            override class var tableName: String { "moved_plain" }
            var name = ""
        }

        private func fill(_ file: EncryptedFile) throws {
            try file.session { session in
                let ann = Patient()
                ann.name = "Ann"
                ann.diagnosis = "measles"
                ann.number = "number K1"
                ann.notes = ["secret key": 1]
                ann.born = Date(timeIntervalSinceReferenceDate: 1.5)
                let bob = Patient()
                bob.name = "Bob"
                let visit = Visit()
                visit.patient = ann
                visit.reason = "secret reason"
                try session.save([ann, bob])
                try visit.save()
            }
        }

        private func exported(
            _ file: EncryptedFile, _ format: TransferFormat, _ values: ExportedValues
        ) throws -> (url: URL, text: String) {
            let url = file.file.folder.appending(path: "\(format)-\(values)")
            try file.session { session in
                if case .csv = format {
                    _ = try session.store.export(Patient.self, to: url, as: format, values: values)
                } else {
                    _ = try session.store.export([Patient.self, Visit.self], to: url, as: format, values: values)
                }
            }
            return (url, try String(contentsOf: url, encoding: .utf8))
        }

        private func check(_ file: EncryptedFile) throws {
            try file.session { session in
                let all = try Patient.all().sorted { $0.name < $1.name }
                expect(all.map(\.diagnosis), ["measles", "none"])
                expect(all.map(\.number), ["number K1", nil])
                expect(all.map(\.notes), [["secret key": 1], [:]])
                expect(all[0].born, Date(timeIntervalSinceReferenceDate: 1.5))
                try expect(Patient.findBy.number("number K1").count, 1)
                try expect(Visit.all().map(\.reason), ["secret reason"])
                try expect(Visit.all().first?.patient === all[0], true)
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test(arguments: [ExportedValues.sealed, .plain])
        func `exports are imported, and state their form in the first line`(values: ExportedValues) throws {
            let file = try EncryptedFile()
            try fill(file)
            for format in [TransferFormat.jsonLines, .json] {
                let (url, text) = try exported(file, format, values)
                let line = text.split(separator: "\n").first { $0 != "[" }
                expect(line.map { $0.hasPrefix("{\"$values\":\"\(values)\"}") }, true, "\(text)")
                for secret in ["measles", "number K1", "secret key", "secret reason"] {
                    expect(text.contains(secret), values == .plain, "\(format): \(secret)")
                }
                let other = try EncryptedFile()
                let store = try other.file.open(configuration: other.configuration(file.keys))
                let report = try store.import([Patient.self, Visit.self], from: url)
                store.close()
                expect(report.count, 3)
                try check(EncryptedFile(file: other.file, keys: file.keys))
            }
            let (_, csv) = try exported(file, .csv, values)
            let header = csv.split(separator: "\r\n").first ?? ""
            expect(header.contains("diagnosis ($sealed)"), values == .sealed, "\(csv)")
            expect(csv.contains("measles"), values == .plain)
        }

        @Test func `a sealed export needs its key and its objects, and an import again updates them`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let (url, text) = try exported(file, .jsonLines, .sealed)
            try file.session { session in
                let ann = try #require(try Patient.findBy.name("Ann").first)
                ann.diagnosis = "changed"
                try ann.save()
                try session.store.import([Patient.self], from: try only(Patient.self, of: text, url))
            }
            try check(file)
            // Another keyring.
            let other = try EncryptedFile()
            let store = try other.file.open(configuration: other.configuration())
            let message = EncryptedFile.message { try store.import([Patient.self, Visit.self], from: url) }
            expect(message.contains("encrypted with another key"), true, "\(message)")
            expect(encrypted(in: message).count, 1, "\(message)")
            store.close()
            // The value of another object.
            let lines = text.split(separator: "\n").map(String.init)
            let keys = lines.compactMap { $0.firstMatch(of: #/"key":"([0-9a-f-]+)"/#).map { String($0.1) } }
            let exchanged = lines.map { line in
                let isFirst = keys.count > 1 && line.contains("\"key\":\"\(keys[0])\"")
                return isFirst ? line.replacing(keys[0], with: keys[1]) : line
            }
            let moved = file.file.folder.appending(path: "moved.jsonl")
            try (exchanged.filter { !$0.contains("Visit") }.joined(separator: "\n")).write(
                to: moved, atomically: true, encoding: .utf8)
            let third = try EncryptedFile()
            let copy = try third.file.open(configuration: third.configuration(file.keys))
            defer { copy.close() }
            let refusal = EncryptedFile.message { try copy.import([Patient.self], from: moved) }
            expect(refusal.contains("belongs to another class, property or object"), true, "\(refusal)")
        }

        /// The encrypted properties that a message names.
        private func encrypted(in message: String) -> [String] {
            ["born", "diagnosis", "notes", "number"].filter { message.contains("Patient.\($0)") }
        }

        private func only(_ type: PersistentObject.Type, of text: String, _ url: URL) throws -> URL {
            let some = url.appendingPathExtension("part")
            let lines = text.split(separator: "\n").filter { $0.contains("$values") || $0.contains("\"\(type)\"") }
            try lines.joined(separator: "\n").write(to: some, atomically: true, encoding: .utf8)
            return some
        }

        @Test func `a plain export of a locked value is refused by name, and a sealed export is not`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let wrong = EncryptedFile(file: file.file, keys: try EncryptedFile.keyring(file.file, "wrong.po"))
            let message = EncryptedFile.message { _ = try exported(wrong, .jsonLines, .plain) }
            expect(encrypted(in: message).count, 1, "\(message)")
            let (_, text) = try exported(wrong, .jsonLines, .sealed)
            let (_, same) = try exported(file, .jsonLines, .sealed)
            expect(text, same)
        }

        @Test func `errors of an import do not contain the values`() throws {
            let file = try EncryptedFile()
            let url = file.file.folder.appending(path: "wrong.jsonl")
            try #"{"born": "secret birthday"}"#.write(to: url, atomically: true, encoding: .utf8)
            let message = EncryptedFile.message {
                try file.session { session in _ = try session.store.import(Patient.self, from: url) }
            }
            expect(message.contains("Patient.born"), true, "\(message)")
            expect(message.contains("secret birthday"), false, "\(message)")
        }

        @Test func `exports of other classes have no line for the form`() throws {
            let file = try EncryptedFile()
            let url = file.file.folder.appending(path: "plain.jsonl")
            try file.session { session in
                try Plain().save()
                _ = try session.store.export(Plain.self, to: url)
            }
            try expect(String(contentsOf: url, encoding: .utf8), "{\"id\":1,\"name\":\"\"}\n")
        }
    }
#endif
