import TestSupport
import Testing

@testable import PersistentObjects

/// Edits of a `weak var`, whichever object is released first: they are saved, or an error names the property.
struct WeakEditTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        var name = ""
        weak var pal: Node?
        weak var other: Node?
    }

    private struct Stop: Error {}

    private func pals(_ file: TemporaryStore) throws -> String {
        try file.sqlite("SELECT id, coalesce(pal_id, 'nil') FROM node ORDER BY id")
    }

    /// Expects that saving the session's changes is refused.
    private func expectRefusal(_ session: Session, row: Int64?) {
        let error = #expect(throws: StoreError.self) { try session.saveChanges() }
        #expect(error?.code == .misuse && error?.property == "pal" && error?.rowID == row)
        #expect(error?.description.contains("@Lazy(.weak)") ?? false)
    }

    @Test func `setting nil is an edit, even if the former target was released`() throws {
        try withTemporarySession { session, file in
            let node = Node()
            try {
                let target = Node()
                (node.pal, node.other) = (target, target)
                try session.save([node, target])
                node.pal = nil
                withExtendedLifetime(target) {}
            }()
            #expect(node.changes.map(\.description) == ["pal: Node #2 -> nil"] && session.hasChanges)
            try session.saveChanges()
            #expect(try file.sqlite("SELECT coalesce(pal_id, 'nil'), other_id FROM node WHERE id = 1") == "nil|2")
            #expect(!session.hasChanges)
        }
    }

    @Test func `setting nil is an edit, even if the target had been released before`() throws {
        try withTemporarySession { session, file in
            let node = Node()
            try {
                let target = Node()
                node.pal = target
                try session.save([node, target])
            }()
            #expect(node.pal == nil && !node.hasChanges)
            node.name = "x"
            try node.save()
            #expect(try pals(file) == "1|2\n2|nil")
            node.pal = nil
            #expect(node.changes.map(\.name) == ["pal"])
            try node.save()
            #expect(try pals(file) == "1|nil\n2|nil" && !node.hasChanges)
        }
    }

    @Test func `a target that was released before the save is an error, and is not saved as NULL`() throws {
        try withTemporarySession { session, file in
            let (node, former) = (Node(), Node())
            node.pal = former
            try session.save([node, former])
            try {
                let target = Node()
                try target.save()
                node.pal = target
                withExtendedLifetime(target) {}
            }()
            #expect(node.hasChanges && node.pal == nil)
            expectRefusal(session, row: 1)
            #expect(throws: StoreError.self) { try node.save() }
            #expect(try pals(file) == "1|2\n2|nil\n3|nil")
            node.revert()
            #expect(node.pal === former && !node.hasChanges)
            let again = try #require(try Node.find(3))
            node.pal = again
            try session.saveChanges()
            #expect(try pals(file) == "1|3\n2|nil\n3|nil")
        }
    }

    @Test func `a released target is an error too if there was none before, and in a new object`() throws {
        try withTemporarySession { session, file in
            let node = Node()
            try node.save()
            try {
                let target = Node()
                try target.save()
                node.pal = target
                withExtendedLifetime(target) {}
            }()
            expectRefusal(session, row: 1)
            try node.reload()
            #expect(!node.hasChanges && !session.hasChanges)
            let new = Node()
            do {
                let target = Node()
                new.pal = target
                withExtendedLifetime(target) {}
            }
            #expect(throws: StoreError.self) { try new.save() }
            new.pal = node
            try new.save()
            #expect(try pals(file) == "1|nil\n2|nil\n3|1")
        }
    }

    @Test func `pending edits retain their targets, and a released target is named in the error`() throws {
        try withTemporarySession { session, file in
            var target: Node? = Node()
            try {
                let node = Node()
                try session.save([node, #require(target)])
                node.pal = target
            }()
            target = nil
            try session.saveChanges()
            #expect(try pals(file) == "1|2\n2|nil")
            try { try Node().save() }()
            try {
                let node = try #require(try Node.find(3))
                (node.pal, node.name) = (node, "x")
            }()
            expectRefusal(session, row: 3)
            let node = try #require(try Node.find(3))
            #expect(node.name == "x")
            node.pal = node
            try session.saveChanges()
            #expect(try pals(file) == "1|2\n2|nil\n3|3")
        }
    }

    @Test func `two objects that refer to each other and are both released are an error`() throws {
        try withTemporarySession { session, file in
            try {
                let (one, two) = (Node(), Node())
                try session.save([one, two])
                (one.pal, two.pal) = (two, one)
            }()
            let error = #expect(throws: StoreError.self) { try session.saveChanges() }
            #expect(error?.property == "pal")
            #expect(try pals(file) == "1|nil\n2|nil")
            let (one, two) = (try #require(try Node.find(1)), try #require(try Node.find(2)))
            (one.pal, two.pal) = (two, one)
            try session.saveChanges()
            #expect(try pals(file) == "1|2\n2|1")
        }
    }

    @Test func `a rollback distinguishes edits from released targets`() throws {
        try withTemporarySession { session, file in
            let (node, other) = (Node(), Node())
            try {
                let target = Node()
                (node.pal, other.pal) = (target, target)
                try session.save([node, other, target])
            }()
            let held = Node()
            try held.save()
            func roll(_ body: () throws -> Void) throws {
                do {
                    try session.transaction {
                        try body()
                        throw Stop()
                    }
                } catch is Stop {}
            }
            // An unrelated edit; the reference set and saved; the reference cleared and saved.
            for change in [{ node.name += "x" }, { node.pal = held }, { node.pal = nil }] {
                try roll {
                    change()
                    try node.save()
                }
                #expect(!node.hasChanges && !session.hasChanges)
            }
            var target: Node? = try Node.find(3)
            other.pal = nil
            node.pal = held
            try roll {
                try session.saveChanges()
                target = nil
            }
            #expect(node.changes.map(\.name) == ["pal"] && other.changes.map(\.name) == ["pal"] && target == nil)
            try session.saveChanges()
            #expect(try file.sqlite("SELECT coalesce(pal_id, 'nil') FROM node ORDER BY id LIMIT 2") == "4\nnil")
        }
    }

    final class Tree: PersistentObject {
        override class var tableName: String { "tree" }
        @Unique var name = ""
        weak var parent: Tree?
        @Inverse(\Tree.parent) var children: [Tree]
    }

    @Test func `a failed save leaves a reference to a released object unchanged`() throws {
        try withTemporarySession { session, file in
            let (child, other) = (Tree(), Tree())
            (child.name, other.name) = ("child", "other")
            do {
                let parent = Tree()
                parent.name = "parent"
                child.parent = parent
                try session.save([child, other, parent])
            }
            #expect(child.parent == nil && !child.hasChanges)
            other.children = [child]
            let twin = Tree()
            twin.name = "child"
            #expect(throws: StoreError.self) { try session.save([other, twin]) }
            #expect(child.parent == nil && !child.hasChanges)
            other.children = []
            try session.saveChanges()
            #expect(try file.sqlite("SELECT parent_id FROM tree WHERE name = 'child'") == "3")
        }
    }
}
