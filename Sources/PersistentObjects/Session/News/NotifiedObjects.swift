/// Objects whose hook was called. They are retained, because another object could get the address of a released object.
///
/// A class, because hooks run while it is passed on, and must not access a variable that is being modified.
final class NotifiedObjects {
    private var objects: [ObjectIdentifier: PersistentObject] = [:]

    /// Returns false if the object was added before.
    func add(_ object: PersistentObject) -> Bool {
        objects.updateValue(object, forKey: ObjectIdentifier(object)) == nil
    }
}
