import Observation
import TestSupport
import Testing

@testable import PersistentObjects

/// Observers of the undo properties of a session, such as buttons and menus.
struct UndoObservationTests {
    typealias Person = UndoModel.Person

    /// Records the properties whose observers were notified, and observes them again.
    private final class Watch {
        private(set) var told: [String] = []
        private let session: Session

        init(_ session: Session) {
            self.session = session
            for name in ["recordsUndo", "canUndo", "canRedo", "undoName", "redoName"] { watch(name) }
        }

        private func read(_ name: String) -> String {
            switch name {
            case "recordsUndo": "\(session.recordsUndo)"
            case "canUndo": "\(session.canUndo)"
            case "canRedo": "\(session.canRedo)"
            case "undoName": session.undoName ?? "-"
            default: session.redoName ?? "-"
            }
        }

        private func watch(_ name: String) {
            nonisolated(unsafe) let watch = self
            withObservationTracking {
                _ = read(name)
            } onChange: {
                // The notification arrives during or at the end of the session's call, on the same thread.
                watch.told.append("\(name) \(watch.read(name))")
                watch.watch(name)
            }
        }

        func take() -> [String] {
            defer { told = [] }
            return told.sorted()
        }
    }

    @Test func `commits, undo, redo and settings notify observers by the end of the call`() throws {
        try withTemporarySession { session, _ in
            let watch = Watch(session)
            session.recordsUndo = true
            #expect(watch.take() == ["recordsUndo true"])
            let joe = Person()
            try joe.save()
            #expect(watch.take() == ["canUndo true"])
            joe.name = "a"
            try joe.save()
            #expect(watch.take() == [], "nothing that is shown is different")
            try session.undo()
            #expect(watch.take() == ["canRedo true"])
            try session.undo()
            #expect(watch.take() == ["canUndo false"])
            try session.redo()
            #expect(watch.take() == ["canUndo true"])
            try session.redo()
            #expect(watch.take() == ["canRedo false"])
            session.clearUndo()
            #expect(watch.take() == ["canUndo false"])
            session.recordsUndo = false
            #expect(watch.take() == ["recordsUndo false"])
        }
    }

    @Test func `a group notifies observers of its name when it ends`() throws {
        try withTemporarySession { session, _ in
            try session.store.prepare(Person.self, UndoModel.Company.self, UndoModel.Pet.self)
            session.recordsUndo = true
            let watch = Watch(session)
            try session.undoGroup("Add") {
                try Person().save()
                try Person().save()
                #expect(watch.take() == [])
            }
            #expect(watch.take() == ["canUndo true", "undoName Add"])
            try session.undo()
            #expect(watch.take() == ["canRedo true", "canUndo false", "redoName Add", "undoName -"])
            try Person().save()
            #expect(watch.take() == ["canRedo false", "canUndo true", "redoName -"])
            session.undoLimit = UndoLimit(levels: 0)
            #expect(watch.take() == ["canUndo false"])
        }
    }

    @Test func `a transaction notifies observers once after its commit, and not after a rollback`() throws {
        struct Stop: Error {}
        try withTemporarySession { session, _ in
            try session.store.prepare(Person.self, UndoModel.Company.self, UndoModel.Pet.self)
            session.recordsUndo = true
            let watch = Watch(session)
            try session.transaction { () throws in
                try Person().save()
                #expect(watch.take() == [])
            }
            #expect(watch.take() == ["canUndo true"])
            try? session.transaction { () throws in
                try Person().save()
                throw Stop()
            }
            #expect(watch.take() == [])
        }
    }
}
