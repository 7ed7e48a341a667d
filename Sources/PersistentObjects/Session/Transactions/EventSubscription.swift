internal import StoreEngine

/// What a subscriber wants to hear of.
enum EventFilter: Sendable {
    case all
    case type(PersistentObject.Type)
    case object(root: PersistentObject.Type, id: Int64)

    func accepts(_ event: RowEvent) -> Bool {
        guard let map = event.map else { return true }
        return switch self {
        case .all: true
        case .type(let type): ClassMap.isClass(map.type, type)
        case .object(let root, let id): event.id == id && map.root == root
        }
    }
}

/// Events that a subscriber has not read yet: bounded, and none is lost without a word.
struct EventBuffer: Sendable {
    private var events: [RowEvent] = []
    private var next = 0

    /// Up to here each event is kept as it is.
    static let limit = 10_000

    mutating func add(_ event: RowEvent) {
        if event.kind == .unknown, next < events.count, events.last?.kind == .unknown { return }
        events.append(event)
        guard events.count - next > EventBuffer.limit else { return }
        // One for each object; where these are too many as well, a word that there were some.
        events = RowEvent.coalesced(events[next...])
        next = 0
        if events.count > EventBuffer.limit / 2 { events = [.unknown] }
    }

    /// How many are in memory.
    var storedCount: Int { events.count }

    mutating func take() -> RowEvent? {
        guard next < events.count else { return nil }
        defer {
            next += 1
            // Now and then, so that those that were read go though there always is another.
            if next == events.count || (next >= 1000 && next * 2 > events.count) {
                events.removeSubrange(..<next)
                next = 0
            }
        }
        return events[next]
    }

    /// All of them, one for each object; nil where there are none.
    mutating func takeAll() -> [RowEvent]? {
        guard next < events.count else { return nil }
        defer {
            events = []
            next = 0
        }
        return RowEvent.coalesced(events[next...])
    }
}

/// The events of a store that one subscriber hears of, from when it is made until it goes.
final class EventSubscription: Sendable {
    private final class Listener: CommitListener {
        let readsEvents = true
        let mailbox = Mailbox(EventBuffer())
        let filter: EventFilter
        let hearsSilent: Bool

        init(_ filter: EventFilter, hearsSilent: Bool) {
            self.filter = filter
            self.hearsSilent = hearsSilent
        }

        func receive(_ summary: CommitSummary) {
            let events = summary.events.filter { (hearsSilent || !$0.isSilent) && filter.accepts($0) }
            guard !events.isEmpty else { return }
            mailbox.put { for event in events { $0.add(event) } }
        }

        func finish() { mailbox.finish() }
    }

    private let hub: EventHub
    private let listener: Listener

    /// - Parameters:
    ///   - hearsSilent: Whether it hears of what subscribers are not to hear of.
    ///   - session: The one with which it ends.
    init(_ store: Store, _ filter: EventFilter, hearsSilent: Bool = false, boundTo session: Session? = nil) {
        hub = store.hub
        listener = Listener(filter, hearsSilent: hearsSilent)
        store.subscribe(listener, boundTo: session)
    }

    deinit { hub.remove(listener) }

    /// Ends it at once; what was not read is dropped.
    func cancel() {
        hub.remove(listener)
        listener.mailbox.close()
    }

    /// The next event; nil when there are no more, or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> RowEvent? {
        await listener.mailbox.next(isolation: isolation) { $0.take() }
    }

    /// Returns all events received, as soon as there is one, to the only reader: it ends when the task is cancelled.
    func nextAll(isolation: isolated (any Actor)?) async -> [RowEvent]? {
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.takeAll() } },
            onCancel: { cancel() }, isolation: isolation)
    }
}

extension Store {
    /// Has a listener hear of all commits from now on.
    func subscribe(_ listener: any CommitListener, boundTo session: Session? = nil) {
        hub.add(listener, boundTo: session, noting: { [weak self] in self?.configuration.onNote($0) }) {
            // No other process can see a store in memory. Without the connection their commits are not noticed.
            guard case .file = location else { return nil }
            return try? takeConnection()
        }
    }
}
