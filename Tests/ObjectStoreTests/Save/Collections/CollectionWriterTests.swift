import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The rows of sets and dictionaries: only changed rows are written, also for many owners at once.
@Suite struct CollectionWriterTests {
    private typealias Owner = CollectionOwners.Owner

    // MARK: Sets and dictionaries

    @Test func `new elements of a set are inserted and removed elements deleted`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let targets = try CollectionOwners.targets(4)
            let owner = Owner()
            owner.numbers = [1, 2.5, 3]
            owner.group = Set(targets[..<3])
            try CollectionOwners.insert([owner], session, space)
            owner.numbers.insert(9)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "numbers", session, space)), ["INSERT"])
            owner.numbers.remove(2.5)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "numbers", session, space)), ["DELETE"])
            try expect(file.sqlite("SELECT value FROM owner_numbers ORDER BY value"), "1.0\n3.0\n9.0")
            owner.group = [targets[1], targets[3]]
            expect(
                CollectionOwners.writes(try CollectionOwners.update(owner, "group", session, space)).sorted(),
                ["DELETE", "DELETE", "INSERT"])
            try expect(file.sqlite("SELECT value_id FROM owner_group ORDER BY 1"), "2\n4")
            #expect(try CollectionOwners.update(owner, "group", session, space).isEmpty)
        }
    }

    @Test func `new keys of a dictionary are inserted, changed values updated and removed keys deleted`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let targets = try CollectionOwners.targets(2)
            let owner = Owner()
            owner.prices = ["a": 1, "b": nil, "c": .some(3)]
            owner.roles = [1: targets[0], -5: targets[1]]
            try CollectionOwners.insert([owner], session, space)
            owner.prices["b"] = .some(2)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "prices", session, space)), ["UPDATE"])
            owner.prices.removeValue(forKey: "a")
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "prices", session, space)), ["DELETE"])
            owner.prices["d"] = .some(nil)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "prices", session, space)), ["INSERT"])
            try expect(
                file.sqlite("SELECT key, coalesce(value, 'nil') FROM owner_prices ORDER BY key"), "b|2\nc|3\nd|nil")
            _ = try file.sqlite("DELETE FROM owner_prices WHERE key = 'b'")
            owner.prices["b"] = .some(8)
            try CollectionOwners.update(owner, "prices", session, space)
            try expect(file.sqlite("SELECT value FROM owner_prices WHERE key = 'b'"), "8")
            owner.roles[-5] = targets[0]
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "roles", session, space)), ["UPDATE"])
            try expect(file.sqlite("SELECT key, value_id FROM owner_roles ORDER BY key"), "-5|1\n1|1")
        }
    }

    // MARK: Many owners

    @Test(arguments: [1, 7, 8, 9, 23, 24, 65, 200])
    func `rows of many owners are written together and read separately`(count: Int) throws {
        try CollectionOwners.withOwners { session, space, _ in
            let target = try CollectionOwners.targets(1)[0]
            let owners = (0..<count).map { number in
                let owner = Owner()
                owner.tags = (0..<number % 13).map { "\(number)-\($0)" }
                owner.prices = number % 2 == 0 ? ["k": number] : [:]
                owner.friends = Array(repeating: target, count: number % 3)
                return owner
            }
            try CollectionOwners.insert(owners, session, space)
            for wanted in [owners, owners.filter { $0.rowID % 5 == 1 }, [owners[count / 2]]] {
                var read: [Int64] = []
                let log = try statements(of: session) {
                    try Fetch(session).readCollection(
                        space, CollectionOwners.place("tags", space), owners: wanted.map(\.rowID)
                    ) {
                        owner, content in
                        guard case .value(let address) = content else { return }
                        expect(address[as: [String].self], wanted[read.count].tags)
                        read.append(owner)
                    }
                }
                #expect(read == wanted.map(\.rowID) && log.count == 1)
                var index = 0
                try Fetch(session).readCollection(
                    space, CollectionOwners.place("prices", space), owners: wanted.map(\.rowID)
                ) {
                    _, content in
                    guard case .value(let address) = content else { return }
                    expect(address[as: [String: Int?].self], wanted[index].prices)
                    index += 1
                }
                index = 0
                try Fetch(session).readCollection(
                    space, CollectionOwners.place("friends", space), owners: wanted.map(\.rowID)
                ) {
                    _, content in
                    guard case .links(let image) = content else { return }
                    expect(image.ids, wanted[index].friends.map(\.rowID))
                    index += 1
                }
                expect(index, wanted.count)
            }
        }
    }

    @Test func `a row that cannot be decoded is an error with property and row`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.nested = [[1]]
            owner.group = []
            try CollectionOwners.insert([owner], session, space)
            _ = try file.sqlite("UPDATE owner_nested SET value = x'7B'")
            let error = #expect(throws: StoreError.self) {
                try Fetch(session).readCollection(space, CollectionOwners.place("nested", space), owners: [1]) { _, _ in
                }
            }
            #expect(error?.property == "nested" && error?.rowID == 1)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test(arguments: [[30], [10, 20], [1]])
    func `elements that the database refuses are an error with their owner`(_ counts: [Int]) throws {
        try CollectionOwners.withOwners { session, space, file in
            let owners = counts.map { _ in Owner() }
            try CollectionOwners.insert(owners, session, space)
            _ = try file.sqlite(
                "CREATE TRIGGER no_bad BEFORE INSERT ON owner_tags WHEN NEW.value = 'bad' "
                    + "BEGIN SELECT raise(ABORT, 'bad is not wanted'); END")
            for (owner, count) in zip(owners, counts) {
                owner.tags = (1..<count).map { "\($0)" } + ["bad"]
            }
            let error = #expect(throws: StoreError.self) { try session.save(owners) }
            #expect(error?.className == "Owner" && error?.property == "tags")
            #expect(error?.rowID == owners[0].id)
            #expect(try file.sqlite("SELECT count(*) FROM owner_tags") == "0" && owners.allSatisfy(\.hasChanges))
            for owner in owners { owner.tags.removeLast() }
            try session.save(owners)
            #expect(try file.sqlite("SELECT count(*) FROM owner_tags") == "\(counts.reduce(0, +) - counts.count)")
        }
    }

    @Test func `rows of other programs that are equal in Swift are an error, and none is dropped`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let (owner, other) = (Owner(), Owner())
            try CollectionOwners.insert([owner, other], session, space)
            // In the file they differ: a composed é, and e with a combining accent.
            _ = try file.sqlite(
                "INSERT INTO owner_prices (owner_id, key, value) VALUES (1, CAST(x'c3a9' AS TEXT), 1), "
                    + "(1, CAST(x'65cc81' AS TEXT), 2), (2, 'e', 3)")
            let error = #expect(throws: StoreError.self) { try owner.reload() }
            #expect(error?.code == .typeMismatch && error?.property == "prices" && error?.rowID == 1)
            try expect(file.sqlite("SELECT count(*) FROM owner_prices"), "3")
            try other.reload()
            expect(other.prices, ["e": 3])
        }
    }

    @Test func `a lazy collection that was assigned without being loaded is compared with its rows`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.later = ["a", "b", "c"]
            try CollectionOwners.insert([owner], session, space)
            let place = try CollectionOwners.place("later", space)
            let box = try #require(space.map.properties[place].box(in: ObjectMemory.start(of: owner)))
            box.state = .unloaded
            #expect(try CollectionOwners.update(owner, "later", session, space).isEmpty)
            box.state = .unloaded
            owner.later = ["a", "b", "c", "d"]
            expect(box.state, .assigned)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "later", session, space)), ["INSERT"])
            try expect(file.sqlite("SELECT group_concat(value, '') FROM owner_later"), "abcd")
        }
    }

    @Test func `an object that is new again after a rollback keeps its lazy elements`() throws {
        struct Stop: Error {}
        func saveAndStop(_ owner: Owner) throws {
            try owner.save()
            try owner.reload()
            throw Stop()
        }
        try withTemporarySession { session, file throws in
            let owners = ["a", "b"].map { name in
                let owner = Owner()
                (owner.name, owner.later) = (name, [name])
                return owner
            }
            #expect(throws: Stop.self) { try session.transaction { try saveAndStop(owners[0]) } }
            try session.save(owners)
            #expect(try file.sqlite("SELECT group_concat(value, '') FROM owner_later") == "ab")
        }
    }

    @Test func `a collection set to nil has no rows`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.maybe = [1, 2]
            try CollectionOwners.insert([owner], session, space)
            owner.maybe = nil
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "maybe", session, space)), ["DELETE"])
            try expect(file.sqlite("SELECT count(*) FROM owner_maybe"), "0")
        }
    }
}
