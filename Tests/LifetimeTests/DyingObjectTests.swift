import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Objects whose deinit is still running while their rows are fetched again.
struct DyingObjectTests {
    final class Haunting: PersistentObject {
        @TaskLocal static var whileDying: Hook?
        override class var tableName: String { "haunting" }
        var name = "alive"
        deinit { try? Haunting.whileDying?() }
    }

    /// The state that the hooks need, which are `@Sendable`.
    final class Scene: @unchecked Sendable {  // objects die on the test's own thread, and the hooks run there
        var session: Session?
        var object: Haunting?
        var successor: Haunting?
        var isFirst = true
        weak var lastSession: Session?
    }

    private func scene(_ store: Store) throws -> Scene {
        let scene = Scene()
        scene.session = try Session(store)
        scene.object = Haunting()
        try scene.session?.save([try #require(scene.object)])
        return scene
    }

    @Test(arguments: 1...3)
    func `fetching the row of a dying object returns a new object, which stays the row's object`(times: Int) throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(lostEdits: .ignore))
        let scene = try scene(store)
        Haunting.$whileDying.withValue(
            Hook {
                guard scene.isFirst else { return }
                scene.isFirst = false
                for _ in 0..<times {
                    scene.successor = nil
                    scene.successor = try? scene.session?.object(for: PersistentID<Haunting>(1))
                }
            }
        ) { scene.object = nil }
        let session = try #require(scene.session)
        let successor = try #require(scene.successor)
        let identity = try session.space(of: Haunting.self).identity
        #expect(identity.count == 1 && identity.brokenInvariant() == nil)
        #expect(try session.object(for: PersistentID<Haunting>(1)) === successor && successor.name == "alive")
        successor.name = "still alive"
        try successor.save()
        scene.successor = nil
        try expect(file.sqlite("SELECT name FROM haunting"), "still alive")
    }

    @Test func `a dying object whose replacement is released first leaves no entry in the identity map`() throws {
        let file = try TemporaryStore()
        let scene = try scene(try file.open(configuration: .init(lostEdits: .ignore)))
        for _ in 0..<3 {
            Haunting.$whileDying.withValue(
                Hook {
                    guard scene.isFirst else { return }
                    scene.isFirst = false
                    _ = try? scene.session?.object(for: PersistentID<Haunting>(1))?.name
                }
            ) { scene.object = nil }
            let session = try #require(scene.session)
            let identity = try session.space(of: Haunting.self).identity
            #expect(identity.count == 0 && identity.brokenInvariant() == nil)
            scene.object = try session.object(for: PersistentID<Haunting>(1))
            scene.isFirst = true
            expect(identity.count, 1)
        }
    }

    @Test func `a session can end and be released while one of its objects is dying`() throws {
        let file = try TemporaryStore()
        let scene = try scene(try file.open(configuration: .init(lostEdits: .ignore)))
        scene.lastSession = scene.session
        Haunting.$whileDying.withValue(
            Hook {
                guard scene.isFirst else { return }
                scene.isFirst = false
                _ = try? scene.session?.object(for: PersistentID<Haunting>(1))?.name
                scene.session?.end()
                scene.session = nil
            }
        ) { scene.object = nil }
        #expect(scene.lastSession == nil)
        try expect(file.sqlite("SELECT count(*) FROM haunting"), "1")
    }

    @Test func `a deinit can save and delete other objects of its class`() throws {
        let file = try TemporaryStore()
        let scene = try scene(try file.open(configuration: .init(lostEdits: .ignore)))
        let other = Haunting()
        try scene.session?.save([other])
        Haunting.$whileDying.withValue(
            Hook {
                guard scene.isFirst else { return }
                scene.isFirst = false
                let new = Haunting()
                try? scene.session?.save([new])
                if let other = try? scene.session?.object(for: PersistentID<Haunting>(2)) {
                    try? scene.session?.delete([other])
                }
            }
        ) { scene.object = nil }
        #expect(other.isDeleted)
        try expect(file.sqlite("SELECT group_concat(id) FROM haunting"), "1,3")
        #expect(try scene.session?.space(of: Haunting.self).identity.brokenInvariant() == nil)
    }
}
