internal import StoreEngine

extension StoreError {
    /// What an untracked object refuses.
    static func untracked(_ object: PersistentObject, _ what: String) -> StoreError {
        StoreError(
            .misuse, "the object is untracked, \(what); find(id) gives the one that can be changed and saved",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}
