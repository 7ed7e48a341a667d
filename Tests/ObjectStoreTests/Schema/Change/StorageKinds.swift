import TestSupport
import Testing

@testable import PersistentObjects

/// A class with one property, in one of the ways in which its values are stored; all have one table.
protocol Holder: PersistentObject, Persistent {
    associatedtype Held: Equatable & Sendable
    var held: Held { get set }
    init()
}

/// One version of the property: in a root class and in a subclass.
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

/// The same subclass under a new name of the property; its class has the same name as the other.
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

/// A value that a new object has.
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
    /// The rows of one version are read by another: planned, run, and then with nothing left to do.
    static func change<From: Holder, To: Holder>(
        _ values: [From.Held], _ from: From.Type, _ to: To.Type, _ wanted: [To.Held],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = try TemporaryStore()
        try fill(file, values, from)
        try open(file) { store in
            let plan = try store.schemaPlan(for: [to])
            // That nil becomes a value is all that may be lost.
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

    /// The change is refused for the value of a row, and the file is as it was.
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

    /// In a root class and in a subclass, under the same name and under a new one.
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

/// The root class under a new name of the property.
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
