#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// Encrypted properties that are no longer optional, and those of hierarchies whose classes are renamed or used in any
    /// order.
    @Suite struct SealedNilTests {
        enum First {
            class Person: PersistentObject {
                override class var tableName: String { "nil_person" }
                @Encrypted var word: String? = nil
                @Encrypted(.searchable) var number: Int? = nil
                @Encrypted var tags: [String]? = nil
                @Encrypted var marks: [String: Int]? = nil
                var plain: String?
            }
            class Member: Person {
                override class var tableName: String { "nil_person" }
                @Encrypted var note: String? = nil
            }
            final class Chair: Member {
                override class var tableName: String { "nil_person" }
                @Encrypted(.searchable) var seat: String? = nil
            }
        }
        enum Required {
            final class Person: PersistentObject {
                override class var tableName: String { "nil_person" }
                @Encrypted var word = "initial"
                @Encrypted(.searchable) var number = "none"
                @Encrypted var tags: Set<String> = ["initial"]
                @Encrypted var marks: [String: Int] = [:]
                @Encrypted var plain = "initial"
            }
        }
        enum Opened {
            final class Person: PersistentObject {
                override class var tableName: String { "nil_person" }
                var word = UUID().uuidString
                var number = 5
                var tags: [String] = ["initial"]
                @Encrypted var marks: [String: Int]? = nil
                var plain: String?
            }
        }
        enum Renamed {
            class Person: PersistentObject {
                override class var tableName: String { "nil_person" }
                @Encrypted var word: String? = nil
                @Encrypted(.searchable) var number: Int? = nil
                @Encrypted var tags: [String]? = nil
                @Encrypted var marks: [String: Int]? = nil
                var plain: String?
            }
            class Associate: Person {
                override class var tableName: String { "nil_person" }
                override class var formerNames: [String] { ["Member"] }
                @Encrypted var note: String? = nil
            }
            final class President: Associate {
                override class var tableName: String { "nil_person" }
                override class var formerNames: [String] { ["Chair"] }
                @Encrypted(.searchable) var seat: String? = nil
            }
        }

        enum Pets {
            class Animal: PersistentObject {
                override class var tableName: String { "nil_animal" }
                @Encrypted var chip = ""
            }
            final class Dog: Animal {
                override class var tableName: String { "nil_animal" }
                @Encrypted var bone = ""
            }
            class Cat: Animal {
                override class var tableName: String { "nil_animal" }
                @Encrypted var fish = ""
            }
            final class Puma: Cat {
                override class var tableName: String { "nil_animal" }
                @Encrypted var deer = ""
            }
            final class Lynx: Cat {
                override class var tableName: String { "nil_animal" }
                @Encrypted var hare = ""
            }
        }

        @Test func `each class of a hierarchy can be used first, although others share inherited columns`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                let pets = [Pets.Animal(), Pets.Dog(), Pets.Cat(), Pets.Puma(), Pets.Lynx()]
                for (index, pet) in pets.enumerated() { pet.chip = "\(index)" }
                try session.save(pets)
            }
            try file.session { session in
                try expect(session.store.schemaPlan(for: Pets.Dog.self).isEmpty, true)
                try expect(Pets.Dog.all().map(\.chip), ["1"])
                try expect(session.rows("SELECT count(*) AS n FROM nil_animal WHERE bone IS NOT NULL")[0].value("n"), 1)
            }
            try file.session { _ in try expect(Pets.Lynx.all().map(\.chip), ["4"]) }
            try file.session { _ in try expect(Pets.Puma.all().map(\.fish), [""]) }
            try file.session { _ in try expect(Pets.Cat.query.order(by: \.id).all().map(\.chip), ["2", "3", "4"]) }
            try file.session { _ in try expect(Pets.Animal.count(), 5) }
        }

        @Test func `a property that is no longer optional has its initial value, and a collection no elements`() throws
        {
            let file = try EncryptedFile()
            try file.session { session in
                let full = First.Person()
                (full.word, full.number, full.tags, full.marks, full.plain) = ("w", 7, ["t"], ["m": 1], "p")
                try session.save([full, First.Person()])
            }
            try file.session { session in
                let plan = try session.store.schemaPlan(for: Required.Person.self)
                expect(plan.losses.count, 3)
                let all = try Required.Person.query.order(by: \.id).all()
                expect(all.map(\.word), ["w", "initial"])
                expect(all.map(\.number), ["7", "none"])
                expect(all.map(\.tags), [["t"], []])
                expect(all.map(\.marks), [["m": 1], [:]])
                expect(all.map(\.plain), ["p", "initial"])
                try expect(Required.Person.findBy.number("none").count, 1)
                try expect(session.store.checkIntegrity().problems.count, 0)
                try expect(session.store.schemaPlan(for: Required.Person.self).isEmpty, true)
            }
        }

        @Test func `a property that is neither optional nor encrypted any more has its initial value, too`() throws {
            let file = try EncryptedFile()
            try file.session { session in
                let full = First.Person()
                (full.word, full.number, full.tags) = ("w", 7, ["t"])
                try session.save([full, First.Person(), First.Person()])
            }
            try file.session { session in
                let plan = try session.store.schemaPlan(for: Opened.Person.self)
                expect(plan.losses.count, 2)
                try session.store.run(plan)
            }
            try file.session { session in
                let all = try Opened.Person.query.order(by: \.id).all()
                expect(all[0].word, "w")
                expect(Set(all.map(\.word)).count, 3)
                expect(all.map(\.number), [7, 5, 5])
                expect(all.map(\.tags), [["t"], [], []])
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }

        @Test(arguments: [false, true])
        func `classes in the middle and at the end of a hierarchy can be renamed together`(fromRoot: Bool) throws {
            let file = try EncryptedFile()
            try file.session { _ in
                let chair = First.Chair()
                (chair.word, chair.note, chair.seat) = ("w", "n", "s")
                try chair.save()
            }
            try file.session { session in
                if fromRoot { try expect(Renamed.Person.all().map(\.word), ["w"]) }
                try expect(Renamed.Associate.all().map(\.note), ["n"])
                try expect(Renamed.President.findBy.seat("s").map(\.word), ["w"])
                try expect(session.store.checkIntegrity().problems.count, 0)
            }
        }
    }
#endif
