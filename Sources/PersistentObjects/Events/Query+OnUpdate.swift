internal import StoreEngine

// The closures inherit the isolation of the surrounding code, as the closures of `onChange` do.
extension Query {
    /// Calls a closure with the query's results, now and after each commit that changes them.
    ///
    /// The subscription ends when the token is released. The closure is called on the actor of the surrounding code,
    /// such as the main actor, and may use that actor's state, which includes the objects. Outside actors, one of
    /// Swift's threads calls it, with objects of a session that only the closure uses. For the closure's argument and
    /// the times of its calls, see ``QueryUpdates``.
    ///
    /// ```swift
    /// let token = Person.where { $0.age > 17 }.onUpdate { people in
    ///     print(people.map(\.lastName))
    /// } onError: { error in
    ///     print(error)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - handler: Is called once soon, and then after commits.
    ///   - onError: Is called if the query cannot be run; no further call follows. Without it, the error is sent to the
    ///     store's `onNote`.
    public func onUpdate(
        @_inheritActorContext _ handler: @escaping @isolated(any) @Sendable (QueryUpdate<T>) -> Void,
        @_inheritActorContext onError: (@isolated(any) @Sendable (any Error) -> Void)? = nil
    ) -> EventToken {
        EventToken(
            Task {
                do { try await follow(isolation: handler.isolation, handler) } catch {
                    guard !Task.isCancelled else { return }
                    if let onError { return await onError(error) }
                    let type = definition.type
                    CurrentSession.store(for: type).configuration.onNote(
                        "A watched query of \(TypeSpelling.of(type)) can no longer be evaluated: \(error)")
                }
            })
    }

    /// - Parameter isolation: The handler's isolation, so that nothing happens between the check for cancellation and
    ///   the call.
    private func follow(
        isolation: isolated (any Actor)?, _ handler: @isolated(any) @Sendable (QueryUpdate<T>) -> Void
    ) async throws {
        if isolation != nil { return try await run(isolation: isolation, handler) }
        // A separate session is used, because the surrounding code uses its session concurrently.
        try await CurrentSession.store(for: definition.home).withSession(isolation: isolation) { _ in
            try await run(isolation: isolation, handler)
        }
    }

    private func run(
        isolation: isolated (any Actor)?, _ handler: @isolated(any) @Sendable (QueryUpdate<T>) -> Void
    ) async throws {
        var updates = updates(isolation: isolation).makeAsyncIterator()
        while let update = try await updates.next(isolation: isolation), !Task.isCancelled {
            // The handler has this function's isolation, which the compiler cannot see, so nothing leaves the actor.
            nonisolated(unsafe) let update = update
            await handler(update)
        }
    }
}
