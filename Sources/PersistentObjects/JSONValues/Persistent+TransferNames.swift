public import Foundation

// Without these declarations, a program that does not import `PersistentTransfer` would get the error of a finder named
// "json". The available declarations of that product win.
extension Persistent {
    /// Never called: the product `PersistentTransfer` converts objects to JSON.
    @available(*, unavailable, message: "add the product PersistentTransfer to the target, and import it")
    public var json: Data { Data() }

    /// Never called: the product `PersistentTransfer` converts objects to dictionaries.
    @available(*, unavailable, message: "add the product PersistentTransfer to the target, and import it")
    public var jsonObject: [String: Any] { [:] }
}
