#if Encryption
    import PersistentObjects
    import TestSupport
    import Testing

    /// Conditions on encrypted properties before the store has an encrypted value, and with it a key of the hashes.
    @Suite struct SealedFirstUseTests {
        final class Login: PersistentObject {
            var name = ""
            @Unique @Encrypted(.searchable) var mail: String? = nil

            override func validate(_ problems: inout Problems) { problems.requireUnique(\Login.mail) }
        }

        private func login(_ mail: String?, _ name: String = "") -> Login {
            let login = Login()
            (login.mail, login.name) = (mail, name)
            return login
        }

        @Test(arguments: [false, true])
        func `queries of a store without encrypted values find nothing`(_ hasRow: Bool) throws {
            try EncryptedFile().session { _ in
                if hasRow { try login(nil).save() }
                try expect(Login.findBy.mail("a").count, 0)
                try expect(Login.findFirstBy.mail("a"), nil)
                try expect(Login.findByMail("a") as [Login], [])
                try expect(Login.where { $0.mail == "a" }.count(), 0)
                try expect(Login.where { $0.mail.isIn(["a", "b"]) }.exists(), false)
                try expect(Login.where { $0.mail != "a" }.count(), hasRow ? 1 : 0)
                try expect(Login.where { $0.mail == "a" }.update { $0.name = "x" }, 0)
                try expect(Login.where { $0.mail == "a" }.delete(), 0)
                try login("a").save()
                try expect(Login.where { $0.mail == "a" }.count(), 1)
            }
        }

        @Test func `the first object is found or created by an encrypted property`() throws {
            try EncryptedFile().session { _ in
                let created = try Login.findOrCreateBy.mail("a")
                try expect(Login.findOrCreateBy.mail("a") === created, true)
                try expect(Login.count(), 1)
            }
        }

        @Test func `the first object is upserted by an encrypted property`() throws {
            try EncryptedFile().session { session in
                let first = try session.upsert(login("a"), on: \.mail)
                try expect(session.upsert(login("a", "Ann"), on: \.mail) === first, true)
                expect(first.name, "Ann")
            }
            try EncryptedFile().session { session in
                _ = try session.insertMissing([login("a")], on: \.mail)
                try expect(Login.findBy.mail("a").count, 1)
            }
        }

        @Test func `the first value that must be unique is saved, and the second one is a problem`() throws {
            try EncryptedFile().session { _ in
                try login("a").save()
                let second = login("a")
                expect(EncryptedFile.code { try second.save() }, .invalid)
                second.mail = "b"
                try second.save()
            }
        }

        @Test func `unique values are compared with the key that another program chose for the hashes`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                try login("a").save()
                let other = try file.file.open(configuration: file.configuration())
                defer { other.close() }
                try other.changeIndexKey()
                expect(EncryptedFile.code { try login("a").save() }, .invalid)
            }
        }
    }
#endif
