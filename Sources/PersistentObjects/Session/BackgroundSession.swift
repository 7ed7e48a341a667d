/// The session of `store.perform`, isolated to the store's own executor: inside `perform` it is used without `await`.
///
/// It blocks a queue of the store's instead of Swift's few shared threads.
public actor BackgroundSession {
    private let executor: StoreExecutor
    let box: SessionBox

    init(_ session: SessionBox, on executor: StoreExecutor) {
        box = session
        self.executor = executor
    }

    /// The store's executor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Saves objects of any classes in one transaction. See `Session.save(_:)`.
    public func save(_ objects: [PersistentObject]) throws { try box.session.save(objects) }

    /// Saves one object.
    public func save(_ object: some Persistent) throws { try box.session.save(object) }

    /// Saves all objects of the session that have unsaved edits. See `Session.saveChanges()`.
    public func saveChanges() throws { try box.session.saveChanges() }

    /// Deletes the rows of objects of any classes in one transaction.
    public func delete(_ objects: [PersistentObject]) throws { try box.session.delete(objects) }

    /// Deletes the row of one object.
    public func delete(_ object: some Persistent) throws { try box.session.delete(object) }

    /// The object that an id names, nil if there is none.
    public func object<T: Persistent>(for id: PersistentID<T>) throws -> T? { try box.session.object(for: id) }

    /// Forgets an object. See `Session.evict(_:)`.
    public func evict(_ object: some Persistent) { box.session.evict(object) }

    fileprivate func run<R: Sendable>(
        _ body: @Sendable (isolated BackgroundSession) async throws -> R
    ) async throws -> R {
        try await CurrentSession.with(box.session, isolation: self) { try await body(self) }
    }

    fileprivate func end() { box.session.end(isHere: true) }
}

extension Store {
    /// Calls `body` with a new session on the store's own executor, away from the caller's thread.
    ///
    /// Objects cannot leave it, which the compiler checks; return values or
    /// `PersistentID`s.
    ///
    /// ```swift
    /// let names = try await store.perform { session in try Person.all().map(\.lastName) }
    /// ```
    ///
    /// - Throws: what `body` throws; `CancellationError` if the task is
    ///   cancelled while a statement runs, which ends with it.
    public func perform<R: Sendable>(
        _ body: @Sendable (isolated BackgroundSession) async throws -> R
    ) async throws -> R {
        let background = BackgroundSession(SessionBox(try Session(self)), on: executor)
        do {
            let result = try await background.run(body)
            await background.end()
            return result
        } catch {
            await background.end()
            throw error
        }
    }
}
