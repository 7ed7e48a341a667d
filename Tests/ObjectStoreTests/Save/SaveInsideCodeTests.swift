import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Client code that runs inside library calls: `encode(to:)`, `init(from:)` and `init()`.
struct SaveInsideCodeTests {
    /// Runs a hook whenever it is encoded, which happens often, because only the encoding shows whether an instance
    /// changed.
    final class Hooked: Codable {
        @TaskLocal static var whileEncoding: Hook?
        var number = 0

        init() {}

        func encode(to encoder: any Encoder) throws {
            try Hooked.whileEncoding?()
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }

        init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
    }

    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var name = ""
        var hooked = Hooked()
    }

    final class Other: PersistentObject {
        override class var tableName: String { "other" }
        var name = ""
    }

    /// Runs a hook in its initializer.
    final class Eager: PersistentObject {
        @TaskLocal static var whileMade: Hook?
        override class var tableName: String { "eager" }
        var name = ""
        var failure: String?

        required init() {
            super.init()
            do { try Eager.whileMade?() } catch { failure = "\(error)" }
        }
    }

    @Test func `saving inside encode(to:) of a save is refused`() throws {
        try withTemporarySession { _, file in
            _ = (try Person.count(), try Other.count())
            let joe = Person()
            let codes = Recorder<StoreError.Code?>()
            try Hooked.$whileEncoding.withValue(
                Hook {
                    do {
                        try Other().save()
                        codes.add(nil)
                    } catch let error as StoreError { codes.add(error.code) }
                }
            ) { try joe.save() }
            #expect(!codes.all.isEmpty && codes.all.first == .misuse)
            expect(joe.id, 1)
            try expect(file.sqlite("SELECT count(*) FROM person"), "1")
        }
    }

    @Test func `an error in encode(to:) fails the save and names the property`() throws {
        try withTemporarySession { session, file in
            struct Refusal: Error {}
            let joe = Person()
            try joe.save()
            joe.hooked.number = 5
            joe.name = "Joe"
            Hooked.$whileEncoding.withValue(Hook { throw Refusal() }) {
                for save in [{ try joe.save() }, { try Person().save() }, { try session.save([Person(), Person()]) }] {
                    let error = #expect(throws: StoreError.self) { try save() }
                    #expect(error?.code == .notRepresentable && error?.property == "hooked")
                }
            }
            #expect(try file.sqlite("SELECT name, hooked FROM person") == "|0")
            try joe.save()
            #expect(try file.sqlite("SELECT name, hooked FROM person") == "Joe|5")
        }
    }

    @Test func `saving inside encode(to:) of an update is refused, for other objects and the same object`() throws {
        try withTemporarySession { _, file in
            let joe = Person()
            let saved = Smuggled(joe)
            try joe.save()
            _ = try Other.count()
            let codes = Recorder<StoreError.Code?>()
            let refused: @Sendable () -> Void = {
                for save in [{ try Other().save() }, { try saved.value.save() }] {
                    do {
                        try save()
                        codes.add(nil)
                    } catch { codes.add((error as? StoreError)?.code) }
                }
            }
            joe.name = "Joe"
            try Hooked.$whileEncoding.withValue(Hook(refused)) { try joe.save() }
            #expect(!codes.all.isEmpty && codes.all.allSatisfy { $0 == .misuse })
            let new = Person()
            saved.value = new
            try Hooked.$whileEncoding.withValue(Hook(refused)) { try new.save() }
            #expect(codes.all.allSatisfy { $0 == .misuse })
            #expect(try file.sqlite("SELECT count(*) FROM other; SELECT count(*) FROM person") == "0\n2")
        }
    }

    final class Crate: PersistentObject {
        override class var tableName: String { "crate" }
        var items: [Hooked] = []
    }

    @Test func `a save is refused if encode(to:) removes elements from a collection of the same save`() throws {
        try withTemporarySession { session, file throws in
            let (first, second) = (Crate(), Crate())
            first.items = [Hooked()]
            second.items = (0..<31).map { _ in Hooked() }
            let target = Smuggled(second)
            let hook = Hook { target.value.items = Array(target.value.items.prefix(5)) }
            let error = #expect(throws: StoreError.self) {
                () throws in try Hooked.$whileEncoding.withValue(hook) { try session.save([first, second]) }
            }
            #expect(error?.code == .misuse && error?.className == "Crate" && error?.property == "items")
            #expect(error?.message == "The collection was changed while it was being saved. Nothing was saved")
            #expect(try file.sqlite("SELECT count(*) FROM crate; SELECT count(*) FROM crate_items") == "0\n0")
            try session.save([first, second])
            #expect(try file.sqlite("SELECT count(*) FROM crate_items") == "6")
        }
    }

    @Test func `finding inside encode(to:) works`() throws {
        try withTemporarySession { _, _ in
            try Other().save()
            let counts = Recorder<Int>()
            try Hooked.$whileEncoding.withValue(Hook { counts.add(try Other.count()) }) { try Person().save() }
            #expect(!counts.all.isEmpty && counts.all.allSatisfy { $0 == 1 })
        }
    }

    @Test func `an init() can find while its object is fetched`() throws {
        try withTemporarySession { session, _ in
            try session.save((0..<5).map { _ in Eager() } + [Other()])
            try session.store.withSession { inner in
                let found = Recorder<Int>()
                let eager = try Eager.$whileMade.withValue(
                    Hook {
                        found.add(try Other.all().count)
                        found.add(try Other.find([1, 2]).count)
                        found.add(try Other.countByName(""))
                    }
                ) { try Eager.all() + [try Eager.find(3)].compactMap { $0 } }
                #expect(eager.count == 6 && eager.allSatisfy { $0.failure == nil })
                #expect(found.all.count == 15 && found.all.allSatisfy { $0 == 1 })
                #expect(eager[5] === eager[2])
                #expect(inner.busyStatementCount == 0)
            }
        }
    }

    @Test func `an init() can save other objects while its object is fetched`() throws {
        try withTemporarySession { session, file in
            try session.save((0..<3).map { _ in Eager() })
            _ = try Other.count()
            try session.store.withSession { inner in
                let eager = try Eager.$whileMade.withValue(Hook { try Other().save() }) { try Eager.all() }
                #expect(eager.map(\.id) == [1, 2, 3] && eager.allSatisfy { $0.failure == nil })
                #expect(try inner.space(of: Eager.self).identity.brokenInvariant() == nil)
            }
            #expect(try file.sqlite("SELECT count(*) FROM other") == "3")
        }
    }

    @Test func `an init() can fetch other rows of its class while its object is fetched`() throws {
        try withTemporarySession { session, _ in
            try session.save((0..<40).map { _ in Eager() })
            try session.store.withSession { inner in
                let depth = Recorder<Int>()
                let eager = try Eager.$whileMade.withValue(
                    Hook {
                        depth.add(1)
                        // The innermost initializers read all rows; each row must still have one object.
                        if depth.all.count == 3 { _ = try Eager.find(Array(1...40)) }
                        if depth.all.count < 3 { _ = try Eager.find(Int64(20 + depth.all.count)) }
                    }
                ) { try Eager.all() }
                expect(eager.map(\.id), (1...40).map { $0 })
                for object in eager { #expect(try Eager.find(object.id ?? 0) === object) }
                #expect(try inner.space(of: Eager.self).identity.brokenInvariant() == nil)
            }
        }
    }

    @Test func `reading a row into an object whose init() saves it is an error`() throws {
        final class Rash: PersistentObject {
            override class var tableName: String { "rash_rows" }
            @TaskLocal static var saves = false
            var name = ""
            required init() {
                super.init()
                if Rash.saves { try? save() }
            }
        }
        try withTemporarySession { session, file in
            try Rash().save()
            try session.store.withSession { inner in
                Rash.$saves.withValue(true) {
                    let error = #expect(throws: StoreError.self) { try Rash.find(1) }
                    #expect(error?.code == .misuse && error?.className == "Rash")
                    #expect(throws: StoreError.self) { try Rash.all() }
                }
                let name = try Rash.find(1)?.name
                #expect(name == "")
                #expect(try inner.space(of: Rash.self).identity.brokenInvariant() == nil)
            }
            #expect(try file.sqlite("PRAGMA integrity_check") == "ok")
        }
    }
}
