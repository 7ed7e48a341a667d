/// What an object knows of the session that it belongs to.
///
/// The base class stands below the session and knows it through this only.
/// (A class, not a protocol: the reference in each object is one word then.)
class ObjectKeeper {
    /// Called once, in the object's `deinit`: reports lost edits, takes the object out of the map, moves out its
    /// references and gives its baseline back. Must not keep the object.
    ///
    /// - Returns: Whether it was the last object, which the caller then releases the keeper for.
    func objectWillEnd(_ object: PersistentObject) -> Bool { false }

    /// Loads what a box of the object stands for; `isAccess` says that the user has only read or edited the property.
    func load(_ box: LinkBox, of object: PersistentObject, onAccess isAccess: Bool) throws {}

    /// The library has given a property of the object, whose class is `Observable`, another value.
    func didChange(_ place: Int, of object: PersistentObject) {}
}
