import TestSupport
import Testing

@testable import PersistentObjects

/// `@Lazy(.weak)`: a reference that lets go of its object, and loads it again at the next access.
struct WeakLazyTests {
    static let living = LifetimeTracker()

    /// What a test counts: the objects that it has made.
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

    /// Calls `body` with a session and what counts its objects; all are gone afterwards.
    private func with(_ body: (Session, LifetimeTracker) throws -> Void) throws {
        // What the examination of the classes keeps is made before anything is counted.
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

    /// A folder with others in it, which know it; nobody has them in memory behind this.
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

    /// Enough calls for whatever is read at the moment to be let go of.
    private func pass() throws {
        for _ in 0..<300 { _ = try Folder.find([-1]) }
    }

    @Test func `a ring that was saved is freed some calls later, and comes back whole`() throws {
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

    @Test func `who holds the object gets the same one, without a statement`() throws {
        try with { session, _ in
            try save(session)
            let leaf = try #require(try Folder.findFirstBy.name("0"))
            let root = try #require(leaf.parent)
            try pass()
            let log = statements(of: session) { #expect(leaf.parent === root) }
            #expect(log.isEmpty)
        }
    }

    @Test func `what is read stays while it is read, and edits stay`() throws {
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

    @Test func `objects of one fetch load theirs with one query, again and again`() throws {
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

    @Test func `a rollback and others' commits find it right`() throws {
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

    @Test func `with its session it lets go at once, and says so at the next access`() throws {
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

    @Test func `an owner that was deleted refers to nothing some calls later`() throws {
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
