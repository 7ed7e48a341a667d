#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Encrypted values in classes whose changes are captured for sync: encrypted bytes are like any other value.
    @Suite(.onSQLite("PostgreSQL captures no changes")) struct EncryptedSyncTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "synced_patient" }
            override class var identity: Identity { .uuid }
            override class var isSynced: Bool { true }
            var name = ""
            @Encrypted var diagnosis = ""
            @Encrypted(.searchable) var number = ""
            @Encrypted var notes: [String] = []
        }

        /// The captured changes, which are empty afterwards: `+` for a new row, and the changed columns.
        private func taken(_ file: EncryptedFile) throws -> String {
            let marks = try file.file.sqlite(
                """
                SELECT iif(m.mask & 1, '+', '') || coalesce((SELECT group_concat(name) FROM (SELECT name \
                FROM po_sync_column c WHERE c.tbl = m.tbl AND (m.mask >> (2 + c.number)) & 1 ORDER BY name)), '') \
                FROM po_sync_mark m
                """)
            _ = try file.file.sqlite("DELETE FROM po_sync_mark")
            return marks
        }

        @Test func `changes of encrypted values are captured, and equal values and new keys are not`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try store.withSession { _ in
                let patient = Patient()
                (patient.name, patient.diagnosis, patient.number) = ("Ann", "Measles", "K1")
                try patient.save()
                try expect(taken(file), "+")
                patient.diagnosis = "Mumps"
                patient.notes = ["a"]
                try patient.save()
                try expect(taken(file), "diagnosis,notes")
                patient.diagnosis = "Mumps"
                try patient.save()
                try expect(taken(file), "")
                try file.keys.addKey()
                try expect(store.reencrypt(), 3)
                try store.changeIndexKey()
                try expect(taken(file), "")
                patient.number = "K2"
                try patient.save()
                try expect(taken(file), "number")
            }
        }

        /// A device writes the bytes that another device has sent, into the object with the same key.
        @Test func `bytes of another device are read with the key of their object`() throws {
            let (file, other) = (try EncryptedFile(), try EncryptedFile())
            var keys: [String] = []
            try file.session { session in
                let patients = (0..<2).map { number in
                    let patient = Patient()
                    (patient.diagnosis, patient.number, patient.notes) = ("D\(number)", "K\(number)", ["n\(number)"])
                    return patient
                }
                try session.save(patients)
                keys = patients.compactMap(\.key)
            }
            let there = EncryptedFile(file: other.file, keys: file.keys)
            try there.session { try $0.store.prepare(Patient.self) }
            let rows = try file.file.sqlite(
                """
                SELECT 'INSERT INTO synced_patient (key, name, diagnosis, number, notes) VALUES (' || quote(key) || \
                ', ' || quote(name) || ', ' || quote(diagnosis) || ', ' || quote(number) || ', ' || quote(notes) \
                || ');' FROM synced_patient ORDER BY id DESC
                """)
            let known = try file.file.sqlite(
                """
                SELECT 'INSERT INTO po_key VALUES (' || number || ', ' || quote(fingerprint) || ', ' || is_index || ');' \
                FROM po_key
                """)
            _ = try other.file.sqlite(known + rows)
            try there.session { session in
                for (number, key) in keys.enumerated() {
                    let patient = try #require(try Patient.find(key: key))
                    try expect(patient.value(of: \.diagnosis), "D\(number)")
                    expect(patient.notes, ["n\(number)"])
                    try expect(Patient.findBy.number("K\(number)"), [patient])
                }
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
            // In the row of another object, they are damaged.
            _ = try other.file.sqlite(
                "UPDATE synced_patient SET diagnosis = (SELECT diagnosis FROM synced_patient WHERE id = 1) WHERE id = 2"
            )
            try there.session { _ in
                let patient = try #require(try Patient.find(2))
                expect(EncryptedFile.code { _ = try patient.value(of: \.diagnosis) }, .damaged)
            }
        }
    }
#endif
