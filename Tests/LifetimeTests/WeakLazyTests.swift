import TestSupport
import Testing

@testable import PersistentObjects

/// `@Lazy(.weak)`: a reference that releases its object, and loads it again on the next access.
struct WeakLazyTests {
    static let living = LifetimeTracker()

    /// Counts the objects of the current test.
    @TaskLocal static var tracker = living

    class Folder: PersistentObject {
        override class var tableName: String { "folder" }
        @Transient var token = WeakLazyTests.tracker.token()
        var name = ""
        var folders: [Folder] = []
        @Lazy(.weak) var parent: Folder?
        @Indexed @Lazy(.weak) var twin: Folder? = nil

        convenience init(_ name: String) {
            self.init()
            self.name = name
        }
    }

    final class Drawer: Folder { var depth = 0 }

    /// Calls `body` with a session and a tracker that counts its objects. Afterwards all objects must be freed.
    private func with(_ body: (Session, LifetimeTracker) throws -> Void) throws {
        // The objects that class inspection keeps are created before the count.
        for type in [Folder.self, Drawer.self] { try ClassMap.map(of: type).scratch.withObject { _, _ in } }
        let tracker = LifetimeTracker()
        try Self.$tracker.withValue(tracker) {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.prepare(Folder.self)
            let before = tracker.liveCount
            try store.withSession { try body($0, tracker) }
            expect(tracker.liveCount, before)
        }
    }

    /// Saves a folder that contains folders with a reference to it. Afterwards none is in memory.
    private func save(_ session: Session, count: Int = 3) throws {
        try session.transaction {
            let root = Folder("root")
            root.folders = (0..<count).map { number in
                let folder = number % 2 == 0 ? Folder("\(number)") : Drawer("\(number)")
                folder.parent = root
                return folder
            }
            try root.save()
        }
        try pass()
    }

    /// Makes enough calls to release all loaded references.
    private func pass() throws {
        for _ in 0..<300 { _ = try Folder.find([-1]) }
    }

    @Test func `a cycle that was saved is freed after some calls, and can be loaded again`() throws {
        try with { session, tracker in
            let before = tracker.liveCount
            try save(session)
            expect(tracker.liveCount, before)
            let leaf = try #require(try Folder.findFirstBy.name("1"))
            #expect(leaf.parent?.name == "root" && leaf.parent?.folders.contains(leaf) == true)
            try pass()
            #expect(!leaf.$parent.isLoaded && leaf.parent?.name == "root" && !leaf.hasChanges)
        }
    }

    @Test func `while the target is held elsewhere, an access returns it without a statement`() throws {
        try with { session, _ in
            try save(session)
            let leaf = try #require(try Folder.findFirstBy.name("0"))
            let root = try #require(leaf.parent)
            try pass()
            let log = statements(of: session) { #expect(leaf.parent === root) }
            #expect(log.isEmpty)
        }
    }

    @Test func `a target in use stays loaded, and edits are kept`() throws {
        try with { session, _ in
            try save(session)
            let leaf = try #require(try Folder.findFirstBy.name("0"))
            _ = leaf.parent
            for _ in 0..<300 {
                _ = try Folder.find([-1])
                _ = leaf.parent
            }
            #expect(leaf.$parent.isLoaded)
            leaf.parent?.name = "edited"
            try pass()
            #expect(leaf.$parent.isLoaded && leaf.parent?.name == "edited")
            leaf.parent = Folder("new")
            try pass()
            #expect(leaf.parent?.name == "new" && leaf.changes.map(\.name) == ["parent"])
            try leaf.save()
            try pass()
            #expect(!leaf.$parent.isLoaded && leaf.parent?.name == "new")
            leaf.parent = nil
            try leaf.save()
            try pass()
            #expect(leaf.parent == nil && !leaf.hasChanges)
        }
    }

    @Test func `objects of one fetch load their targets with one query, each time`() throws {
        try with { session, _ in
            try save(session, count: 20)
            let leaves = try Folder.where { $0.name != "root" }.all()
            for _ in 0..<2 {
                let log = statements(of: session) {
                    for leaf in leaves { #expect(leaf.parent?.name == "root") }
                }
                #expect(log.filter { $0.contains("FROM \"folder\"") }.count == 1, "\(log)")
                try pass()
                #expect(leaves.allSatisfy { !$0.$parent.isLoaded })
            }
        }
    }

    @Test func `a rollback and a commit of another session lead to the right target`() throws {
        try with { session, _ in
            try save(session)
            let leaf = try #require(try Folder.findFirstBy.name("0"))
            expect(leaf.parent?.name, "root")
            try pass()
            try? session.transaction {
                leaf.parent = Folder("inside")
                try leaf.save()
                throw CancellationError()
            }
            #expect(leaf.parent?.name == "root" && !leaf.hasChanges)
            try pass()
            try session.store.withSession { _ in
                let other = try #require(try Folder.findFirstBy.name("0"))
                other.parent = try Folder.findFirstBy.name("1")
                try other.save()
            }
            #expect(try Folder.findFirstBy.name("0") === leaf)
            expect(leaf.parent?.name, "1")
        }
    }

    @Test func `at the end of its session a target is released, and the next access reports the error sessionEnded`()
        throws
    {
        try with { session, _ in
            try save(session)
            let leaf = try session.store.withSession { _ in
                let leaf = try #require(try Folder.findFirstBy.name("0"))
                expect(leaf.parent?.name, "root")
                return leaf
            }
            #expect(leaf.parent == nil)
            expect((leaf.$parent.problem as? StoreError)?.code, .sessionEnded)
        }
    }

    @Test func `the reference of a deleted object is nil after some calls`() throws {
        try with { session, _ in
            try save(session)
            let leaf = try #require(try Folder.findFirstBy.name("0"))
            #expect(leaf.parent != nil)
            try leaf.delete()
            try pass()
            #expect(leaf.isDeleted && leaf.parent == nil)
        }
    }
}
