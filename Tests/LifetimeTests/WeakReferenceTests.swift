import TestSupport
import Testing

@testable import PersistentObjects

/// `weak` references are stored like other references, and do not keep their target alive.
struct WeakReferenceTests {
    final class Parent: PersistentObject {
        override class var tableName: String { "parent" }
        var name = ""
        var children: [Child] = []
    }

    final class Child: PersistentObject {
        override class var tableName: String { "child" }
        var name = ""
        weak var parent: Parent?
    }

    /// Saves parents with a child each.
    private static func save(_ store: Store, _ count: Int = 1) throws {
        try store.withSession { session throws in
            let parents = (0..<count).map { _ in Parent() }
            let children = (0..<count).map { _ in Child() }
            for (index, child) in children.enumerated() {
                parents[index].name = "P\(index)"
                child.parent = parents[index]
            }
            try session.save(children)
            withExtendedLifetime(parents) {}
        }
    }

    @Test func `a weak reference is saved, and loaded by a fetch`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store, 30)
            #expect(try file.sqlite("SELECT count(parent_id) FROM child") == "30")
            try store.withSession { session throws in
                var children: [Child] = []
                let log = try statements(of: session) { children = try Child.all() }
                #expect(log.count { $0.hasPrefix("SELECT") } == 3, "children, parents, and the children of these")
                #expect(children.map { $0.parent?.name } == (0..<30).map { "P\($0)" })
                #expect(children.allSatisfy { !$0.hasChanges })
            }
        }
    }

    @Test func `a weak reference whose target was released is not an edit, and the row keeps it`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store, 2)
            try store.withSession { session throws in
                let children = try Child.all()
                let kept = children[1].parent
                _ = try Parent.count()
                _ = try Child.findByCriteria("WHERE 0")
                #expect(children[0].parent == nil && children[1].parent === kept)
                #expect(!children[0].hasChanges && children[0].changes.isEmpty)
                #expect(try statements(of: session) { try session.save(children) }.isEmpty)
                children[0].name = "edited"
                #expect(children[0].changes.map(\.name) == ["name"])
                try session.saveChanges()
                #expect(try file.sqlite("SELECT parent_id FROM child") == "1\n2")
                try children[0].reload()
                #expect(children[0].parent?.name == "P0", "a reload brings it back")
                #expect(!children[0].hasChanges)
            }
        }
    }

    @Test func `setting a weak reference to nil is an edit`() throws {
        try withTemporaryStore { store, file throws in
            try Self.save(store)
            try store.withSession { session throws in
                let child = try #require(try Child.find(1))
                let parent = try #require(child.parent)
                child.parent = nil
                expect(child.changes.map(\.description), ["parent: Parent #1 -> nil"])
                child.revert()
                #expect(child.parent === parent && !child.hasChanges)
                child.parent = nil
                try child.save()
                #expect(try file.sqlite("SELECT parent_id IS NULL FROM child") == "1" && !child.hasChanges)
                let other = Parent()
                child.parent = other
                try child.save()
                try expect(file.sqlite("SELECT parent_id FROM child"), "2")
                #expect(!child.hasChanges, "\(child.changes)")
                expect(other.id, 2, "a save reaches through it")
            }
        }
    }

    @Test func `a saved object whose target is released later keeps the row's reference`() throws {
        try withTemporarySession { session, file throws in
            let child = Child()
            do {
                let parent = Parent()
                child.parent = parent
                try child.save()
                expect(parent.id, 1)
            }
            #expect(child.parent == nil && !child.hasChanges)
            child.name = "x"
            try child.save()
            #expect(try file.sqlite("SELECT parent_id, name FROM child") == "1|x")
            let parent = try Parent.find(1)
            child.parent = parent
            #expect(!child.hasChanges, "the row has it")
            withExtendedLifetime(parent) {}
        }
    }

    @Test func `a tree with weak parent references is released with its root`() throws {
        try withTemporaryStore { store, _ throws in
            try store.withSession { _ throws in
                let parent = Parent()
                parent.children = (0..<3).map { _ in Child() }
                for child in parent.children { child.parent = parent }
                try parent.save()
            }
            try store.withSession { _ throws in
                var parent = try Parent.find(1)
                expect(parent?.children.allSatisfy { $0.parent === parent }, true)
                weak let child = parent?.children[0]
                parent = nil
                _ = try Child.findByCriteria("WHERE 0")
                #expect(child == nil)
            }
        }
    }

    @Test func `a fetch applies another session's change of a weak reference`() throws {
        try withTemporaryStore { store, _ throws in
            try Self.save(store, 2)
            try store.withSession { session throws in
                let children = try Child.all()
                let parents = try Parent.all()
                #expect(children[0].parent === parents[0])
                try store.withSession { _ throws in
                    let child = try #require(try Child.find(1))
                    let parent = try Parent.find(2)
                    child.parent = parent
                    try child.save()
                }
                _ = try Child.all()
                #expect(children[0].parent === parents[1] && !children[0].hasChanges)
            }
        }
    }
}
