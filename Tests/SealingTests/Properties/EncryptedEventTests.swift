#if Encryption
    import PersistentObjects
    import TestSupport
    import Testing

    /// Watched queries with conditions on encrypted properties.
    @Suite(.hangLimit) struct EncryptedEventTests {
        final class Patient: PersistentObject {
            override class var tableName: String { "event_patient" }
            var name = ""
            @Encrypted(.searchable) var number = ""
            @Encrypted var diagnosis: String?
        }

        @Test func `a watched query follows changes of an encrypted property`() async throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            try await store.withSession { session in
                let (ann, bob) = (Patient(), Patient())
                (ann.name, ann.number) = ("Ann", "7")
                (bob.name, bob.number) = ("Bob", "8")
                try session.save([ann, bob])
                var sevens = Patient.where { $0.number == "7" }.order(by: \.name).updates().makeAsyncIterator()
                try await expect(sevens.next()?.map(\.name), ["Ann"])
                bob.number = "7"
                try bob.save()
                try await expect(sevens.next()?.map(\.name), ["Ann", "Bob"])
                ann.number = "9"
                try ann.save()
                try await expect(sevens.next()?.map(\.name), ["Bob"])
                bob.diagnosis = "flu"
                try bob.save()
                try await expect(sevens.next()?.map(\.diagnosis), ["flu"])
            }
        }
    }
#endif
