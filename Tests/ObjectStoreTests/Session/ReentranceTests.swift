import TestSupport
import Testing

@testable import PersistentObjects

/// Calls into a session while it is busy must not violate exclusive access to its variables. The runtime checks
/// exclusivity more strictly in optimized builds, so run these tests in debug and release builds.
struct ReentranceTests {
    class Shape: PersistentObject {
        override class var tableName: String { "entered_shape" }
        var name = ""
    }

    final class Circle: Shape { var radius = 1.0 }

    final class Square: Shape {
        var side = 1.0
        var colours: [String] = ["white"]
    }

    final class Note: PersistentObject {
        override class var tableName: String { "entered_note" }
        var text = ""
    }

    @Test func `a class of a hierarchy can be used for the first time while events are observed`() throws {
        let store = try Store.temporary()
        let events = store.events
        try store.withSession { _ in
            try Circle().save()
            try Note().save()
            try Square().save()
            #expect(try Shape.all().count == 2 && Note.count() == 1)
        }
        withExtendedLifetime(events) {}
    }

    @Test func `preparing a subclass with a new property writes rows while events are observed`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { session in
            try session.save([Shape(), Shape()])
            try Circle().save()
        }
        // The state that a former version of the class left: rows that get a value when the property is added.
        _ = try file.sqlite("ALTER TABLE entered_shape DROP COLUMN radius")
        let store = try file.open()
        let events = store.events
        try store.withSession { _ in
            try expect(Shape.count(), 3)
            try expect(Circle.all().map(\.radius), [1])
            try Square().save()
            try expect(Shape.all().map { "\(type(of: $0))" }, ["Shape", "Shape", "Circle", "Square"])
        }
        withExtendedLifetime(events) {}
    }

    /// Makes a query when it is deinitialized.
    final class Target: PersistentObject {
        @TaskLocal static var whenGone: Hook?
        override class var tableName: String { "entered_target" }
        var name = ""
        deinit { try? Target.whenGone?() }
    }

    final class Holder: PersistentObject {
        override class var tableName: String { "entered_holder" }
        weak var target: Target?
        var other: Note?
    }

    @Test(arguments: ["fetch", "reset", "untracked"])
    func `the deinit of an object that only the session holds can fetch`(_ way: String) throws {
        let calls = Recorder<Int>()
        try withTemporarySession { session, _ in
            let (holder, target) = (Holder(), Target())
            (holder.target, holder.other) = (target, Note())
            try session.save([target, holder])
            let hook = Hook { calls.add(try Holder.all().count + Target.count()) }
            try session.reset()
            try Target.$whenGone.withValue(hook) {
                let again = try Holder.all()
                #expect(again.first?.target != nil)
                switch way {
                case "fetch": _ = try Holder.where { $0.id > 5 }.all()
                case "reset": try session.reset()
                default: _ = try Holder.query.untracked().all()
                }
                try session.reset()
            }
        }
        #expect(!calls.all.isEmpty)
    }

    /// Deletes its parts with it; their hooks use the session.
    final class Owner: PersistentObject {
        override class var tableName: String { "entered_owner" }
        @OnDelete(.cascade) var parts: [Part] = []
    }

    final class Part: PersistentObject {
        override class var tableName: String { "entered_part" }
        var name = ""
        override func willDelete() throws {
            _ = try Part.all()
            #expect(throws: StoreError.self) { try Owner().save() }
        }
    }

    @Test func `the willDelete of an orphan can fetch and is refused a save`() throws {
        try withTemporarySession { session, _ in
            let owner = Owner()
            owner.parts = [Part(), Part()]
            try owner.save()
            owner.parts = []
            try owner.save()
            try expect(Part.count(), 0)
        }
    }
}
