internal import StoreEngine

/// The events that a subscriber receives.
enum EventFilter: Sendable {
    case all
    case type(PersistentObject.Type)
    case object(root: PersistentObject.Type, id: Int64)

    private func concerns(_ root: PersistentObject.Type) -> Bool {
        switch self {
        case .all: true
        case .type(let type): ClassMap.isClass(type, root) || ClassMap.isClass(root, type)
        case .object(let own, _): own == root
        }
    }

    func accepts(_ event: RowEvent) -> Bool {
        guard let map = event.map else { return true }
        // Unknown changes of a class may concern its superclasses and subclasses.
        if event.kind == .unknown { return concerns(map.root) }
        return switch self {
        case .all: true
        case .type(let type): ClassMap.isClass(map.type, type)
        case .object(let root, let id): event.id == id && map.root == root
        }
    }
}

/// Events that a subscriber has not read yet. The buffer is bounded, and lost events are replaced by an unknown event.
struct EventBuffer: Sendable {
    private var events: [RowEvent] = []
    private var next = 0

    /// The number of events up to which events are not combined.
    static let limit = 10_000

    mutating func add(_ event: RowEvent) {
        if event.kind == .unknown, next < events.count, events.last?.kind == .unknown { return }
        events.append(event)
        guard events.count - next > EventBuffer.limit else { return }
        // Keeps one event for each object. If these are also too many, one unknown event replaces them.
        events = RowEvent.coalesced(events[next...])
        next = 0
        if events.count > EventBuffer.limit / 2 { events = [.unknown] }
    }

    /// The number of events in memory.
    var storedCount: Int { events.count }

    mutating func take() -> RowEvent? {
        guard next < events.count else { return nil }
        defer {
            next += 1
            // Read events are removed from time to time, so that the buffer does not grow if it is never empty.
            if next == events.count || (next >= 1000 && next * 2 > events.count) {
                events.removeSubrange(..<next)
                next = 0
            }
        }
        return events[next]
    }

    /// Removes and returns all events, combined to one event for each object; nil if there are no events.
    mutating func takeAll() -> [RowEvent]? {
        guard next < events.count else { return nil }
        defer {
            events = []
            next = 0
        }
        return RowEvent.coalesced(events[next...])
    }
}

/// The events of a store that one subscriber receives, from the subscription's creation until its release.
final class EventSubscription: Sendable {
    private final class Listener: CommitListener {
        let readsEvents = true
        let mailbox = Mailbox(EventBuffer())
        let filter: EventFilter
        let includesSilent: Bool

        init(_ filter: EventFilter, includesSilent: Bool) {
            self.filter = filter
            self.includesSilent = includesSilent
        }

        func receive(_ summary: CommitSummary) {
            let events = summary.events.filter { (includesSilent || !$0.isSilent) && filter.accepts($0) }
            guard !events.isEmpty else { return }
            mailbox.put { for event in events { $0.add(event) } }
        }

        func finish() { mailbox.finish() }
    }

    private let hub: EventHub
    private let listener: Listener

    /// - Parameters:
    ///   - includesSilent: Whether it also receives silent events.
    ///   - session: The session with which the subscription ends.
    init(_ store: Store, _ filter: EventFilter, includesSilent: Bool = false, boundTo session: Session? = nil) {
        hub = store.hub
        listener = Listener(filter, includesSilent: includesSilent)
        store.subscribe(listener, boundTo: session)
    }

    deinit { hub.remove(listener) }

    /// Ends the subscription and drops unread events.
    func cancel() {
        hub.remove(listener)
        listener.mailbox.close()
    }

    /// The next event; nil if the subscription has ended or the task is cancelled.
    func next(isolation: isolated (any Actor)?) async -> RowEvent? {
        await listener.mailbox.next(isolation: isolation) { $0.take() }
    }

    /// Returns all received events as soon as there is one. Cancelling the task ends the subscription, so there must be
    /// only one reader.
    func nextAll(isolation: isolated (any Actor)?) async -> [RowEvent]? {
        await withTaskCancellationHandler(
            operation: { await listener.mailbox.next(isolation: isolation) { $0.takeAll() } },
            onCancel: { cancel() }, isolation: isolation)
    }
}

extension Store {
    /// Reports all commits to a listener from now on.
    func subscribe(_ listener: any CommitListener, boundTo session: Session? = nil) {
        hub.add(
            listener, boundTo: session, warning: { [weak self] in self?.configuration.onNote($0) },
            summarizing: { [classes] in CommitSummary($0, classes) }
        ) {
            // This connection notices commits of other processes, which cannot see a store in memory.
            if case .memory = location, !engine.isServer { return nil }
            return try? takeConnection()
        }
    }
}
