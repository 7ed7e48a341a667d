import Foundation
import PersistentObjects

/// A class of a version of a program.
protocol Chained: PersistentObject {
    var tag: Int { get set }
    /// The contents of the object, by the names of the columns.
    var cells: [String: Content] { get }
    func fill(_ random: inout ModelRandom)
}

/// A class that refers to other objects.
protocol ChainedOwner: Chained {
    associatedtype Item: Chained
    func link(to item: Item?, _ items: [Item])
    /// The numbers of its reference, empty for nil, and of its list.
    var links: (first: [Int], all: [Int]) { get }
    static var isSet: Bool { get }
}

/// A class with a reference and a list.
protocol ChainedPair: ChainedOwner {
    var item: Item? { get set }
    var items: [Item] { get set }
}

extension ChainedPair {
    static var isSet: Bool { false }
    var links: (first: [Int], all: [Int]) { (item.map { [$0.tag] } ?? [], items.map(\.tag)) }
    func link(to item: Item?, _ items: [Item]) { (self.item, self.items) = (item, items) }
}

/// The options of classes.
protocol ChainOptions {
    static var keepsHistory: Bool { get }
    static var identity: PersistentObject.Identity { get }
}

enum Bare: ChainOptions {
    static let keepsHistory = false
    static let identity = PersistentObject.Identity.integer
}

enum Historic: ChainOptions {
    static let keepsHistory = true
    static let identity = PersistentObject.Identity.integer
}

enum Keyed: ChainOptions {
    static let keepsHistory = false
    static let identity = PersistentObject.Identity.uuid
}

extension ShapeValue {
    /// A random value, mostly one that can be converted to other types.
    static func chained(_ random: inout ModelRandom) -> Self {
        let kinds: [RowKind] = [.tame, .tame, .tame, .tame, .tame, .tame, .empty, .none]
        let kind = random.isOne(in: 20) ? .wild : kinds[random.below(8)]
        let texts = ["2026-11-22T17:06:31Z", "{\"n\":1,\"s\":\"y\"}", "true"]
        let text = random.isOne(in: 12) ? texts[random.below(3)] : ["12", "1", "7"][random.below(3)]
        return value(kind, like: text, &random) ?? start
    }
}

// MARK: A separate class that refers to the hierarchy

enum OwnPlain<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        var a = A.start
        var b = B.start
        var item: T?
        var items: [T] = []
        var cells: [String: Content] { ["a": a.content, "b": b.content] }
        func fill(_ random: inout ModelRandom) { (a, b) = (.chained(&random), .chained(&random)) }
    }
}

/// The class with one property less, whose column stays in the file.
enum OwnShort<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        @Indexed var a = A.start
        @Indexed var item: T?
        var items: [T] = []
        var cells: [String: Content] { ["a": a.content] }
        func fill(_ random: inout ModelRandom) { a = .chained(&random) }
    }
}

/// The class with additional searchable and embedded properties.
enum OwnSearched<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        @Searchable var note = "dflt"
        @Embedded var place = Compound()
        var a = A.start
        var b = B.start
        @OnDelete(.cascade) var item: T?
        var items: [T] = []
        var cells: [String: Content] {
            ["a": a.content, "b": b.content, "note": note.content, "place": place.content]
        }
        func fill(_ random: inout ModelRandom) {
            (a, b) = (.chained(&random), .chained(&random))
            (note, place) = (.chained(&random), .chained(&random))
        }
    }
}

/// The class with the same properties in other forms.
enum OwnFormed<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        @Indexed var note: String? = "dflt"
        @Embedded var place: Compound? = Compound()
        @Searchable var word: String?
        var a = A.start
        @Indexed var b = B.start
        @OnDelete(.deny) var item: T?
        var items: [T] = []
        var cells: [String: Content] {
            ["a": a.content, "b": b.content, "note": note.content, "place": place.content, "word": word.content]
        }
        func fill(_ random: inout ModelRandom) {
            (a, b) = (.chained(&random), .chained(&random))
            (note, place, word) = (.chained(&random), .chained(&random), .chained(&random))
        }
    }
}

/// The class with a list instead of the reference, and a set instead of the list.
enum OwnMany<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedOwner {
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        static var isSet: Bool { true }
        var tag = 0
        var a = A.start
        var b = B.start
        var item: [T] = []
        var items: Set<T> = []
        var cells: [String: Content] { ["a": a.content, "b": b.content] }
        var links: (first: [Int], all: [Int]) { (item.map(\.tag), items.map(\.tag).sorted()) }
        func fill(_ random: inout ModelRandom) { (a, b) = (.chained(&random), .chained(&random)) }
        func link(to item: T?, _ items: [T]) { (self.item, self.items) = (item.map { [$0] } ?? [], Set(items)) }
    }
}

enum OwnRenamed<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Owner: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "owner" }
        override class var formerTableNames: [String] { ["own"] }
        override class var formerNames: [String] { ["Own"] }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        @Column("x", renamedFrom: "a") var x = A.start
        @Column("y", renamedFrom: "b") var y = B.start
        @Column("thing_id", renamedFrom: "item_id") var item: T?
        @Column("things", renamedFrom: "items") var items: [T] = []
        var cells: [String: Content] { ["x": x.content, "y": y.content] }
        func fill(_ random: inout ModelRandom) { (x, y) = (.chained(&random), .chained(&random)) }
    }
}

enum OwnExchanged<A: ShapeValue, B: ShapeValue, O: ChainOptions, T: Chained> {
    final class Own: PersistentObject, ChainedPair {
        typealias Item = T
        override class var tableName: String { "own" }
        override class var identity: Identity { O.identity }
        override class var keepsHistory: Bool { O.keepsHistory }
        var tag = 0
        @Column("a", renamedFrom: "b") var a = A.start
        @Column("b", renamedFrom: "a") var b = B.start
        var item: T?
        var items: [T] = []
        var cells: [String: Content] { ["a": a.content, "b": b.content] }
        func fill(_ random: inout ModelRandom) { (a, b) = (.chained(&random), .chained(&random)) }
    }
}
