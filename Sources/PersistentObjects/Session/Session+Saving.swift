internal import StoreEngine
internal import Synchronization

// While a session saves or deletes, user code that it calls must not save or delete.
extension Session {
    /// Calls `body`, which saves, as the only user of the session.
    ///
    /// Finding the changes runs the user's `encode(to:)`, too, and a save in it would recurse endlessly.
    ///
    /// - Parameter writes: Whether `body` changes rows. If not, it is only excluded from running during a save.
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
