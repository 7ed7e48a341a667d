import TestSupport
import Testing

@testable import PersistentObjects

/// A model of a graph next to the objects of a session, with a log of the operations on both.
final class GraphRun {
    typealias Record = [GraphField: GraphValue]

    /// An unsaved edit of an inverse, which the save applies to the other side.
    struct Pending {
        let owner: Int
        let field: GraphField
        let other: Int
        let isAdded: Bool
    }

    struct Failure: Error { let description: String }

    var random: SeededGenerator
    var nextKey = 1
    var kinds: [Int: GraphKind] = [:]
    /// The contents of the objects, and the contents of the file for saved objects.
    var memory: [Int: Record] = [:]
    var file: [Int: Record] = [:]
    var pending: [Pending] = []
    var objects: [Int: PersistentObject] = [:]
    var log: [String] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }
    func expect(_ isRight: Bool, _ text: @autoclosure () -> String) throws {
        if !isRight { throw Failure(description: text()) }
    }

    /// The keys of the objects of a class; a leaf is also a node.
    func keys(_ kind: GraphKind) -> [Int] {
        kinds.filter { $0.value == kind || kind == .node && $0.value == .leaf }.keys.sorted()
    }

    func pick(_ kind: GraphKind) -> Int? { keys(kind).randomElement(using: &random) }
    func isLocked(_ key: Int, _ field: GraphField) -> Bool { pending.contains { $0.other == key && $0.field == field } }
    func isDirty(_ key: Int) -> Bool { file[key] != memory[key] || pending.contains { $0.owner == key } }

    // MARK: Model rules

    /// Applies the pending edits of owners that a save has written.
    func applyPending() {
        let done = pending.filter { objects[$0.owner]?.hasChanges == false }
        pending.removeAll { objects[$0.owner]?.hasChanges == false }
        for edit in done where !edit.isAdded { apply(edit) }
        for edit in done where edit.isAdded { apply(edit) }
    }

    private func apply(_ edit: Pending) {
        switch memory[edit.other]?[edit.field] {
        case .reference(let old):
            if edit.isAdded {
                memory[edit.other]?[edit.field] = .reference(edit.owner)
            } else if old == edit.owner {
                memory[edit.other]?[edit.field] = .reference(nil)
            }
        case .array(let keys):
            let others = keys?.filter { $0 != edit.owner } ?? []
            if !edit.isAdded {
                memory[edit.other]?[edit.field] = .array(others)
            } else {
                memory[edit.other]?[edit.field] = .array((keys ?? []) + [edit.owner])
            }
        default: break
        }
    }

    /// All objects that are deleted together with the given objects.
    func closure(_ start: Set<Int>) -> Set<Int> {
        var gone = start
        var next = Array(start)
        while let key = next.popLast() {
            var more: [Int] = []
            if case .reference(let part?)? = file[key]?[.part] { more.append(part) }
            more += parts(key)
            if kinds[key] == .owner { more += keys(.badge).filter { file[$0]?[.badgeOwner] == .reference(key) } }
            for key in more where gone.insert(key).inserted { next.append(key) }
        }
        return gone
    }

    /// The parts that a club owns in the file.
    func parts(_ club: Int) -> [Int] {
        [GraphField.parts, .spares].flatMap { field -> [Int] in
            if case .array(let parts?)? = file[club]?[field] { parts } else { [] }
        }
    }

    func forget(_ gone: Set<Int>) {
        for key in gone {
            kinds[key] = nil
            memory[key] = nil
            file[key] = nil
            objects[key] = nil
        }
        for key in memory.keys {
            for field in kinds[key]?.fields ?? [] where field.target != nil {
                let (here, there) = (memory[key]?[field]?.without(gone), file[key]?[field]?.without(gone))
                memory[key]?[field] = here
                file[key]?[field] = there
            }
        }
    }

    // MARK: Comparing

    /// Compares the objects of a session with a model.
    func compare(_ objects: [Int: PersistentObject], _ model: [Int: Record], isComplete: Bool, _ what: String) throws {
        try expect(
            Set(objects.keys) == Set(model.keys),
            "\(what): objects \(objects.keys.sorted()), model \(model.keys.sorted())")
        for (key, object) in objects.sorted(by: { $0.key < $1.key }) {
            try expect(GraphKind.key(of: object) == key, "\(what): \(key) is \(object)")
            try expect(GraphKind.kind(of: object) == kinds[key], "\(what): \(key) is a \(type(of: object))")
            for field in kinds[key]?.fields ?? [] where isComplete || !field.isLazy {
                let value = field.value(of: object)
                let wanted = model[key]?[field] ?? field.initial
                try expect(value == wanted, "\(what): \(key).\(field) is \(value), model \(wanted)")
            }
            if isComplete { try compareInverses(object, key, model, what) }
        }
    }

    private func compareInverses(_ object: PersistentObject, _ key: Int, _ model: [Int: Record], _ what: String) throws
    {
        func check(_ name: String, _ objects: [PersistentObject], _ field: GraphField) throws {
            let found = objects.map(GraphKind.key).sorted()
            let wanted = model.filter { _, record in
                switch record[field] {
                case .reference(let other)?: other == key
                case .array(let others)?: others?.contains(key) ?? false
                default: false
                }
            }.keys.sorted()
            try expect(found == wanted, "\(what): inverse \(key).\(name) is \(found), model \(wanted)")
        }
        switch object {
        case let node as Graph.Node: try check("previous", node.previous, .next)
        case let owner as Graph.Owner:
            try check("nodes", owner.nodes, .owner)
            try check("clubs", owner.clubs, .members)
            try check("badge", owner.badge.map { [$0] } ?? [], .badgeOwner)
        default: break
        }
    }

    /// Checks the objects in memory, the file as a new session reads it, and the invariants.
    func check(_ session: Session) throws {
        let isClean = pending.isEmpty && memory == file
        try compare(objects, memory, isComplete: isClean && chance(2), "memory")
        for (key, object) in objects {
            try expect(object.isNew == (file[key] == nil), "\(key) is new: \(object.isNew)")
            if isDirty(key) { try expect(object.hasChanges, "\(key) has no changes") }
        }
        try session.store.withSession { other in
            var fresh: [Int: PersistentObject] = [:]
            for object in try GraphKind.all() { fresh[GraphKind.key(of: object)] = object }
            try compare(fresh, file, isComplete: true, "file")
            try expect(!fresh.values.contains { $0.hasChanges }, "a fetched object has changes")
            try invariants(other)
        }
        try invariants(session)
    }

    private func invariants(_ session: Session) throws {
        for identity in session.classes.allIdentities {
            if let broken = identity.brokenInvariant() { throw Failure(description: broken) }
        }
        let statement = try session.connection.statement("PRAGMA foreign_key_check")
        defer { statement.finish() }
        try expect(try !statement.step(), "a foreign key is broken")
    }
}
