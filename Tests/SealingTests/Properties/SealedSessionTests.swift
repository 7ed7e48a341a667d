#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Several sessions, undo, and transactions.
    @Suite struct SealedSessionTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "session_patient" }
            var name = ""
            @Encrypted var diagnosis = ""
            @Encrypted(.searchable) var number = ""
        }

        @Test func `a new index key makes all hashes, whatever other sessions search meanwhile`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            let numbers = (0..<300).map { "N\($0)" }
            try store.withSession { session in
                try session.save(
                    numbers.map { number in
                        let patient = Patient()
                        patient.number = number
                        return patient
                    })
            }
            for _ in 1...3 {
                _ = try file.keys.addKey()
                let ended = Recorder<Bool>()
                DispatchQueue.concurrentPerform(iterations: 2) { part in
                    #expect(throws: Never.self) {
                        if part == 0 {
                            defer { ended.add(true) }
                            try store.changeIndexKey()
                        } else {
                            while ended.all.isEmpty {
                                try store.withSession { _ in _ = try Patient.findBy.number("N0") }
                            }
                        }
                    }
                }
                try store.withSession { _ in
                    try expect(numbers.filter { try Patient.findBy.number($0).isEmpty }, [])
                }
            }
        }

        @Test func `equal edits of two sessions are no conflict, and different edits are one`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try store.withSession { _ in
                let patient = Patient()
                patient.diagnosis = "a"
                try patient.save()
                let other = try file.file.open(configuration: file.configuration())
                defer { other.close() }
                func change(to diagnosis: String) throws {
                    try other.withSession { _ in
                        let theirs = try #require(try Patient.all().first)
                        theirs.diagnosis = diagnosis
                        try theirs.save()
                    }
                }
                patient.diagnosis = "b"
                try change(to: "b")
                try patient.save()
                patient.diagnosis = "c"
                try change(to: "d")
                expect(EncryptedFile.code { try patient.save() }, .staleObject)
                try patient.save(.onConflict(.mine))
                expect(patient.diagnosis, "c")
                // The same value with other bytes is no change.
                try change(to: "x")
                try change(to: "c")
                patient.diagnosis = "e"
                try patient.save()
                try patient.reload()
                expect(patient.diagnosis, "e")
            }
        }

        @Test func `a fetch shows the values that another session wrote`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try store.withSession { _ in
                let patient = Patient()
                patient.diagnosis = "a"
                patient.number = "1"
                try patient.save()
                try file.session { _ in
                    let theirs = try #require(try Patient.all().first)
                    theirs.diagnosis = "b"
                    theirs.number = "2"
                    try theirs.save()
                }
                try expect(Patient.findBy.number("1").count, 0)
                try expect(Patient.findBy.number("2").first === patient, true)
                expect(patient.diagnosis, "b")
            }
        }

        @Test(.onSQLite("a server does not record changes"))
        func `undo and rollback restore values`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                session.recordsUndo = true
                let patient = Patient()
                patient.diagnosis = "a"
                patient.number = "1"
                try patient.save()
                patient.diagnosis = "b"
                patient.number = "2"
                try patient.save()
                // The bytes of the values change, and the values do not.
                try file.keys.addKey()
                try session.store.reencrypt()
                try expect(session.undo(), true)
                expect(patient.diagnosis, "a")
                try expect(Patient.findBy.number("1").count, 1)
                try expect(session.redo(), true)
                expect(patient.diagnosis, "b")
                struct Stop: Error {}
                do {
                    try session.transaction {
                        patient.diagnosis = "c"
                        try patient.save()
                        throw Stop()
                    }
                } catch is Stop {}
                expect(patient.diagnosis, "b")
                try expect(Patient.where { $0.number == "2" }.single() === patient, true)
            }
        }

        @Test func `a watched query follows a searchable property`() async throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            try await store.withSession { _ in
                let patient = Patient()
                patient.number = "1"
                try patient.save()
                var updates = Patient.where { $0.number == "1" }.updates().makeAsyncIterator()
                try await expect(updates.next()?.count, 1)
                patient.number = "2"
                try patient.save()
                try await expect(updates.next()?.count, 0)
                patient.number = "1"
                try patient.save()
                try await expect(updates.next()?.count, 1)
            }
            store.close()
        }
    }
#endif
