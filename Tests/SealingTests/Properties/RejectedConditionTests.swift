#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Operations that encrypted values do not support. Each is refused with the property and the operation.
    @Suite struct RejectedConditionTests {
        final class Person: PersistentObject {
            override class var tableName: String { "rejected_person" }
            var name = ""
            @Encrypted var secret = ""
            @Encrypted(.searchable) var code = ""
            @Encrypted(.searchable) var rank = 0
            @Encrypted(.searchable) var other = ""
        }

        private func refused(_ property: String, _ operation: String, _ body: () throws -> Void) {
            let message = EncryptedFile.message(body)
            expect(message.contains("Person.\(property) is encrypted"), true, "\(operation): \(message)")
            expect(message.contains(operation), true, "\(message)")
        }

        @Test func `each operation is refused by name`() throws {
            try EncryptedFile().session { _ in
                try Person().save()
                refused("secret", "compare it") { _ = try Person.where { $0.secret == "a" }.all() }
                refused("secret", "compare it") { _ = try Person.where { $0.secret != "a" }.count() }
                refused("secret", "compare it") { _ = try Person.where { $0.secret.isIn(["a"]) }.exists() }
                refused("secret", "compare it") { _ = try Person.findBy.secret("a") }
                refused("rank", "<, <=, > or >=") { _ = try Person.where { $0.rank < 3 }.all() }
                refused("rank", "<, <=, > or >=") { _ = try Person.where { $0.rank >= 3 }.all() }
                refused("rank", "range") { _ = try Person.where { $0.rank.isIn(1...3) }.all() }
                refused("code", "hasPrefix") { _ = try Person.where { $0.code.hasPrefix("a") }.all() }
                refused("code", "hasSuffix") { _ = try Person.where { $0.code.hasSuffix("a") }.all() }
                refused("code", "contains") { _ = try Person.where { $0.code.contains("a") }.all() }
                refused("code", "like") { _ = try Person.where { $0.code.like("a%") }.all() }
                refused("code", "pattern") { _ = try Person.where { $0.code.matches("a.*") }.all() }
                refused("code", "query cannot") { _ = try Person.query.counted(by: \.code) }
                refused("code", "calculate with it") { _ = try Person.query.distinct(on: \.code).all() }
                refused("code", "sort by it") { _ = try Person.query.order(by: \.code).all() }
                refused("rank", "aggregate it") { _ = try Person.query.sum(\.rank) }
                refused("code", "select") { _ = try Person.query.values(of: \.code) }
                refused("code", "raw SQL") { _ = try Person.where("code = ?", "a").all() }
                refused("rank", "calculate with it") { _ = try Person.where { $0.rank + 1 == 2 }.all() }
                let compared = EncryptedFile.message { _ = try Person.where { $0.code == $0.other }.all() }
                expect(compared.contains("Person.code and Person.other are encrypted"), true, "\(compared)")
                let assigned = EncryptedFile.message { _ = try Person.query.update { $0.code = "b" } }
                expect(assigned.contains("Person.code is encrypted"), true, "\(assigned)")
                let criteria = EncryptedFile.message { _ = try Person.findByCriteria("WHERE code = ?", "a") }
                expect(criteria.contains("code is encrypted"), true, "\(criteria)")
                // The session can be used afterwards.
                try expect(Person.where { $0.code == "" }.count(), 1)
            }
        }

        enum Declarations {
            final class Indexed: PersistentObject { @PersistentObjects.Indexed @Encrypted var value = "" }
            final class Unique: PersistentObject { @PersistentObjects.Unique @Encrypted var value = "" }
            final class Searchable: PersistentObject { @PersistentObjects.Searchable @Encrypted var value = "" }
            final class Collection: PersistentObject { @Encrypted(.searchable) var value: [String] = [] }
            final class Objects: PersistentObject { @Encrypted var value: [Person] = [] }
            final class Reference: PersistentObject { @Encrypted var value: Person? }
            final class Decimals: PersistentObject { @Encrypted(.searchable) var value: Decimal = 0 }
            final class Declared: PersistentObject {
                override class var indexes: [Index] { [Index(\Declared.value)] }
                @Encrypted(.searchable) var value = ""
            }
        }

        @Test func `each declaration that is not supported is refused by name`() throws {
            let file = try EncryptedFile()
            let store = try file.file.open(configuration: file.configuration())
            defer { store.close() }
            let declarations: [(PersistentObject.Type, String)] = [
                (Declarations.Indexed.self, "@Indexed"), (Declarations.Unique.self, "@Unique"),
                (Declarations.Searchable.self, "@Searchable"), (Declarations.Collection.self, ".searchable"),
                (Declarations.Reference.self, "references"), (Declarations.Objects.self, "collections of objects"),
                (Declarations.Decimals.self, ".searchable"), (Declarations.Declared.self, "value is encrypted"),
            ]
            for (type, reason) in declarations {
                let message = EncryptedFile.message { try store.prepare(type) }
                expect(message.contains(reason), true, "\(type): \(message)")
            }
        }
    }
#endif
