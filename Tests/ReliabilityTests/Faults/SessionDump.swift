import StoreEngine
import TestSupport

@testable import PersistentObjects

/// The complete memory of a session as comparable lines: objects with their values, edits and states, the undo
/// history, and work in progress.
struct SessionDump: Equatable, CustomStringConvertible {
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }

    /// Whether everything except the undo history is the same.
    func isSameButUndo(_ other: SessionDump) -> Bool {
        func rest(_ dump: SessionDump) -> [String] { dump.lines.filter { !$0.hasPrefix("undo: ") } }
        return rest(self) == rest(other)
    }

    /// - Parameter held: The objects that the test holds. New and deleted objects are in no identity map.
    init(_ session: Session, holding held: [PersistentObject]) {
        // The session keeps these objects until the next fetch, though they do not belong to it.
        session.memory.dropHeldTargets()
        var lines: [String] = []
        for identity in session.classes.allIdentities.sorted(by: { $0.classMap.name < $1.classMap.name }) {
            for object in identity.liveObjects() { lines.append("map: \(SessionDump.line(object))") }
            if let broken = identity.brokenInvariant() { lines.append("broken: \(broken)") }
        }
        lines += held.enumerated().map { "\($0): \(SessionDump.line($1))" }
        let undo = session.writing.undoHistory.map { "\($0.counts)" } ?? "none"
        lines.append("undo: \(undo) \(session.undoName ?? "") \(session.redoName ?? "")")
        lines.append(
            "waiting: \(session.memory.pendingEdits.all.values.flatMap(\.keys).sorted()), \(session.memory.added.count) added"
        )
        lines.append("to tell: \(session.news.pending.changes.count), \(session.news.closures.count)")
        let underWay = [
            "transaction": session.level != nil, "transaction of the file": session.isInFileTransaction,
            "writing": session.writing.isWriting, "telling": session.news.isReporting,
            "statements": session.busyStatementCount != 0,
            "the writers' turn": session.store.writers.isHeld(on: RunningThread.id),
        ]
        lines.append("under way: \(underWay.filter(\.value).keys.sorted())")
        self.lines = lines
    }

    private static func properties(of object: PersistentObject) -> [Property] {
        (try? ClassMap.map(of: type(of: object)))?.declaredProperties ?? []
    }

    private static func line(_ object: PersistentObject) -> String {
        let state = ObjectState(object)
        let (kind, id) = (object.lifecycle, object.id.map { " #\($0)" } ?? "")
        // For a lazily loaded property, only whether it is loaded is compared.
        let edited = Set(state.changes.map(\.name))
        let properties = properties(of: object).filter { property in
            property.box(in: ObjectMemory.start(of: object)) == nil || edited.contains(property.name)
        }
        let values = properties.map { property in
            let value = property.isLoaded(in: ObjectMemory.start(of: object)) ? state.value(of: property.name) : nil
            let text = value.map { SessionDump.text($0) } ?? state.text(of: property)
            return "\(property.name): \(text)"
        }
        let changes = state.changes.map { "\($0.name) was \($0.old.map { SessionDump.text($0) } ?? "nil")" }
        return "\(type(of: object))\(id) \(kind) \(values) \(changes)"
    }

    /// Returns a value in a reproducible form, because sets, dictionaries and a session's edits have no order.
    private static func text(_ value: Any) -> String {
        if let object = value as? PersistentObject {
            return "\(type(of: object)) \(object.id.map { "#\($0)" } ?? "new")"
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .set, .dictionary: return "\(mirror.children.map { text($0.value) }.sorted())"
        case .collection where mirror.children.count > 20:
            return "\(mirror.children.count) elements, \(String(describing: value).hashValue)"
        case .collection: return "\(mirror.children.map { text($0.value) })"
        case .optional: return mirror.children.first.map { text($0.value) } ?? "nil"
        default: return "\(value)"
        }
    }

    /// The lines that differ, for messages.
    func difference(from other: SessionDump) -> String {
        let added = lines.filter { !other.lines.contains($0) }.map { "+ \($0)" }
        let removed = other.lines.filter { !lines.contains($0) }.map { "- \($0)" }
        return (added + removed).joined(separator: "\n")
    }
}

/// Receives commits like a subscriber.
final class CommitLog: CommitListener {
    let readsEvents = true
    private let events = Recorder<String>()

    func receive(_ summary: CommitSummary) {
        for event in summary.events { events.add("\(event.map?.name ?? "?") \(event.id) \(event.kind)") }
    }

    func finish() {}

    var all: [String] { events.all }
}
