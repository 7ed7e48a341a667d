import TestSupport
import Testing

@testable import PersistentObjects

/// Listeners of every type for the writes of a store.
@MainActor final class WriteListeners {
    typealias Item = WriterTests.Item

    private let world: WriterTests.World
    private let store: Store
    private let allEvents: ChangeEvents<PersistentObject>
    private let classEvents: ChangeEvents<Item>
    private let lists: [QueryUpdates<Item>.AsyncIterator]
    private var objects: [(object: PersistentObject, updates: ObjectUpdates<PersistentObject>.AsyncIterator)] = []
    private let values: ValueUpdates<[String]>.AsyncIterator
    private let live = LiveQuery(Item.query)
    private var closureUpdates: [WriteSummary] = []
    private var token: EventToken?

    /// - Parameter other: A second session, which also listens.
    init(_ world: WriterTests.World, _ other: Session) async throws {
        self.world = world
        store = world.session.store
        allEvents = store.events
        classEvents = Item.events
        var own = Item.query.updates().makeAsyncIterator()
        var others = CurrentSession.with(other) { Item.query.updates().makeAsyncIterator() }
        var values = world.session.updates { try Item.all().map(WriteListeners.shown) }.makeAsyncIterator()
        _ = try await own.next()
        _ = try await others.next()
        _ = try await values.next()
        lists = [own, others]
        self.values = values
        for object in [world.first, world.second, world.gem, world.box, world.note] where !object.isDeleted {
            var updates = world.session.updates(of: object as PersistentObject).makeAsyncIterator()
            _ = try await updates.next()
            objects.append((object, updates))
        }
        _ = live.results
        var isFirst = true
        token = Item.query.onUpdate { [unowned self] update in
            if !isFirst { closureUpdates.append(WriteSummary(update)) }
            isFirst = false
        }
        await wait { !isFirst }
    }

    private static func shown(_ item: Item) -> String {
        let gem = item as? WriterTests.Gem
        return "\(item.name) \(item.tags) \(item.marks as Any) \(item.friends.map(\.name).sorted()) "
            + "\(item.partner?.name ?? "-") \(gem?.carats ?? 0)"
    }

    /// Checks that each listener received the expected events.
    func check(_ told: Set<String>) async throws {
        let items = told.filter { $0.hasPrefix("Item") || $0.hasPrefix("Gem") }
        let summary = items.isEmpty ? nil : WriteSummary(items)
        #expect(Set(await allEvents.all(store)) == told, "events of the store")
        #expect(Set(await classEvents.all(store)) == items, "events of the class")
        for list in lists {
            var list = list
            #expect(try await list.next().map { WriteSummary($0) } == summary, "updates of a query")
        }
        var values = values
        #expect((try await values.next() == nil) == items.isEmpty, "values")
        for (object, updates) in objects {
            var updates = updates
            let name = "\(type(of: object)) #\(object.id ?? 0)"
            let event = told.first { $0.hasPrefix(name) }
            let update = try await updates.next()
            #expect((update == nil) == (event == nil), "\(name)")
            #expect(update?.isDeleted == event.map { _ in object.isDeleted }, "\(name)")
            guard let update, let event, !update.isDeleted, event.contains(": ") else { continue }
            #expect("\(name) updated: \(update.properties?.joined(separator: ", ") ?? "-")" == event)
        }
        await wait { !live.isWatching && (summary == nil || !closureUpdates.isEmpty) }
        #expect(live.lastUpdate.flatMap { $0.isFirst ? nil : WriteSummary($0) } == summary, "LiveQuery")
        #expect(closureUpdates == (summary.map { [$0] } ?? []), "onUpdate")
        token = nil
    }
}

/// The changes in an update, or the expected changes, of the items of a list.
struct WriteSummary: Equatable {
    var changed: Set<Int64> = []
    var inserted: Set<Int64> = []
    var deletedCount = 0

    init(_ update: QueryUpdate<WriterTests.Item>) {
        changed = Set(update.changed.compactMap { update.objects[$0].id })
        inserted = Set(update.inserted.compactMap { update.objects[$0].id })
        deletedCount = update.deleted.count
    }

    /// - Parameter events: Events in printed form, for example "Item #1 updated: name".
    init(_ events: Set<String>) {
        for event in events {
            let words = event.split(separator: " ")
            guard words.count > 2, let id = Int64(words[1].dropFirst()) else { continue }
            switch words[2] {
            case "inserted": inserted.insert(id)
            case "deleted": deletedCount += 1
            default: changed.insert(id)
            }
        }
    }
}
