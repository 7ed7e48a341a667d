import Foundation
import PersistentObjects

/// The classes of a version of the program.
struct ModelVersion {
    let number: Int
    let types: [PersistentObject.Type]
    let classes: [ModelClass]
    /// Reads all objects in the current session.
    let all: () throws -> [any Numbered]
    let find: (ModelKind, Int) throws -> (any Numbered)?
    /// The numbers of things with a count, according to two queries and a finder.
    let counted: (Int) throws -> [Int]
    let deleteCounted: (Int) throws -> Int
    let updateCounted: (Int, Int) throws -> Int

    func of(_ kind: ModelKind) -> ModelClass { classes[kind.rawValue] }

    func kind(of object: PersistentObject) -> ModelKind? {
        switch object {
        case is V1.Special, is V2.Special: .special
        case is V1.Thing, is V2.Thing: .thing
        case is V1.Owner, is V2.Owner: .owner
        case is V1.Badge, is V2.Badge: .badge
        case is V1.Part, is V2.Part: .part
        default: nil
        }
    }

    static var first: ModelVersion {
        ModelVersion(
            number: 1, types: [V1.Thing.self, V1.Special.self, V1.Owner.self, V1.Badge.self, V1.Part.self],
            classes: [
                ModelClass(.thing, { V1.Thing() }, thing(V1.Thing.self)),
                ModelClass(
                    .special, { V1.Special() },
                    thing(V1.Thing.self) + [
                        ModelAccesses<V1.Special>().scalar(.extra, { $0.extra }, { $0.extra = $1 }),
                        special({ (special: V1.Special) in special.list }, { $0.list = $1 }),
                        parts({ (special: V1.Special) in special.parts }, { $0.parts = $1 }),
                    ]),
                ModelClass(.owner, { V1.Owner() }, owner(V1.Owner.self)),
                ModelClass(.badge, { V1.Badge() }, badge(V1.Badge.self)),
                ModelClass(.part, { V1.Part() }, part(V1.Part.self)),
            ],
            all: { try V1.Thing.all() + V1.Owner.all() + V1.Badge.all() + V1.Part.all() },
            find: { kind, number in
                switch kind {
                case .thing: try V1.Thing.findFirstBy.number(number)
                case .special: try V1.Special.findFirstBy.number(number)
                case .owner: try V1.Owner.findFirstBy.number(number)
                case .badge: try V1.Badge.findFirstBy.number(number)
                case .part: try V1.Part.findFirstBy.number(number)
                }
            },
            counted: { count in
                let query = V1.Thing.where { $0.count == count }
                let finder: Int = try V1.Thing.countByCount(count)
                return [try query.count(), finder, try query.order(by: \.number).all().count]
            },
            deleteCounted: { try V1.Thing.deleteBy.count($0) },
            updateCounted: { old, new in try V1.Thing.where { $0.count == old }.update { $0.count = new } })
    }

    static var second: ModelVersion {
        ModelVersion(
            number: 2, types: [V2.Thing.self, V2.Special.self, V2.Owner.self, V2.Badge.self, V2.Part.self],
            classes: [
                ModelClass(.thing, { V2.Thing() }, thing(V2.Thing.self, maybe: "maybeText") + [rank]),
                ModelClass(
                    .special, { V2.Special() },
                    thing(V2.Thing.self, maybe: "maybeText") + [
                        rank, special({ (special: V2.Special) in special.list }, { $0.list = $1 }),
                        parts({ (special: V2.Special) in special.parts }, { $0.parts = $1 }),
                    ]),
                ModelClass(.owner, { V2.Owner() }, owner(V2.Owner.self)),
                ModelClass(.badge, { V2.Badge() }, badge(V2.Badge.self)),
                ModelClass(.part, { V2.Part() }, part(V2.Part.self)),
            ],
            all: { try V2.Thing.all() + V2.Owner.all() + V2.Badge.all() + V2.Part.all() },
            find: { kind, number in
                switch kind {
                case .thing: try V2.Thing.findFirstBy.number(number)
                case .special: try V2.Special.findFirstBy.number(number)
                case .owner: try V2.Owner.findFirstBy.number(number)
                case .badge: try V2.Badge.findFirstBy.number(number)
                case .part: try V2.Part.findFirstBy.number(number)
                }
            },
            counted: { count in
                let query = V2.Thing.where { $0.count == count }
                let finder: Int = try V2.Thing.countByCount(count)
                return [try query.count(), finder, try query.order(by: \.number).all().count]
            },
            deleteCounted: { try V2.Thing.deleteBy.count($0) },
            updateCounted: { old, new in try V2.Thing.where { $0.count == old }.update { $0.count = new } })
    }

    private static var rank: ModelAccess {
        ModelAccesses<V2.Thing>().scalar(.rank, { $0.rank }, { $0.rank = $1 ?? 0 })
    }
}

// The classes' properties.
extension ModelVersion {
    private static func thing<T: ThingShape>(_ type: T.Type, maybe: String = "maybe") -> [ModelAccess] {
        let make = ModelAccesses<T>()
        return [
            make.scalar(.count, { $0.count }, { $0.count = $1 ?? 0 }),
            make.scalar(.maybe, named: maybe, { $0.maybe }, { $0.maybe = $1 }),
            make.scalar(.text, { ModelCode.text($0.text) }, { $0.text = ModelCode.text($1 ?? 0) }),
            make.scalar(.real, { ModelCode.real($0.real) }, { $0.real = ModelCode.real($1 ?? 0) }),
            make.scalar(.flag, { $0.flag ? 1 : 0 }, { $0.flag = $1 == 1 }),
            make.scalar(.date, { $0.date.map { ModelCode.date($0) } }, { $0.date = $1.map { ModelCode.date($0) } }),
            make.scalar(.data, { ModelCode.data($0.data) }, { $0.data = ModelCode.data($1 ?? 0) }),
            make.scalar(.uuid, { $0.uuid.map { ModelCode.uuid($0) } }, { $0.uuid = $1.flatMap { ModelCode.uuid($0) } }),
            make.scalar(.status, { ModelCode.status($0.status) }, { $0.status = ModelCode.status($1 ?? 0) }),
            make.scalar(.address, { ModelCode.address($0.address) }, { $0.address = ModelCode.address($1 ?? 0) }),
            make.scalar(.key, { $0.key }, { $0.key = $1 }),
            make.values(
                .tags, { .list($0.tags.map { ModelCode.tag($0) }) },
                { $0.tags = $1.elements.map { ModelCode.tag($0) } }),
            make.values(
                .numbers, { $0.numbers.map { .set($0) } ?? ModelValue.null },
                { $0.numbers = if case .set(let numbers) = $1 { numbers } else { nil } }),
            make.values(.marks, { .table(keyed($0.marks) { ModelCode.real($0) }) }) {
                $0.marks = if case .table(let marks) = $1 { named(marks) { ModelCode.real($0) } } else { [:] }
            },
        ] + links(type)
    }

    private static func links<T: ThingShape>(_ type: T.Type) -> [ModelAccess] {
        let make = ModelAccesses<T>()
        return [
            make.reference(.next, { $0.next }, { $0.next = $1 }),
            ModelAccess(
                field: .lazyNext, name: "lazyNext",
                get: { object, loading in
                    guard let thing = object as? T, loading || thing.isLazyNextLoaded else { return nil }
                    return thing.lazyNext.map { .one($0.number) } ?? .null
                },
                set: { object, value, find in
                    guard let thing = object as? T else { return }
                    let present = thing.lazyNext
                    thing.lazyNext = value.elements.first.flatMap {
                        $0 == present?.number ? present : find($0) as? T.Node
                    }
                }),
            make.links(.friends, { $0.friends }, { .list($0.friends.map(\.number)) }) { thing, value, find in
                thing.friends = value.elements.compactMap(find)
            },
            make.links(.circle, { Array($0.circle) }, { .set(Set($0.circle.map(\.number))) }) { thing, value, find in
                thing.circle = Set(value.elements.compactMap(find))
            },
            make.links(
                .table, { $0.table.map { Array($0.values) } ?? [] },
                { $0.table.map { .table(keyed($0) { $0.number }) } ?? ModelValue.null }
            ) { thing, value, find in
                guard case .table(let table) = value else { return thing.table = nil }
                thing.table = named(table.compactMapValues(find)) { $0 }
            },
            make.reference(.part, { $0.part }, { $0.part = $1 }),
            make.reference(.keeper, { $0.keeper }, { $0.keeper = $1 }),
            make.reference(.owner, { $0.owner }, { $0.owner = $1 }),
        ]
    }

    private static func owner<T: OwnerShape>(_ type: T.Type) -> [ModelAccess] {
        [
            ModelAccesses<T>().scalar(
                .name, { ModelCode.text($0.name) }, { $0.name = ModelCode.text($1 ?? 0) })
        ]
    }

    private static func badge<T: BadgeShape>(_ type: T.Type) -> [ModelAccess] {
        [ModelAccesses<T>().reference(.badgeOwner, named: "owner", { $0.owner }, { $0.owner = $1 })]
    }

    private static func part<T: PartShape>(_ type: T.Type) -> [ModelAccess] {
        [ModelAccesses<T>().scalar(.size, { $0.sizeCode }, { $0.sizeCode = $1 ?? 0 })]
    }

    private static func special<T: Numbered>(_ get: @escaping (T) -> [Int]?, _ set: @escaping (T, [Int]?) -> Void)
        -> ModelAccess
    {
        ModelAccesses<T>().values(.list, { get($0).map { .list($0) } ?? ModelValue.null }) { object, value in
            set(object, value == .null ? nil : value.elements)
        }
    }

    private static func parts<T: Numbered, N: Numbered>(
        _ get: @escaping (T) -> [N], _ set: @escaping (T, [N]) -> Void
    ) -> ModelAccess {
        ModelAccesses<T>().links(.parts, get, { .list(get($0).map(\.number)) }) { object, value, find in
            set(object, value.elements.compactMap(find))
        }
    }

    private static func keyed<V>(_ table: [String: V], _ value: (V) -> Int) -> [Int: Int] {
        Dictionary(table.map { (ModelCode.tag($0.key), value($0.value)) }) { first, _ in first }
    }

    private static func named<V, W>(_ table: [Int: V], _ value: (V) -> W) -> [String: W] {
        Dictionary(table.map { (ModelCode.tag($0.key), value($0.value)) }) { first, _ in first }
    }
}
