internal import StoreEngine
internal import Synchronization

// While a session saves or deletes, user code that this runs must not save or delete.
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
            if writes { try readTransaction.checkIsNotUnderWay() }
            let result = try writing.saving(body)
            news.report()
            countCall()
            level?.dropUnseen()
            return result
        }
    }
}
