/// An object's connection to its session.
///
/// The base class is in a layer below the session and accesses it only through this class. It is a class, not a
/// protocol, because the reference in each object is then one word.
class ObjectKeeper {
    /// Called once, in the object's `deinit`. It reports lost edits, removes the object from the map, moves out its
    /// references and frees its baseline. It must not retain the object.
    ///
    /// - Returns: Whether it was the last object, in which case the caller releases the keeper.
    func objectWillEnd(_ object: PersistentObject) -> Bool { false }

    /// Loads the value of a box of the object; `isAccess` means that the user only read or edited the property.
    func load(_ box: LinkBox, of object: PersistentObject, onAccess isAccess: Bool) throws {}

    /// Called after the library assigned another value to a property of the object, whose class is `Observable`.
    func didChange(_ ordinal: Int, of object: PersistentObject) {}
}
