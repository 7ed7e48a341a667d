/// A closure's subscription to events or query results, until it is released or `cancel()` is called.
///
/// ```swift
/// let token = Person.onChange { event in print(event) }
/// token.cancel()
/// ```
public final class EventToken: Sendable {
    private let task: Task<Void, Never>
    private let subscription: EventSubscription?

    init<Object: Persistent>(
        _ events: ChangeEvents<Object>, _ handler: @escaping @isolated(any) @Sendable (ChangeEvent<Object>) -> Void
    ) {
        subscription = events.subscription
        task = CurrentSession.withoutKeeping {
            Task { await EventToken.run(events, handler, isolation: handler.isolation) }
        }
    }

    /// Keeps a task running that checks for cancellation before each call.
    init(_ task: Task<Void, Never>) {
        self.task = task
        subscription = nil
    }

    deinit { end() }

    /// Ends the subscription.
    ///
    /// If you call this on the actor on which the closure runs, the closure is not called again; otherwise a call in
    /// progress finishes.
    public func cancel() { end() }

    /// Cancels the subscription at once, because the task may run much later and would receive all commits until then.
    private func end() {
        subscription?.cancel()
        task.cancel()
    }

    /// Runs on the closure's actor, so that nothing happens between the check for cancellation and the call.
    private static func run<Object: Persistent>(
        _ events: ChangeEvents<Object>, _ handler: @isolated(any) @Sendable (ChangeEvent<Object>) -> Void,
        isolation: isolated (any Actor)?
    ) async {
        var iterator = events.makeAsyncIterator()
        while let event = await iterator.next(isolation: isolation), !Task.isCancelled { await handler(event) }
    }
}

// The closures inherit the isolation of the surrounding code, as the closure of a `Task` does.
extension Persistent {
    /// Calls a closure for each event of this class and its subclasses, until the token is released.
    ///
    /// The closure is called on the actor of the surrounding code, such as the main actor, and may use that actor's
    /// state; outside actors, one of Swift's threads calls it. The committing thread never calls it during the commit:
    /// it receives one event after another, when its actor is free.
    ///
    /// ```swift
    /// let token = Person.onChange { event in print(event) }
    /// ```
    public static func onChange(
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ChangeEvent<Self>) -> Void
    ) -> EventToken { EventToken(events, handler) }

    /// Calls a closure for each event of this object, until the token is released.
    ///
    /// See `onChange(_:)` of the class.
    ///
    /// ```swift
    /// let token = joe.onChange { event in print(event.properties ?? []) }
    /// ```
    public func onChange(
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ChangeEvent<Self>) -> Void
    ) -> EventToken { EventToken(events, handler) }
}

extension Store {
    /// Calls a closure for each event of the store, until the token is released.
    ///
    /// See `Persistent.onChange(_:)`.
    ///
    /// ```swift
    /// let token = store.onChange { event in print(event) }
    /// ```
    public func onChange(
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (ChangeEvent<PersistentObject>) -> Void
    ) -> EventToken { EventToken(events, handler) }
}
