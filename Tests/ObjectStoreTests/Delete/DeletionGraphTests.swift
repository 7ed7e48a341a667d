import TestSupport
import Testing

@testable import PersistentObjects

/// Deletions that reach many objects: rings, chains, hierarchies and removed elements.
struct DeletionGraphTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        @OnDelete(.cascade) var next: Node?
        var name = ""
    }

    final class Branch: PersistentObject {
        override class var tableName: String { "branch" }
        var name = ""
        @OnDelete(.cascade) var branches: [Branch] = []
    }

    class Animal: PersistentObject {
        override class var tableName: String { "animal" }
        var name = ""
        var mother: Animal?
    }

    final class Dog: Animal {
        override class var deleteRules: [String: DeleteRule] { ["fleas": .cascade] }
        @OnDelete(.cascade) var bone: Bone?
        @Inverse(\Flea.host) var fleas: [Flea]
    }

    final class Bone: PersistentObject {
        override class var tableName: String { "bone" }
        var size = 0
    }

    final class Flea: PersistentObject {
        override class var tableName: String { "flea" }
        var host: Animal?
    }

    private static func ring(_ count: Int) -> [Node] {
        let nodes = (0..<count).map { _ in Node() }
        for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % count] }
        return nodes
    }

    @Test(arguments: [1, 2, 1000]) func `a cascade around a ring deletes the whole ring`(count: Int) throws {
        try withTemporarySession { session, file in
            let nodes = Self.ring(count)
            let outside = Node()
            outside.next = nodes[0]
            try session.save(nodes + [outside])
            try nodes[count / 2].delete()
            #expect(nodes.allSatisfy { $0.isDeleted } && !outside.isDeleted && outside.next == nil)
            #expect(try file.sqlite("SELECT id, next_id FROM node") == "\(count + 1)|")
            for node in nodes { node.next = nil }
        }
    }

    @Test func `a cascade along a chain of 20,000 objects needs only a small stack`() throws {
        let left = try onSmallStack {
            try withTemporarySession { session, file in
                let nodes = Self.ring(20_000)
                nodes[19_999].next = nil
                try session.save([nodes[0]])
                try nodes[0].delete()
                return try file.sqlite("SELECT count(*) FROM node") + (nodes.allSatisfy { $0.isDeleted } ? "" : " live")
            }
        }
        expect(left, "0")
    }

    @Test func `a cascade along rows that are not in memory takes one query per level`() throws {
        try withTemporaryStore { store, file in
            try store.withSession { session in
                let nodes = Self.ring(500)
                nodes[0].name = "first"
                try session.save(nodes)
                for node in nodes { node.revert() }
                nodes[499].next = nil
                try nodes[499].save()
            }
            let log: [String] = try store.withSession { session in
                try statements(of: session) {
                    let count: Int = try Node.deleteByName("first")
                    expect(count, 1)
                }
            }
            // The finder's update and one query a row; no object in memory is affected.
            expect(log.count { $0.hasPrefix("SELECT") && $0.contains("next_id") }, 500)
            expect(log.count { $0.hasPrefix("UPDATE") }, 1)
            try expect(file.sqlite("SELECT count(*) FROM node"), "0")
        }
    }

    @Test func `the delete trigger of a class unknown to this process denies the deletion too`() throws {
        try withTemporarySession { session, file in
            let node = Node()
            try node.save()
            _ = try file.sqlite(
                "CREATE TRIGGER t BEFORE DELETE ON node BEGIN SELECT RAISE(ABORT, 'Car.node denies the deletion'); END")
            let error = #expect(throws: StoreError.self) { try node.delete() }
            #expect(error?.code == .deletionDenied && error?.rowID == 1 && !node.isDeleted)
        }
    }

    @Test func `an object's description does not describe the objects that it refers to`() throws {
        try withTemporarySession { session, _ in
            let nodes = Self.ring(2)
            expect("\(nodes[0])", "Node (new) { next: Node (new), name: \"\" }")
            try session.save(nodes)
            expect("\(nodes[0])", "Node #1 { next: Node #2, name: \"\" }")
            try session.delete(nodes)
            for node in nodes { node.next = nil }
        }
    }

    @Test func `a cascade through a tree of collections takes one query per level`() throws {
        try withTemporarySession { session, file in
            var level = [Branch()]
            let root = level[0]
            for _ in 0..<5 {
                level = level.flatMap { branch in
                    branch.branches = (0..<3).map { _ in Branch() }
                    return branch.branches
                }
            }
            try root.save()
            let log = try statements(of: session) { try root.delete() }
            let queries = log.filter { $0.hasPrefix("SELECT") }
            // One query for each of the six levels, and one for the references to any of them.
            #expect(queries.count == 7, "\(queries)")
            #expect(log.count(where: { $0.hasPrefix("DELETE") && $0.contains("json_each") }) == 1)
            #expect(level.allSatisfy { $0.isDeleted })
            #expect(try file.sqlite("SELECT count(*) FROM branch") == "0")
        }
    }

    @Test func `delete rules of a subclass apply only to its rows`() throws {
        try withTemporarySession { session, file in
            let animal = Animal()
            let dog = Dog()
            dog.bone = Bone()
            dog.mother = animal
            let fleas = [Flea(), Flea()]
            fleas[0].host = animal
            fleas[1].host = dog
            try session.save(fleas)
            try animal.delete()
            #expect(dog.mother == nil && !dog.hasChanges && fleas[0].host == nil && !fleas[0].isDeleted)
            expect(fleas.map(\.isDeleted), [false, false])
            try expect(Dog.deleteAll(), 1)
            #expect(dog.isDeleted && dog.bone?.isDeleted == true && fleas[1].isDeleted)
            try expect(file.sqlite("SELECT (SELECT count(*) FROM animal), (SELECT count(*) FROM bone)"), "0|0")
            let left = try file.sqlite("SELECT id, host_id FROM flea")
            expect(left, "\(fleas[0].id ?? 0)|")
        }
    }

    @Test func `deleting all objects of a subclass leaves the other rows of the table`() throws {
        try withTemporarySession { session, file in
            let animals = [Animal(), Dog(), Dog(), Animal()]
            animals[0].mother = animals[1]
            try session.save(animals)
            try expect(Dog.deleteAll(), 2)
            #expect(animals.map(\.isDeleted) == [false, true, true, false] && animals[0].mother == nil)
            try expect(Animal.deleteAll(), 2)
            #expect(animals[0].isDeleted)
            try expect(file.sqlite("SELECT count(*) FROM animal"), "0")
        }
    }

    @Test func `an element that leaves a collection that owns it is deleted`() throws {
        try withTemporarySession { session, file in
            let root = Branch()
            let children = (0..<4).map { _ in Branch() }
            let grandchild = Branch()
            children[1].branches = [grandchild]
            root.branches = Array(children[..<3])
            try session.save([root, children[3]])
            root.branches.remove(at: 1)
            // An element moved to another owner in the same save stays.
            children[3].branches = [root.branches.remove(at: 1)]
            try session.save([root, children[3]])
            #expect(children.map(\.isDeleted) == [false, true, false, false] && grandchild.isDeleted)
            #expect(root.branches == [children[0]] && !root.hasChanges && !children[3].hasChanges)
            let rows = [root, children[3]].map { "\($0.id ?? 0)|\($0.branches[0].id ?? 0)" }.sorted()
            let found = try file.sqlite("SELECT owner_id, value_id FROM branch_branches ORDER BY 1, 2")
            expect(found, rows.joined(separator: "\n"))
            try expect(file.sqlite("SELECT count(*) FROM branch"), "4")
        }
    }

    @Test func `if the database refuses the deletion, all objects and rows are unchanged`() throws {
        try withTemporarySession { session, file in
            let nodes = Self.ring(3)
            try session.save(nodes)
            nodes[0].name = "edited"
            _ = try file.sqlite(
                "CREATE TRIGGER keep BEFORE DELETE ON node WHEN OLD.id = 3 BEGIN SELECT RAISE(ABORT, 'no'); END")
            let error = #expect(throws: StoreError.self) { try nodes[0].delete() }
            #expect(error?.code == .constraint)
            #expect(nodes.allSatisfy { !$0.isDeleted } && nodes[2].next === nodes[0])
            #expect(nodes[0].changes.map(\.name) == ["name"])
            #expect(try file.sqlite("SELECT count(*), count(next_id) FROM node") == "3|3")
            _ = try file.sqlite("DROP TRIGGER keep")
            try nodes[0].delete()
            #expect(nodes.allSatisfy { $0.isDeleted })
            for node in nodes { node.next = nil }
        }
    }
}
