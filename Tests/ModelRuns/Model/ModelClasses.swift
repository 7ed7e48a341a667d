import Foundation
import PersistentObjects

/// A class of the runs. The number identifies the object in the model, and never changes.
protocol Numbered: PersistentObject {
    var number: Int { get set }
}

enum ModelStatus: String { case zero, one, two, three }

/// A `Codable` value.
struct ModelAddress: Codable, Hashable {
    var city = "0"
    var floors: [Int] = []
}

/// The classes of the first version of a program.
enum V1 {
    class Thing: PersistentObject, ThingShape {
        override class var tableName: String { "model_thing" }
        @Indexed var number = 0
        var count = 0
        var maybe: Int?
        var text = ""
        var real = 0.0
        var flag = false
        var date: Date?
        var data = Data()
        var uuid: UUID?
        var status = ModelStatus.zero
        var address = ModelAddress()
        @Unique var key: Int?
        var tags: [String] = []
        var numbers: Set<Int>?
        var marks: [String: Double] = [:]
        var next: Thing?
        @Lazy var lazyNext: Thing?
        var friends: [Thing] = []
        var circle: Set<Thing> = []
        var table: [String: Thing]?
        @OnDelete(.cascade) var part: Part?
        @OnDelete(.deny) var keeper: Owner?
        var owner: Owner?
        @Inverse(\Thing.next) var previous: [Thing]
        var isLazyNextLoaded: Bool { $lazyNext.isLoaded }
    }

    final class Special: Thing {
        var extra: Int?
        var list: [Int]?
        @OnDelete(.cascade) var parts: [Part] = []
    }

    final class Owner: PersistentObject, OwnerShape {
        override class var tableName: String { "model_owner" }
        @Indexed var number = 0
        var name = ""
        @Inverse(\Thing.owner) var things: [Thing]
        @Inverse(\Badge.owner, onDelete: .cascade) var badges: [Badge]
    }

    final class Badge: PersistentObject, BadgeShape {
        override class var tableName: String { "model_badge" }
        @Indexed var number = 0
        var owner: Owner?
    }

    final class Part: PersistentObject, PartShape {
        override class var tableName: String { "model_part" }
        @Indexed var number = 0
        var size = 0
    }
}

/// The classes of the next version, with properties that are renamed, new, removed, or of another type.
enum V2 {
    class Thing: PersistentObject, ThingShape {
        override class var tableName: String { "model_thing" }
        @Indexed var number = 0
        var count = 0
        @Column("perhaps", renamedFrom: "maybe") var maybeText: String?
        @Column("title", renamedFrom: "text") var text = ""
        var real = 0.0
        var flag = false
        var date: Date?
        var data = Data()
        var uuid: UUID?
        var status = ModelStatus.zero
        var address = ModelAddress()
        @Unique var key: Int?
        var rank = 3
        var tags: [String] = []
        var numbers: Set<Int>?
        var marks: [String: Double] = [:]
        var next: Thing?
        @Lazy var lazyNext: Thing?
        var friends: [Thing] = []
        var circle: Set<Thing> = []
        var table: [String: Thing]?
        @OnDelete(.cascade) var part: Part?
        @OnDelete(.deny) var keeper: Owner?
        var owner: Owner?
        @Inverse(\Thing.next) var previous: [Thing]
        var isLazyNextLoaded: Bool { $lazyNext.isLoaded }
        var maybe: Int? {
            get { maybeText.map { Int($0) ?? -1 } }
            set { maybeText = newValue.map { "\($0)" } }
        }
    }

    final class Special: Thing {
        var list: [Int]?
        @OnDelete(.cascade) var parts: [Part] = []
    }

    final class Owner: PersistentObject, OwnerShape {
        override class var tableName: String { "model_owner" }
        @Indexed var number = 0
        @Column("label", renamedFrom: "name") var name = ""
        @Inverse(\Thing.owner) var things: [Thing]
        @Inverse(\Badge.owner, onDelete: .cascade) var badges: [Badge]
    }

    final class Badge: PersistentObject, BadgeShape {
        override class var tableName: String { "model_badge" }
        @Indexed var number = 0
        var owner: Owner?
    }

    final class Part: PersistentObject, PartShape {
        override class var tableName: String { "model_part" }
        @Indexed var number = 0
        var size = 0.0
    }
}

extension V1.Part {
    var sizeCode: Int {
        get { size }
        set { size = newValue }
    }
}
extension V2.Part {
    var sizeCode: Int {
        get { Int(size) }
        set { size = Double(newValue) }
    }
}

/// The common properties of both versions of a class.
protocol ThingShape: Numbered {
    associatedtype Node: Numbered
    associatedtype Holder: Numbered
    associatedtype Piece: Numbered
    var count: Int { get set }
    var maybe: Int? { get set }
    var text: String { get set }
    var real: Double { get set }
    var flag: Bool { get set }
    var date: Date? { get set }
    var data: Data { get set }
    var uuid: UUID? { get set }
    var status: ModelStatus { get set }
    var address: ModelAddress { get set }
    var key: Int? { get set }
    var tags: [String] { get set }
    var numbers: Set<Int>? { get set }
    var marks: [String: Double] { get set }
    var next: Node? { get set }
    var lazyNext: Node? { get set }
    var friends: [Node] { get set }
    var circle: Set<Node> { get set }
    var table: [String: Node]? { get set }
    var part: Piece? { get set }
    var keeper: Holder? { get set }
    var owner: Holder? { get set }
    var previous: [Node] { get set }
    var isLazyNextLoaded: Bool { get }
}

protocol OwnerShape: Numbered {
    associatedtype Node: Numbered
    associatedtype Label: Numbered
    var name: String { get set }
    var things: [Node] { get set }
    var badges: [Label] { get set }
}

protocol BadgeShape: Numbered {
    associatedtype Holder: Numbered
    var owner: Holder? { get set }
}

protocol PartShape: Numbered {
    var sizeCode: Int { get set }
}
