import Foundation
import PersistentObjects

/// Chains of up to six versions of three classes on one file. Each version reads the objects of the earlier versions,
/// and writes objects for the next version.
///
/// Each step is a separate call, so that it can run in a separate process, which can be killed.
public struct ChainRun {
    let path: String
    let seed: UInt64
    /// Whether an older program must read and write exactly; otherwise it must not change any table.
    let isOlderExact: Bool

    public init(path: String, seed: UInt64, isOlderExact: Bool = false) {
        (self.path, self.seed, self.isOlderExact) = (path, seed, isOlderExact)
    }

    /// The outcome of a step.
    public enum Outcome: String, Codable, Sendable { case changed, refused }

    /// The number of versions of the chain.
    public var count: Int { 2 + Int(seed % 5) }

    /// The version of a step, which depends only on the seed and the accepted earlier steps.
    private func version(_ step: Int, after accepted: [Int]) -> ChainVersion {
        var random = ModelRandom(seed: seed)
        var draft = ChainVersion.Draft(&random)
        for number in 0..<step {
            var own = ModelRandom(seed: seed &* 64 &+ UInt64(number + 1))
            var next = draft
            next.change(&own)
            // A refused step does not become a version of the program.
            if number + 1 == step || accepted.contains(number + 1) { draft = next }
        }
        return ChainVersion(draft)
    }

    public func text(_ step: Int, after accepted: [Int]) -> String { version(step, after: accepted).text }

    private func withStore<R>(_ configuration: Store.Configuration = .init(), _ body: (Store) throws -> R) throws -> R {
        var configuration = configuration
        (configuration.durability, configuration.journal) = (.relaxed, .rollback)
        configuration.showsValuesInErrors = true
        configuration.onNote = { _ in }
        let store = try Store(path, configuration: configuration)
        defer { store.close() }
        return try body(store)
    }

    // MARK: Steps

    /// Only changes the file to a version, for a process that is killed.
    public func change(_ step: Int, after accepted: [Int]) throws {
        let version = version(step, after: accepted)
        try withStore { store in try store.run(try store.schemaPlan(for: version.classes)) }
    }

    /// Changes the file to a version, compares all objects, and changes some.
    ///
    /// - Throws: `ModelFailure` with the defect.
    public func step(_ step: Int, after accepted: [Int], _ state: ChainState) throws -> (Outcome, ChainState) {
        let version = version(step, after: accepted)
        func fail(_ text: String) -> ModelFailure {
            ModelFailure(description: "step \(step), \(version.text): \(text)")
        }
        let before = try? Data(contentsOf: URL(filePath: path))
        var losses: [String] = []
        var steps = ""
        do {
            try withStore { store in
                let plan = try store.schemaPlan(for: version.classes)
                losses = plan.losses
                steps = "\(plan)"
                try store.run(plan)
            }
        } catch  where error is StoreError || error is SchemaError {
            let text = "\(error)"
            if text.contains("SQLite code") { throw fail("not an error of the library's: \(text); \(steps)") }
            if try before != Data(contentsOf: URL(filePath: path)) {
                throw fail("refused, and the file has changed: \(text)")
            }
            return (.refused, state)
        }
        var state = state
        state.follow(version)
        try withStore { store in
            let left = try store.schemaPlan(for: version.classes)
            if !left.isEmpty { throw fail("the plan is not empty: \(left)") }
            try store.prepare(version.classes)
            let found = try store.withSession { _ in try read(version) }
            if losses.isEmpty, let difference = difference(found, state, version) { throw fail(difference) }
            if let problem = try store.checkIntegrity().problems.first { throw fail("integrity: \(problem)") }
            var random = ModelRandom(seed: seed &+ UInt64(step))
            try store.withSession { session in try work(session, version, &state, &random) }
            if let problem = try store.checkIntegrity().problems.first {
                throw fail("integrity after work: \(problem)")
            }
            keep(try store.withSession { _ in try read(version) }, &state)
        }
        return (.changed, state)
    }

    /// Opens a later version's file with an earlier version, and then with the later version again.
    public func older(_ step: Int, after accepted: [Int], _ state: ChainState) throws -> ChainState {
        let version = version(step, after: accepted.filter { $0 < step })
        func fail(_ text: String) -> ModelFailure {
            ModelFailure(description: "the older version \(step), \(version.text): \(text)")
        }
        var state = state
        let before = try schema()
        let bytes = try Data(contentsOf: URL(filePath: path))
        // Both versions have the same names of columns and the same classes of rows.
        let isAlike = state.names == version.names.rawValue && state.isBelow == version.isBelow
        do {
            try withStore(.init(schemaChanges: isOlderExact ? .automatic : .refused)) { store in
                try store.prepare(version.classes)
                let found = try store.withSession { _ in try read(version) }
                guard isOlderExact, isAlike else { return }
                if let difference = difference(found, state, version, isOlder: true) { throw fail(difference) }
                // The later version must read the values that the older version writes.
                var random = ModelRandom(seed: seed &- UInt64(step))
                try store.withSession { _ in try refill(version.owner, &random) }
                keep(try store.withSession { _ in try read(version) }, &state)
            }
        } catch  where error is StoreError || error is SchemaError {
            if "\(error)".contains("SQLite code") { throw fail("not an error of the library's: \(error)") }
        }
        if try schema() != before { throw fail("it has changed the schema") }
        if !isOlderExact, try Data(contentsOf: URL(filePath: path)) != bytes { throw fail("it has changed the file") }
        guard let newest = accepted.last else { return state }
        let later = self.version(newest, after: accepted)
        try withStore { store in
            let plan = try store.schemaPlan(for: later.classes)
            if !plan.isEmpty { throw fail("the later version has to change the file again: \(plan)") }
            try store.prepare(later.classes)
            let found = try store.withSession { _ in try read(later) }
            if let difference = difference(found, state, later) { throw fail("the later version: \(difference)") }
        }
        return state
    }

    /// Edits all objects of a class.
    private func refill<T: Chained>(_ type: T.Type, _ random: inout ModelRandom) throws {
        for object in try all(type) {
            object.fill(&random)
            try object.save()
        }
    }

    private func schema() throws -> [String] {
        try withStore { store in
            try store.withSession { session in
                try session.rows("SELECT name, sql FROM sqlite_schema ORDER BY name").map { "\($0)" }
            }
        }
    }

    // MARK: Objects

    private func all<T: Chained>(_ type: T.Type) throws -> [T] {
        try T.query.all().filter { Swift.type(of: $0) == type }
    }

    private func rows(_ type: any Chained.Type) throws -> [Int: ChainState.Row] {
        func open<T: Chained>(_ type: T.Type) throws -> [Int: ChainState.Row] {
            let rows = try all(type).map { ($0.tag, row($0)) }
            return Dictionary(rows, uniquingKeysWith: { one, _ in one })
        }
        return try open(type)
    }

    private func row(_ object: any Chained) -> ChainState.Row {
        guard let owner = object as? any ChainedOwner else { return ChainState.Row(cells: object.cells) }
        let (first, all) = owner.links
        return ChainState.Row(cells: object.cells, first: first, all: all, isSet: type(of: owner).isSet)
    }

    private typealias Found = (
        roots: [Int: ChainState.Row], items: [Int: ChainState.Row], owners: [Int: ChainState.Row]
    )

    private func read(_ version: ChainVersion) throws -> Found {
        (try rows(version.root), try rows(version.item), try rows(version.owner))
    }

    private func difference(
        _ found: Found, _ state: ChainState, _ version: ChainVersion, isOlder: Bool = false
    ) -> String? {
        func compare(_ type: any Chained.Type, _ new: [Int: ChainState.Row], _ old: [Int: ChainState.Row]) -> String? {
            guard new.keys.sorted() == old.keys.sorted() else {
                return "\(type): \(new.keys.sorted()) of \(old.keys.sorted())"
            }
            let initial = type.init().cells
            for (tag, row) in old.sorted(by: { $0.key < $1.key }) {
                let found = new[tag] ?? ChainState.Row()
                if !found.hasSameLinks(as: row) {
                    return "\(type) \(tag): links \(row.first) \(row.all) became \(found.first) \(found.all)"
                }
                for (name, value) in found.cells {
                    guard let before = row.cells[name], let start = initial[name] else { continue }
                    if !before.isKept(in: value, initial: isOlder ? value : start) {
                        return "\(type) \(tag).\(name): \(before) became \(value)"
                    }
                }
            }
            return nil
        }
        return compare(version.root, found.roots, state.roots) ?? compare(version.item, found.items, state.items)
            ?? compare(version.owner, found.owners, state.owners)
    }

    /// Takes over the state of the file. Columns that no class has now keep their values.
    private func keep(_ found: Found, _ state: inout ChainState) {
        func merge(_ new: [Int: ChainState.Row], _ old: inout [Int: ChainState.Row]) {
            old = Dictionary(
                uniqueKeysWithValues: new.map { tag, row in
                    var row = row
                    row.cells.merge(old[tag]?.cells ?? [:]) { new, _ in new }
                    return (tag, row)
                })
        }
        merge(found.roots, &state.roots)
        merge(found.items, &state.items)
        merge(found.owners, &state.owners)
    }

    /// Creates, edits and deletes objects.
    private func work(
        _ session: Session, _ version: ChainVersion, _ state: inout ChainState, _ random: inout ModelRandom
    ) throws {
        func make<T: Chained>(_ type: T.Type) -> T {
            let object = T()
            state.lastTag += 1
            object.tag = state.lastTag
            object.fill(&random)
            return object
        }
        func edit<T: Chained>(_ type: T.Type) throws {
            for _ in 0..<2 where state.lastTag < 40 { try make(type).save() }
            let objects = try all(type)
            guard let object = random.pick(objects) else { return }
            object.fill(&random)
            try object.save()
            guard objects.count > 3 else { return }
            do { try random.pick(objects)?.delete() } catch let error as StoreError where error.code == .deletionDenied
            {}
        }
        func relate<O: ChainedOwner>(_ type: O.Type) throws {
            let items = try all(O.Item.self)
            guard !items.isEmpty else { return }
            for owner in try all(type) where random.isOne(in: 2) {
                let several = (0..<random.below(3)).map { _ in items[random.below(items.count)] }
                owner.link(to: random.isOne(in: 4) ? nil : random.pick(items), several)
                try owner.save()
            }
        }
        try edit(version.root)
        try edit(version.item)
        try edit(version.owner)
        try relate(version.owner)
    }
}
