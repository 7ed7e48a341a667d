internal import StoreEngine
internal import Synchronization

// While a session saves or deletes, no code of the user's that this runs may save or delete.
extension Session {
    /// Calls `body`, which saves, as the only user of the session.
    ///
    /// Not only the writing runs the user's `encode(to:)`, finding what has changed does too: a save in there would
    /// come here again without end.
    ///
    /// - Parameter writes: Whether it changes rows; else it is only kept apart from what does.
    @inline(__always)
    func enterToSave<R>(
        _ function: StaticString = #function, of type: PersistentObject.Type? = nil, writes: Bool = true,
        _ body: () throws -> R
    ) throws -> R {
        try enter(function, of: type) {
            if writes { try checkIsNotReading() }
            let result = try saving(body)
            news.report()
            countCall()
            level?.dropUnseen()
            return result
        }
    }

    /// Calls `body`, in which no code of the user's may save or delete; the session is entered.
    @inline(__always)
    func saving<R>(_ body: () throws -> R) throws -> R {
        guard !isSaving.load(ordering: .relaxed) else { throw Session.savesWhileSaving }
        isSaving.store(true, ordering: .relaxed)
        defer { isSaving.store(false, ordering: .relaxed) }
        level?.confirmSave()
        do { return try body() } catch {
            // They wait for what is not committed now.
            news.dropClosures()
            level?.refuseSave()
            throw error
        }
    }

    /// The same where it may be called from such code.
    func asSaving<R>(_ body: () throws -> R) throws -> R {
        isSaving.load(ordering: .relaxed) ? try body() : try saving(body)
    }

    /// Calls `body`, in which code of the user's may save, also where a save is under way that has not begun to write.
    func beforeSaving<R>(_ body: () throws -> R) rethrows -> R {
        let wasSaving = isSaving.exchange(false, ordering: .relaxed)
        defer { isSaving.store(wasSaving, ordering: .relaxed) }
        return try body()
    }

    /// Whether a save or its hooks are under way.
    var isUnderWay: Bool { isSaving.load(ordering: .relaxed) }

    /// Refuses what changes rows while a save or its hooks are under way, or a reading.
    @inline(__always)
    func checkMayWrite() throws {
        guard !isSaving.load(ordering: .relaxed) else { throw Session.savesWhileSaving }
        try checkIsNotReading()
    }

    static var savesWhileSaving: StoreError {
        StoreError(
            .misuse,
            "the session is saving or deleting: a hook, validate, encode(to:) or initialiser must not save or delete")
    }
}
