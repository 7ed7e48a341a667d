#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Changed and exchanged bytes of encrypted values, and searches for plain text.
    @Suite struct SealedTamperingTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "forged_patient" }
            override class var identity: Identity { .string }
            @Encrypted var text = ""
            @Encrypted var other = ""
            @Encrypted(.searchable) var number = 0
            @Encrypted var list: [String] = []
            @Encrypted(padded: false) var data: Data?
        }

        final class Doctor: PersistentObject {
            override class var tableName: String { "forged_doctor" }
            override class var identity: Identity { .string }
            @Encrypted var text = ""
            @Encrypted var other = ""
            @Encrypted(.searchable) var number = 0
            @Encrypted var list: [String] = []
            @Encrypted(padded: false) var data: Data?
        }

        private static let columns = ["text", "other", "number", "list", "data"]

        private func fill(_ file: EncryptedFile, _ count: Int) throws {
            var random = SeededGenerator(seed: 45)
            try file.session { _ in
                for index in 0..<count {
                    let patient = Patient()
                    try patient.setKey("\(index)")
                    patient.text = .sample(&random)
                    patient.other = patient.text
                    patient.number = index
                    patient.list = [patient.text]
                    patient.data = .sample(&random)
                    try patient.save()
                    let doctor = Doctor()
                    try doctor.setKey("\(index)")
                    doctor.text = patient.text
                    doctor.list = patient.list
                    try doctor.save()
                }
            }
        }

        private func code(_ patient: Patient, _ column: String) -> StoreError.Code? {
            EncryptedFile.code {
                switch column {
                case "text": try patient.$text.load()
                case "other": try patient.$other.load()
                case "number": try patient.$number.load()
                case "list": try patient.$list.load()
                default: try patient.$data.load()
                }
            }
        }

        /// The bytes of each value, by the key of its row and by column.
        private func stored(_ file: EncryptedFile) throws -> [(key: String, column: String, bytes: [UInt8])] {
            let columns = SealedTamperingTests.columns
            let hex = columns.map { "hex(\($0))" }.joined(separator: ", ")
            return try file.file.sqlite("SELECT key, \(hex) FROM forged_patient").split(separator: "\n").flatMap {
                row in
                let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                return zip(columns, cells.dropFirst()).map { column, cell in
                    let digits = Array(cell.utf8)
                    let bytes = stride(from: 0, to: digits.count, by: 2).map {
                        UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16) ?? 0
                    }
                    return (cells[0], column, bytes)
                }
            }
        }

        private func write(_ values: [(key: String, column: String, bytes: [UInt8])], _ file: EncryptedFile) throws {
            let updates = values.map { key, column, bytes in
                let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                return "UPDATE forged_patient SET \(column) = \(EncryptedFile.literal(hex)) WHERE key = '\(key)'"
            }
            _ = try file.file.sqlite("BEGIN; " + updates.joined(separator: "; ") + "; COMMIT")
        }

        @Test func `any changed byte of 50 values is detected`() throws {
            let file = try EncryptedFile()
            try fill(file, 10)
            let values = try stored(file)
            expect(values.count, 50)
            let longest = values.map(\.bytes.count).max() ?? 0
            // Each round changes one byte of every value, and another bit of it in each row.
            for place in Scale.cases(Array(0..<longest)) {
                let changed = values.enumerated().compactMap { index, value -> (String, String, [UInt8])? in
                    guard place < value.bytes.count else { return nil }
                    var bytes = value.bytes
                    bytes[place] ^= 1 << UInt8((index + place) % 8)
                    return (value.key, value.column, bytes)
                }
                try write(changed, file)
                try file.session { session in
                    let all = Dictionary(uniqueKeysWithValues: try Patient.all().map { ($0.key ?? "", $0) })
                    for (key, column, _) in changed {
                        let patient = try #require(all[key])
                        expect(code(patient, column), .damaged, "\(column) of \(key), byte \(place)")
                    }
                    if place == 0 { try expect(session.store.checkIntegrity().problems.count, 50) }
                }
                try write(values, file)
            }
            try file.session { try expect($0.store.checkIntegrity().problems.count, 0) }
        }

        @Test func `values that belong to another row, property or class are damaged`() throws {
            let file = try EncryptedFile()
            try fill(file, 2)
            let values = try stored(file)
            let exchanges: [(change: String, columns: [String])] = [
                ("SET other = text", ["other"]), ("SET text = other", ["text"]), ("SET list = text", ["list"]),
                (
                    "SET text = (SELECT p.text FROM kept p WHERE p.key <> forged_patient.key)", ["text"]
                ),
                (
                    "SET list = (SELECT p.list FROM kept p WHERE p.key <> forged_patient.key)", ["list"]
                ),
                (
                    "SET number = (SELECT p.number FROM kept p WHERE p.key <> forged_patient.key)", ["number"]
                ),
                ("SET text = (SELECT d.text FROM forged_doctor d WHERE d.key = forged_patient.key)", ["text"]),
                ("SET list = (SELECT d.list FROM forged_doctor d WHERE d.key = forged_patient.key)", ["list"]),
            ]
            _ = try file.file.sqlite("CREATE TABLE kept AS SELECT * FROM forged_patient")
            for (change, columns) in exchanges {
                _ = try file.file.sqlite("UPDATE forged_patient \(change)")
                try file.session { session in
                    for patient in try Patient.all() {
                        for column in SealedTamperingTests.columns {
                            let found = code(patient, "\(column)")
                            expect(
                                found, columns.contains(column) ? StoreError.Code.damaged : nil, "\(change): \(column)")
                        }
                    }
                    try expect(session.store.checkIntegrity().problems.count, 2, "\(change)")
                }
                try write(values, file)
            }
        }

        @Test func `the integrity check counts values without a key`() throws {
            let file = try EncryptedFile()
            try fill(file, 3)
            let other = [UInt8](repeating: 5, count: 32)
            let lacking = try Keyring.provider(current: 7) { $0 == 7 ? other : nil }
            try file.session(lacking) { session in
                try session.store.prepare(Patient.self, Doctor.self)
                let report = try session.store.checkIntegrity()
                expect(report.problems.count, 0)
                // The five values of each patient, and four of each doctor, whose data is nil.
                expect(report.lockedValueCount, 27)
                expect("\(report)".contains("27 encrypted values"), true, "\(report)")
                expect(session.store.encryption.propertyKeys, [1])
                expect(session.store.encryption.fileKey, nil)
            }
        }
    }
#endif
