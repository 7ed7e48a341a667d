// Transactions: the records of a transaction: the former state of objects, the changes to report after the commit, and
// the undo history. It must not know what is done in the transaction.

/// A transaction, or a nested one: the data that restores memory to its start.
///
/// Unsaved edits are copied at the start, because the library is not notified of edits. The baseline has all other
/// values.
final class TransactionLevel {
    private struct Arrival {
        let identity: IdentityMap
        let id: Int64
        /// The number of the first image that was created after the row was read.
        var imageNumber: Int
    }

    let parent: TransactionLevel?
    /// The edits at the start, by object. Other properties get the values of their rows, which may have changed
    /// elsewhere in the meantime.
    private var edited: [ObjectIdentifier: (object: PersistentObject, values: ObjectCopy)] = [:]
    private(set) var images: [ObjectImage] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// The number of images created, including dropped images.
    private var imageNumber = 0
    /// The number of images or arrivals above which unneeded entries are searched for.
    private var crowd = TransactionLevel.leastCrowd
    private static let leastCrowd = 1024
    /// The rows that the transaction saved and whose objects, and so their images, were released.
    private var unseen: [ObjectIdentifier: Set<Int64>] = [:]
    /// The images of new objects in the current save.
    private var tried: [ObjectImage] = []
    /// Rows that were read after an uncommitted write.
    private var arrivals: [Arrival] = []
    /// Classes whose tables were created or checked in the transaction.
    private(set) var preparations: [ClassMap] = []
    /// While rows are read again after a rollback of an inner transaction, the number of images created before. Images
    /// created during this time may have values that were never committed.
    private var mending: Int?
    /// Whether the transaction has written, even if the write was rolled back.
    private(set) var hasWrittenItself = false
    private let parentHasWritten: Bool
    /// The pending edits of deallocated objects at the start.
    let pendingEdits: PendingEdits.Rows
    /// The changes of the last save before the transaction.
    let savedBefore: SavedChanges?
    /// The transaction's changes to objects.
    var log = ChangeLog()
    /// The closures to call after the commit.
    var closures: [() -> Void] = []
    /// Whether it must be rolled back although nothing failed.
    var rollsBack = false
    /// The error after which SQLite rolled back by itself, so that further writes are refused.
    private(set) var failure: (any Error)?

    init(
        in parent: TransactionLevel?, edited objects: [(object: PersistentObject, map: ClassMap, ordinals: ColumnSet)],
        _ pendingEdits: PendingEdits.Rows, savedBefore: SavedChanges?
    ) {
        self.parent = parent
        self.pendingEdits = pendingEdits
        self.savedBefore = savedBefore
        parentHasWritten = parent?.hasWritten ?? false
        for (object, map, ordinals) in objects {
            edited[ObjectIdentifier(object)] = (object, ObjectCopy(of: object, map, ordinals))
        }
    }

    /// Records the state of an object before it is saved or deleted.
    func touch(_ object: PersistentObject, _ map: ClassMap) { image(of: object, map).isWhole = true }

    /// Records the state of an object before a save, which may be refused.
    func willSave(_ object: PersistentObject, _ map: ClassMap) {
        let image = image(of: object, map)
        if image.wasNew, !image.isWhole { tried.append(image) }
        image.isWhole = true
    }

    /// Called when a save has succeeded, or before it begins.
    func confirmSave() { tried = [] }

    /// Called if the save was refused. A rollback does not restore new objects. It undoes the edits of other objects,
    /// because the transaction may be attempted again and then repeats them.
    func refuseSave() {
        for image in tried { image.refuse() }
        tried = []
    }

    /// Records one property before a save of other objects changes it.
    func touch(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) { image(of: object, map).record(ordinal) }

    private func image(of object: PersistentObject, _ map: ClassMap) -> ObjectImage {
        if let place = places[ObjectIdentifier(object)] {
            let image = images[place]
            // A new object may have been edited after its save was refused, so its current values are recorded.
            if image.wasRefused, !image.isWhole {
                images[place] = ObjectImage(of: object, map, values: nil).taking(image)
            }
            return images[place]
        }
        let image = ObjectImage(of: object, map, values: edited[ObjectIdentifier(object)]?.values)
        add(image)
        return image
    }

    private func add(_ image: ObjectImage) {
        places[ObjectIdentifier(image.object)] = images.count
        image.number = imageNumber
        imageNumber += 1
        images.append(image)
    }

    /// Whether the transaction or an enclosing transaction has written, so that values read now may never be committed.
    var hasWritten: Bool { hasWrittenItself || parentHasWritten }

    /// Called before a write.
    func willWrite() throws {
        try checkIsOpen()
        hasWrittenItself = true
    }

    /// Throws if the transaction has failed as a whole.
    func checkIsOpen() throws {
        if let failure { throw failure }
    }

    /// Called after a row was read into an object.
    func didRead(_ id: Int64, _ identity: IdentityMap) {
        guard hasWritten else { return }
        arrivals.append(Arrival(identity: identity, id: id, imageNumber: mending ?? imageNumber))
    }

    /// Called after an object was created that has pending edits. If the edits were pending at the start, they are
    /// recorded as edits at the start.
    func didRevive(_ object: PersistentObject, _ identity: IdentityMap, _ edit: PendingEdit) {
        guard pendingEdits[ObjectIdentifier(edit.map)]?[edit.rowID] === edit else { return }
        edited[ObjectIdentifier(object)] = (object, ObjectCopy(of: object, edit.map, identity.changes(of: object)))
        parent?.didRevive(object, identity, edit)
    }

    /// Called before a row is read into an existing object. If the row matches an edit by chance, the edit would be
    /// lost when the row is rolled back, so it is recorded.
    func willMerge(_ object: PersistentObject, _ map: ClassMap) {
        guard hasWritten, mending == nil, let block = object.baseline else { return }
        let edits = map.baseline.changes(ObjectMemory.start(of: object), block)
        guard !edits.isEmpty || places[ObjectIdentifier(object)] != nil else { return }
        image(of: object, map).recordEdits(edits)
    }

    /// The rows that were read and that no image restores. An image that was created before the row was read restores
    /// the object.
    private var misreadRows: [Arrival] {
        arrivals.filter { arrival in
            guard let object = arrival.identity.object(for: arrival.id) else { return true }
            guard let place = places[ObjectIdentifier(object)] else { return true }
            return !images[place].isWhole || images[place].number >= arrival.imageNumber
        }
    }

    /// The live objects whose values may never be committed.
    var misread: [PersistentObject] { misreadRows.compactMap { $0.identity.object(for: $0.id) } }

    func didPrepare(_ maps: [ClassMap]) { preparations += maps }

    /// Records that the transaction and its enclosing transactions have failed.
    func fail(_ error: any Error) {
        failure = failure ?? error
        parent?.fail(error)
    }

    /// Merges an inner transaction that has succeeded.
    func absorb(_ inner: TransactionLevel) {
        absorb(inner.images, inner.misreadRows)
        log.add(inner.log)
        closures += inner.closures
        preparations += inner.preparations
        hasWrittenItself = hasWrittenItself || inner.hasWrittenItself
        unseen.merge(inner.unseen) { $0.union($1) }
    }

    /// Merges the images and reads of an inner transaction.
    private func absorb(_ inner: some Sequence<ObjectImage>, _ misread: [Arrival]) {
        let number = imageNumber
        for var arrival in misread {
            arrival.imageNumber = number
            arrivals.append(arrival)
        }
        for image in inner {
            if let place = places[ObjectIdentifier(image.object)] {
                images[place].merge(image)
            } else {
                // The image gets the edits at the start of this transaction. A new object has no other values.
                if !image.wasNew { image.values = edited[ObjectIdentifier(image.object)]?.values }
                add(image)
            }
        }
    }

    /// Called after an inner transaction was rolled back. If this transaction is also rolled back, the edits that the
    /// inner transaction tried to save are undone.
    func didRollBack(_ inner: TransactionLevel) {
        absorb(inner.images.filter(\.isWhole), inner.misreadRows)
        hasWrittenItself = hasWrittenItself || inner.hasWrittenItself
        unseen.merge(inner.unseen) { $0.union($1) }
    }

    /// Calls `body`, which reads rows again after the rollback of an inner transaction.
    func whileMending(_ body: () -> Void) {
        mending = imageNumber
        body()
        mending = nil
    }

    /// Restores the edits at the start in misread objects, whose rows may have matched the edits by chance.
    func restoreEdits(of misread: [PersistentObject]) {
        for object in misread {
            if let place = places[ObjectIdentifier(object)] { images[place].restoreEdits() }
        }
    }
}

// A long transaction keeps only images of objects that have other holders.
extension TransactionLevel {
    /// Drops the images of objects that have no other holder, because their restoration cannot be observed. The objects
    /// are deallocated here, and a user's `deinit` may make any call.
    ///
    /// The check runs when the number of images has doubled since the last check. A transaction's time is therefore
    /// proportional to its work, and its memory to the objects that its caller holds.
    func dropUnseen() { withExtendedLifetime(takeUnseen()) {} }

    private func takeUnseen() -> [ObjectImage] {
        guard tried.isEmpty, Swift.max(images.count, arrivals.count) > crowd else { return [] }
        var (kept, gone): ([ObjectImage], [ObjectImage]) = ([], [])
        for image in images { if image.isOnlyHolder() { gone.append(image) } else { kept.append(image) } }
        if !gone.isEmpty {
            images = kept
            places = Dictionary(
                uniqueKeysWithValues: kept.enumerated().map { (ObjectIdentifier($1.object), $0) })
            for image in gone where image.isWhole {
                guard let identity = image.object.identityMap else { continue }
                unseen[ObjectIdentifier(identity), default: []].insert(image.object.rowID)
            }
        }
        // If the row of a deallocated object is read again, another object is created and recorded.
        arrivals.removeAll { $0.identity.object(for: $0.id) == nil }
        crowd = Swift.max(TransactionLevel.leastCrowd, 2 * Swift.max(images.count, arrivals.count))
        return gone
    }

    /// Whether the transaction saved the row with another object, which was released. Edits of this object are then
    /// undone with the transaction, as the edits of the first object would have been.
    func hasSavedUnseen(_ object: PersistentObject) -> Bool {
        guard !unseen.isEmpty, let identity = object.identityMap else { return false }
        return unseen[ObjectIdentifier(identity)]?.contains(object.rowID) ?? false
    }
}
