import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// The rows of arrays: all are written by the first save, and later only those that changed.
@Suite struct CollectionArrayTests {
    private typealias Owner = CollectionOwners.Owner

    @Test func `each edit of an array of ten thousand elements is one statement`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.tags = (0..<10_000).map { "tag \($0)" }
            try CollectionOwners.insert([owner], session, space)
            try expect(file.sqlite("SELECT count(*), max(position) FROM owner_tags"), "10000|10240000")
            owner.tags.append("last")
            let log = try CollectionOwners.update(owner, "tags", session, space)
            #expect(log.count == 2 && CollectionOwners.writes(log) == ["INSERT"])
            try expect(
                file.sqlite("SELECT value, position FROM owner_tags ORDER BY position DESC LIMIT 1"), "last|10241024")
            owner.tags.insert("first", at: 0)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["INSERT"])
            owner.tags.insert(owner.tags.remove(at: 7000), at: 3)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["UPDATE"])
            owner.tags.remove(at: 5000)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["DELETE"])
            owner.tags[4000] = "other"
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["UPDATE"])
            #expect(try CollectionOwners.update(owner, "tags", session, space).isEmpty)
            let stored = try file.sqlite("SELECT value FROM owner_tags ORDER BY position")
            expect(stored, owner.tags.joined(separator: "\n"))
            owner.tags = []
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["DELETE"])
            try expect(file.sqlite("SELECT count(*) FROM owner_tags"), "0")
        }
    }

    @Test func `replacing a composed by a decomposed character is a change`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.tags = ["a", "\u{E9}", "b"]
            try CollectionOwners.insert([owner], session, space)
            owner.tags[1] = "e\u{301}"
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "tags", session, space)), ["UPDATE"])
            try expect(file.sqlite("SELECT hex(value) FROM owner_tags WHERE position = 2048"), "65CC81")
        }
    }

    @Test(arguments: SeededGenerator.seeds(12))
    func `random edits of arrays of values and objects leave the file equal to the arrays`(seed: UInt64) throws {
        try CollectionOwners.withOwners { session, space, file in
            var random = SeededGenerator(seed: seed)
            let targets = try CollectionOwners.targets(12)
            let owner = Owner()
            try CollectionOwners.insert([owner], session, space)
            for round in 0..<25 {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let target = targets[Int.random(in: 0..<12, using: &random)]
                    let index = Int.random(in: 0...owner.friends.count, using: &random)
                    switch Int.random(in: 0..<6, using: &random) {
                    case 0, 1, 2: owner.friends.insert(target, at: index)
                    case 3 where index < owner.friends.count: owner.friends.remove(at: index)
                    case 4 where index < owner.friends.count: owner.friends[index] = target
                    case 5: owner.friends.shuffle(using: &random)
                    default: break
                    }
                }
                owner.tags = owner.friends.map(\.name)
                try CollectionOwners.update(owner, "friends", session, space)
                try CollectionOwners.update(owner, "tags", session, space)
                let (ids, tags) = (owner.friends.map { "\($0.rowID)" }, owner.tags)
                try expect(
                    file.sqlite("SELECT value_id FROM owner_friends ORDER BY position"), ids.joined(separator: "\n"),
                    "seed \(seed), round \(round)")
                try expect(file.sqlite("SELECT value FROM owner_tags ORDER BY position"), tags.joined(separator: "\n"))
            }
        }
    }

    @Test func `if another program added or deleted elements, the rows are rewritten`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.tags = ["a", "b", "c", "d"]
            try CollectionOwners.insert([owner], session, space)
            _ = try file.sqlite("DELETE FROM owner_tags WHERE value = 'b'")
            owner.tags = ["x", "b", "c", "y"]
            try CollectionOwners.update(owner, "tags", session, space)
            try expect(file.sqlite("SELECT group_concat(value, '') FROM owner_tags"), "xbcy")
        }
    }

    @Test func `replacing all elements takes few statements`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.tags = (0..<1000).map { "a\($0)" }
            try CollectionOwners.insert([owner], session, space)
            owner.tags = (0..<1000).map { "b\($0)" }
            #expect(try CollectionOwners.update(owner, "tags", session, space).count < 30)
            try expect(file.sqlite("SELECT count(*) FROM owner_tags WHERE value LIKE 'b%'"), "1000")
        }
    }

    @Test func `an element whose class instance changed in place is updated`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.shared = [
                CollectionOwners.SharedText("a"), CollectionOwners.SharedText("b"), CollectionOwners.SharedText("c"),
            ]
            owner.nested = [[1], [], [2, 3]]
            try owner.save()
            try CollectionOwners.insert([owner], session, space)
            owner.shared[1].text = "changed"
            owner.nested[1].append(7)
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "shared", session, space)), ["UPDATE"])
            expect(CollectionOwners.writes(try CollectionOwners.update(owner, "nested", session, space)), ["UPDATE"])
            try expect(file.sqlite("SELECT group_concat(CAST(value AS TEXT), ';') FROM owner_nested"), "[1];[7];[2,3]")
        }
    }

    @Test func `an element that cannot be stored is an error with class, property and row`() throws {
        try CollectionOwners.withOwners { session, space, file in
            let owner = Owner()
            owner.numbers = [1, .nan]
            let new = #expect(throws: StoreError.self) { try owner.save() }
            #expect(new?.property == "numbers" && new?.rowID == nil && new?.className == "Owner")
            owner.numbers = [1]
            try owner.save()
            owner.numbers = [1, .nan]
            let saved = #expect(throws: StoreError.self) { try owner.save() }
            #expect(saved?.property == "numbers" && saved?.rowID == owner.id && saved?.className == "Owner")
            try expect(file.sqlite("SELECT count(*) FROM owner_numbers"), "1")
        }
    }
}
