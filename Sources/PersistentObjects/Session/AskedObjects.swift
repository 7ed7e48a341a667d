/// Objects whose hook was called; kept, since another could get the address of one that is gone.
///
/// A class: hooks run while it is passed on, and must not find a variable of the session's in the middle of a
/// modification.
final class AskedObjects {
    private var objects: [ObjectIdentifier: PersistentObject] = [:]

    /// False where it was there.
    func add(_ object: PersistentObject) -> Bool {
        objects.updateValue(object, forKey: ObjectIdentifier(object)) == nil
    }
}
