internal import StoreEngine

extension StoreError {
    /// The error for an operation that an untracked object does not support.
    static func untracked(_ object: PersistentObject, _ what: String) -> StoreError {
        StoreError(
            .misuse, "The object is untracked, \(what). Call find(id) to get an object that can be changed and saved",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}
