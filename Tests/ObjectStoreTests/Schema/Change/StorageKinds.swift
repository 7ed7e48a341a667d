import TestSupport
import Testing

@testable import PersistentObjects

/// A class with one property, in one of the forms in which its values are stored; all of them use the same table.
protocol Holder: PersistentObject, Persistent {
    associatedtype Held: Equatable & Sendable
    var held: Held { get set }
    init()
}

/// A version of the property, in a root class and in a subclass.
enum Kept<Held: Equatable & Sendable & HasStart> {
    final class Box: PersistentObject, Holder {
        override class var tableName: String { "kept" }
        var value = Held.start
        var held: Held {
            get { value }
            set { value = newValue }
        }
    }
    class Root: PersistentObject {
        override class var tableName: String { "kept" }
        var number = 0
    }
    final class Leaf: Root, Holder {
        var value = Held.start
        var held: Held {
            get { value }
            set { value = newValue }
        }
    }
}

/// The same subclass with a renamed property; both subclasses have the same name.
enum KeptRenamed<Held: Equatable & Sendable & HasStart> {
    class Root: PersistentObject {
        override class var tableName: String { "kept" }
        var number = 0
    }
    final class Leaf: Root, Holder {
        @Column("other", renamedFrom: "value") var other = Held.start
        var held: Held {
            get { other }
            set { other = newValue }
        }
    }
}

/// A type with an initial value.
protocol HasStart { static var start: Self { get } }

extension Int: HasStart { static var start: Int { 0 } }
extension Double: HasStart { static var start: Double { 3.5 } }
extension String: HasStart { static var start: String { "new" } }
extension Array: HasStart { static var start: [Element] { [] } }
extension Set: HasStart { static var start: Set<Element> { [] } }
extension Dictionary: HasStart { static var start: [Key: Value] { [:] } }
extension Optional: HasStart { static var start: Wrapped? { nil } }

/// Changes a file from one version of a class to another.
enum StorageKinds {
    /// Reads the rows of one version with another: makes a plan, runs it, and verifies that nothing is left to do.
    static func change<From: Holder, To: Holder>(
        _ values: [From.Held], _ from: From.Type, _ to: To.Type, _ wanted: [To.Held],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try TemporaryStore()
        try fill(file, values, from)
        try open(file) { store in
            let plan = try store.schemaPlan(for: [to])
            // The only loss that is allowed is nil that becomes a value.
            expect(plan.losses.filter { !$0.hasPrefix("nil in column") }, [], sourceLocation: sourceLocation)
            try store.run(plan)
            let left = try store.schemaPlan(for: [to])
            #expect(left.isEmpty, "\(left)", sourceLocation: sourceLocation)
        }
        for _ in 0..<2 {
            try open(file) { store in
                try store.withSession { _ throws in
                    let found = try To.query.order(by: \.id).all().map(\.held)
                    expect(found, wanted, "\(From.self) to \(To.self)", sourceLocation: sourceLocation)
                }
                let problems = try store.checkIntegrity().problems
                #expect(problems.isEmpty, "\(problems)", sourceLocation: sourceLocation)
            }
        }
    }

    /// Verifies that the change is refused because of a row's value, and that the file is unchanged.
    static func refuse<From: Holder, To: Holder>(
        _ values: [From.Held], _ from: From.Type, _ to: To.Type, row: Int64, _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try TemporaryStore()
        try fill(file, values, from)
        let before = try file.sqlite(".dump")
        let error = #expect(throws: SchemaError.self, sourceLocation: sourceLocation) {
            try open(file) { try $0.prepare([to]) }
        }
        guard case .notConvertible(_, _, row, _, _, let found)? = error, found.contains(reason) else {
            Issue.record("another error: \(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        try expect(file.sqlite(".dump"), before, sourceLocation: sourceLocation)
    }

    static func fill<From: Holder>(_ file: TemporaryStore, _ values: [From.Held], _: From.Type) throws {
        try open(file) { store in
            try store.withSession { _ throws in
                for value in values {
                    let object = From()
                    object.held = value
                    try object.save()
                }
            }
        }
    }

    static func open(_ file: TemporaryStore, _ body: (Store) throws -> Void) throws {
        let store = try Store(file.path)
        defer { store.close() }
        try body(store)
    }

    /// Makes the change in a root class and in a subclass, with the same name and with a new name.
    static func change<From, To>(
        all values: [From], to wanted: [To], sourceLocation: SourceLocation = #_sourceLocation
    ) throws where From: Equatable & Sendable & HasStart, To: Equatable & Sendable & HasStart {
        try change(values, Kept<From>.Box.self, Kept<To>.Box.self, wanted, sourceLocation: sourceLocation)
        try change(values, Kept<From>.Leaf.self, Kept<To>.Leaf.self, wanted, sourceLocation: sourceLocation)
        try change(values, Kept<From>.Leaf.self, KeptRenamed<To>.Leaf.self, wanted, sourceLocation: sourceLocation)
        try change(values, Kept<From>.Box.self, RenamedBox<To>.Box.self, wanted, sourceLocation: sourceLocation)
    }

    static func refuse<From, To>(
        all values: [From], to _: To.Type, row: Int64, _ reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws where From: Equatable & Sendable & HasStart, To: Equatable & Sendable & HasStart {
        try refuse(
            values, Kept<From>.Box.self, Kept<To>.Box.self, row: row, reason, sourceLocation: sourceLocation)
        try refuse(
            values, Kept<From>.Leaf.self, Kept<To>.Leaf.self, row: row, reason, sourceLocation: sourceLocation)
        try refuse(
            values, Kept<From>.Leaf.self, KeptRenamed<To>.Leaf.self, row: row, reason,
            sourceLocation: sourceLocation)
        try refuse(
            values, Kept<From>.Box.self, RenamedBox<To>.Box.self, row: row, reason, sourceLocation: sourceLocation)
    }
}

/// The root class with a renamed property.
enum RenamedBox<Held: Equatable & Sendable & HasStart> {
    final class Box: PersistentObject, Holder {
        override class var tableName: String { "kept" }
        @Column("other", renamedFrom: "value") var other = Held.start
        var held: Held {
            get { other }
            set { other = newValue }
        }
    }
}
