// Delete: deletes rows or marks them as deleted, and follows the delete rules. It handles rows by their ids, and must
// not read an object only to delete it.

internal import StoreEngine

extension SessionParts {
    /// Marks an object as deleted after its row was deleted.
    func didDelete(_ object: PersistentObject, _ identity: IdentityMap) {
        level?.touch(object, identity.classMap)
        identity.remove(object)
        news.recordDeletion(object, identity.classMap)
    }

    /// Throws if an object belongs to another session, because its changes would overwrite the other session's edits.
    func checkOwns(_ object: PersistentObject) throws {
        guard let map = object.identityMap else { return }
        guard owns(map) else {
            throw StoreError(
                .otherSession, "The object belongs to another session. Find it in this session by its persistentID",
                className: map.classMap.name, rowID: object.rowID)
        }
    }
}
