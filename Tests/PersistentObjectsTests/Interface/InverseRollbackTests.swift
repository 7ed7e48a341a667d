import PersistentObjects
import TestSupport
import Testing

/// Inverses of all types: loaded, changed in a transaction, rolled back and then saved.
@Suite struct InverseRollbackTests {
    final class Owner: PersistentObject {
        override class var tableName: String { "rollback_owner" }
        var name = ""
        @Inverse(\Item.owner) var list: [Item]
        @Inverse(\Item.owner) var set: Set<Item>
        @Inverse(\Item.owner, order: .by(\.age)) var sorted: [Item]
        @Inverse(\Item.owner, where: { $0.age > 5 }) var old: [Item]
        @Inverse(\Item.owner, where: { $0.age > 5 }, order: .by(\.age, .descending)) var oldSorted: [Item]
        @Inverse(\Item.owner, where: { $0.age <= 5 }) var young: Set<Item>
        @Inverse(\Item.owner, where: { $0.age > 11 }) var eldest: Item?
        @Inverse(\Item.keeper) var kept: Item?
        @Inverse(\Item.friends) var befriended: [Item]
        @Inverse(\Item.friends, where: { $0.age > 5 }, order: .by(\.age)) var oldFriends: [Item]
        @Inverse(\Item.watchers) var watched: Set<Item>
        @Inverse(\Item.watchers, order: .by(\.age)) var watchedSorted: [Item]

        /// The ids in all inverses. Without `ordered`, ids are sorted in inverses that have no order or that keep the
        /// order in which they were loaded.
        func inverses(ordered: Bool) -> [String: [Int64]] {
            func ids(_ items: some Sequence<Item>) -> [Int64] { items.map { $0.id ?? 0 } }
            var all = [
                "list": ids(list), "set": ids(set).sorted(), "old": ids(old), "young": ids(young).sorted(),
                "oldSorted": ids(oldSorted), "eldest": ids([eldest].compactMap(\.self)),
                "kept": ids([kept].compactMap(\.self)), "befriended": ids(befriended).sorted(),
                "oldFriends": ids(oldFriends), "watched": ids(watched).sorted(), "sorted": ids(sorted),
                "watchedSorted": ids(watchedSorted),
            ]
            guard !ordered else { return all }
            for name in ["list", "sorted", "watchedSorted"] { all[name]?.sort() }
            return all
        }
    }

    final class Item: PersistentObject {
        override class var tableName: String { "rollback_item" }
        var age = 7
        var owner: Owner?
        @Unique var keeper: Owner?
        var friends: [Owner] = []
        var watchers: Set<Owner> = []
    }

    private struct Stop: Error {}

    /// A random program on two owners and five items.
    private struct Run {
        let session: Session
        var generator: SeededGenerator
        var owners: [Owner] = []
        var items: [Item] = []

        init(_ session: Session, seed: UInt64) throws {
            self.session = session
            generator = SeededGenerator(seed: seed)
            owners = [Owner(), Owner()]
            items = [10, 11, 12, 1, 2].map { age in
                let item = Item()
                item.age = age
                item.owner = owners[0]
                return item
            }
            items[2].keeper = owners[0]
            (items[0].friends, items[4].friends) = (owners, [owners[1]])
            (items[0].watchers, items[3].watchers) = ([owners[0]], Set(owners))
            try session.save(owners)
            try session.save(items)
        }

        private mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &generator)] }

        mutating func edit() {
            let item = pick(items)
            let owner = pick(owners)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1, 2: item.age = Int.random(in: 0..<20, using: &generator)
            case 3: item.owner = pick([nil, owner])
            case 4:
                for other in items where other.keeper === owner { other.keeper = nil }
                item.keeper = owner
            case 5: item.friends = pick([[], [owner], owners])
            case 6: item.watchers = pick([[], [owner], Set(owners)])
            default: owner.name += "x"
            }
        }

        /// Reads some or all of the inverses.
        mutating func read() {
            let owner = pick(owners)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: _ = owner.old.count
            case 1: _ = owner.sorted.count + owner.oldSorted.count
            case 2: _ = owner.oldFriends.count + owner.watchedSorted.count
            case 3: _ = owner.eldest
            default: for owner in owners { _ = owner.inverses(ordered: true) }
            }
        }

        /// Runs some steps of a transaction, which may contain nested transactions.
        mutating func steps(depth: Int) throws {
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                switch Int.random(in: 0..<9, using: &generator) {
                case 0, 1:
                    edit()
                    try session.saveChanges()
                case 2: edit()
                case 3, 4:
                    try session.saveChanges()
                    read()
                case 5: _ = try pick([true, false]) ? Item.all().count : Owner.all().count
                case 6: _ = try Owner.query.including(\.sorted).including(\.old).all()
                default:
                    guard depth < 2 else { continue }
                    try session.saveChanges()
                    let fails = pick([true, true, false])
                    do {
                        try session.transaction {
                            try steps(depth: depth + 1)
                            try session.saveChanges()
                            if fails { throw Stop() }
                        }
                    } catch is Stop {}
                }
            }
        }
    }

    @Test(arguments: SeededGenerator.seeds(400))
    func `inverses equal the file after a rollback and a later save`(seed: UInt64) throws {
        try withTemporarySession(.init(onNote: { _ in })) { session, _ in
            var run = try Run(session, seed: seed)
            for owner in run.owners { _ = owner.inverses(ordered: true) }
            let before = run.owners.map { $0.inverses(ordered: true) }
            let fails = seed % 3 != 0
            do {
                try session.transaction {
                    try run.steps(depth: 0)
                    if fails { throw Stop() }
                }
            } catch is Stop {}
            if fails { try session.revert() } else { try session.saveChanges() }
            // In half of the runs, the inverses are not read between the rollback and the save.
            if fails, seed % 2 == 0 { #expect(run.owners.map { $0.inverses(ordered: true) } == before, "seed \(seed)") }
            for _ in 0..<2 {
                run.edit()
                try session.saveChanges()
                let now = run.owners.map { $0.inverses(ordered: false) }
                try session.store.withSession { _ in
                    let file = try run.owners.map { try Owner.findOnlyBy.id($0.id ?? 0).inverses(ordered: false) }
                    #expect(now == file, "seed \(seed)")
                }
            }
        }
    }

    @Test func `an object that a rollback restored in an inverse is released later`() throws {
        try withTemporarySession { session, _ in
            let owner = Owner()
            weak var item: Item?
            try {
                let made = Item()
                made.owner = owner
                try made.save()
                item = made
                #expect(owner.list == [made] && owner.old == [made])
                do {
                    try session.transaction {
                        made.owner = nil
                        try made.save()
                        #expect(owner.list.isEmpty && owner.old.isEmpty)
                        owner.name = "x"
                        try owner.save()
                        throw Stop()
                    }
                } catch is Stop {}
                #expect(owner.list == [made])
            }()
            for _ in 0..<400 { _ = try Owner.where { $0.name == "none" }.all() }
            #expect(item == nil)
        }
    }
}
