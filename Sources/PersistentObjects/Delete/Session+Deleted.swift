// Delete: from objects to rows that are gone, or marked as gone, and everything that follows by the delete rules. It
// knows rows by their ids, and must read no object only to delete it.

internal import StoreEngine

extension Session {
    /// The object's row is gone.
    func didDelete(_ object: PersistentObject, _ identity: IdentityMap) {
        level?.touch(object, identity.classMap)
        identity.remove(object)
        news.recordDeletion(object, identity.classMap)
    }

    /// Objects of another session would be written over its edits.
    func checkOwns(_ object: PersistentObject) throws {
        guard let map = object.identityMap else { return }
        guard map.session === self else {
            throw StoreError(
                .otherSession, "The object belongs to another session. Find it in this session by its persistentID",
                className: map.classMap.name, rowID: object.rowID)
        }
    }
}
