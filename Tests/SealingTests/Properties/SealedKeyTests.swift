#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Missing, wrong, new and removed keys, and changed bytes.
    @Suite struct SealedKeyTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "sealed_patient" }
            var name = ""
            @Encrypted var diagnosis = "none"
            @Encrypted(.searchable) var number = ""
        }

        final class Member: PersistentObject {
            override class var tableName: String { "sealed_member" }
            override class var identity: Identity { .string }
            @Encrypted var first = ""
            @Encrypted var second = ""
        }

        private func fill(_ file: EncryptedFile, _ count: Int = 3) throws {
            try file.session { _ in
                for index in 0..<count {
                    let patient = Patient()
                    patient.name = "P\(index)"
                    patient.diagnosis = "D\(index)"
                    patient.number = "N\(index)"
                    try patient.save()
                }
            }
        }

        @Test func `another keyring reads the other properties, and never writes unread values`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let wrong = try EncryptedFile.keyring(file.file, "other.po")
            try file.session(wrong) { _ in
                let patient = try #require(try Patient.all().first)
                expect(patient.name, "P0")
                expect(patient.diagnosis, "none")
                expect((patient.$diagnosis.problem as? StoreError)?.code, .wrongKey)
                expect(EncryptedFile.code { try patient.$diagnosis.load() }, .wrongKey)
                expect(EncryptedFile.code { _ = try patient.value(of: \.diagnosis) }, .wrongKey)
                try expect(patient.value(of: \.name), "P0")
                patient.name = "renamed"
                try patient.save()
                expect(EncryptedFile.code { _ = try Patient.findBy.number("N0") }, .wrongKey)
                patient.diagnosis = "new"
                expect(EncryptedFile.code { try patient.save() }, .wrongKey)
            }
            try file.session { _ in
                let patient = try #require(try Patient.where { $0.name == "renamed" }.first())
                expect(patient.diagnosis, "D0")
                expect(patient.number, "N0")
            }
        }

        @Test func `a missing key locks a value, which can be replaced`() throws {
            let file = try EncryptedFile()
            let first = [UInt8](repeating: 1, count: 32)
            let second = [UInt8](repeating: 2, count: 32)
            let old = try Keyring.provider(current: 1) { $0 == 1 ? first : nil }
            let new = try Keyring.provider(current: 2) { $0 == 2 ? second : nil }
            try file.session(old) { _ in
                let patient = Patient()
                patient.diagnosis = "old"
                try patient.save()
            }
            try file.session(new) { _ in
                let patient = try #require(try Patient.all().first)
                expect(EncryptedFile.code { _ = try patient.value(of: \.diagnosis) }, .locked)
                expect(EncryptedFile.code { try patient.$diagnosis.load() }, .locked)
                expect("\(patient.$diagnosis.problem.map { "\($0)" } ?? "")".contains("Patient.diagnosis #1"), true)
                patient.diagnosis = "new"
                try patient.save()
                expect(EncryptedFile.code { _ = try Patient.findBy.number("") }, .locked)
            }
            try file.session(new) { _ in try expect(Patient.all().first?.value(of: \.diagnosis), "new") }
        }

        @Test func `an open store uses keys that its keyring got later`() throws {
            let file = try EncryptedFile()
            try fill(file)
            let later = try EncryptedFile.keyring(file.file, "keys.po")
            let (one, other) = (
                try file.file.open(configuration: file.configuration()),
                try file.file.open(configuration: file.configuration(later))
            )
            defer {
                one.close()
                other.close()
            }
            try one.withSession { _ in try expect(Patient.findBy.number("N0").first?.diagnosis, "D0") }
            _ = try later.addKey()
            try other.withSession { _ in
                let patient = try #require(try Patient.findBy.number("N1").first)
                patient.diagnosis = "with key 2"
                try patient.save()
            }
            try other.changeIndexKey()
            try one.withSession { _ in
                try expect(Patient.findBy.number("N0").first?.diagnosis, "D0")
                try expect(Patient.findBy.number("N1").first?.diagnosis, "with key 2")
                try expect(Patient.findBy.number("N2").first?.number, "N2")
            }
        }

        @Test func `a key is removed after no value uses it`() throws {
            let file = try EncryptedFile()
            try fill(file, 1200)
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try file.keys.addKey()
            try store.withSession { _ in
                let patient = try #require(try Patient.all().first)
                patient.diagnosis = "with key 2"
                try patient.save()
                let edited = try #require(try Patient.where { $0.number == "N7" }.first())
                edited.diagnosis += "!"
                expect(EncryptedFile.code { try store.removeKey(1) }, .misuse)
                var counts: [Int] = []
                try expect(store.reencrypt { counts.append($0) } > 1200, true)
                expect(counts.count > 3, true)
                // The values are the same, so the edit is no conflict.
                try edited.save()
                expect(EncryptedFile.code { try store.removeKey(1) }, .misuse)
                try store.changeIndexKey()
                try store.removeKey(1)
                try expect(store.reencrypt(), 0)
                try expect(Patient.findBy.number("N1199").first?.diagnosis, "D1199")
                try expect(Patient.findBy.number("N7").first?.diagnosis, "D7!")
            }
            expect(file.keys.keyNumbers, [2])
        }

        @Test func `a change of any byte is detected`() throws {
            let file = try EncryptedFile()
            try fill(file, 1)
            for column in ["diagnosis", "number"] {
                let stored = try file.file.sqlite("SELECT hex(\(column)) FROM sealed_patient")
                let bytes = stride(from: 0, to: stored.count, by: 2).map { place in
                    let start = stored.index(stored.startIndex, offsetBy: place)
                    return UInt8(stored[start..<stored.index(start, offsetBy: 2)], radix: 16) ?? 0
                }
                for place in bytes.indices {
                    var changed = bytes
                    changed[place] ^= 1 << UInt8(place % 8)
                    let hex = changed.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                    _ = try file.file.sqlite("UPDATE sealed_patient SET \(column) = \(EncryptedFile.literal(hex))")
                    try file.session { session in
                        let patient = try #require(try Patient.all().first)
                        let code =
                            column == "number"
                            ? EncryptedFile.code { try patient.$number.load() }
                            : EncryptedFile.code { try patient.$diagnosis.load() }
                        expect(code, .damaged, "\(column), byte \(place)")
                        expect(patient.name, "P0")
                        if place == 0 { try expect(session.store.checkIntegrity().problems.count, 1) }
                    }
                }
                _ = try file.file.sqlite("UPDATE sealed_patient SET \(column) = \(EncryptedFile.literal(stored))")
            }
            try file.session { try expect($0.store.checkIntegrity().problems.count, 0) }
        }

        @Test func `values that were exchanged between rows or properties are detected`() throws {
            let file = try EncryptedFile()
            try file.session { _ in
                for key in ["a", "b"] {
                    let member = Member()
                    try member.setKey(key)
                    member.first = "1" + key
                    member.second = "2" + key
                    try member.save()
                }
            }
            for change in [
                "UPDATE sealed_member SET first = (SELECT first FROM sealed_member WHERE key = 'b') WHERE key = 'a'",
                "UPDATE sealed_member SET first = second WHERE key = 'b'",
            ] { _ = try file.file.sqlite(change) }
            try file.session { _ in
                let all = try Member.all().sorted { ($0.key ?? "") < ($1.key ?? "") }
                for member in all { expect(EncryptedFile.code { try member.$first.load() }, .damaged) }
                expect(all.map(\.second), ["2a", "2b"])
            }
        }

        @Test func `a new configuration with the same keyring does not affect open sessions`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try store.withSession { _ in
                let patient = Patient()
                patient.number = "1"
                store.configuration.slowQuery = .seconds(60)
                try patient.save()
                try expect(Patient.findBy.number("1").first === patient, true)
            }
            try store.withSession { _ in try expect(Patient.findBy.number("1").count, 1) }
        }

        @Test func `a class with encrypted properties needs a keyring`() throws {
            let file = try TemporaryStore()
            let store = try file.open()
            defer { store.close() }
            let message = EncryptedFile.message { try store.prepare(Patient.self) }
            expect(message.contains("Patient.diagnosis") && message.contains("keyring"), true, "\(message)")
        }
    }
#endif
