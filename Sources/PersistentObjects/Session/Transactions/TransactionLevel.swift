// Transactions: what a transaction under way remembers: how objects were before it, what it will tell after its
// commit, what can be undone. It must not know what is done in it.

/// A transaction, or one inside another: what brings memory back to its start.
///
/// Nothing tells the library of an edit. What had unsaved edits at the start is
/// copied then; of all else the baseline has the values.
final class TransactionLevel {
    private struct Arrival {
        let identity: IdentityMap
        let id: Int64
        /// The number of the first image that was made after it.
        var imageNumber: Int
    }

    let parent: TransactionLevel?
    /// The edits at the start, by object. Other properties follow their rows: they may have been changed elsewhere
    /// meanwhile, which is not an edit.
    private var edited: [ObjectIdentifier: (object: PersistentObject, values: ObjectCopy)] = [:]
    private(set) var images: [ObjectImage] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// How many images were made, those among them that were dropped.
    private var imageNumber = 0
    /// The number of images or arrivals above which it is worth checking which are no longer needed.
    private var crowd = TransactionLevel.leastCrowd
    private static let leastCrowd = 1024
    /// The rows that were saved in it whose objects, and so their images, were released.
    private var unseen: [ObjectIdentifier: Set<Int64>] = [:]
    /// The images of new objects that are just being saved for the first time.
    private var tried: [ObjectImage] = []
    /// Rows that were read while something was written that is not committed.
    private var arrivals: [Arrival] = []
    /// Classes whose tables were made or looked at.
    private(set) var preparations: [ClassMap] = []
    /// How many images were made before an inner one was rolled back, while what that has read is read again: what is
    /// imaged meanwhile may have values that never were.
    private var mending: Int?
    /// Whether something was written in it, taken back since or not.
    private(set) var hasWrittenItself = false
    private let parentHasWritten: Bool
    /// The edits of ended objects that waited at the start.
    let pendingEdits: PendingEdits.Rows
    /// What the save before it had changed.
    let savedBefore: SavedChanges?
    /// What it has done to objects.
    var log = ChangeLog()
    /// What is to be called after the commit.
    var closures: [() -> Void] = []
    /// Whether it is to be rolled back though nothing failed.
    var rollsBack = false
    /// Why nothing can be written in it any more: SQLite has rolled back by itself.
    private(set) var failure: (any Error)?

    init(
        in parent: TransactionLevel?, edited objects: [(object: PersistentObject, map: ClassMap, places: ColumnSet)],
        _ pendingEdits: PendingEdits.Rows, savedBefore: SavedChanges?
    ) {
        self.parent = parent
        self.pendingEdits = pendingEdits
        self.savedBefore = savedBefore
        parentHasWritten = parent?.hasWritten ?? false
        for (object, map, places) in objects {
            edited[ObjectIdentifier(object)] = (object, ObjectCopy(of: object, map, places))
        }
    }

    /// Keeps what an object is like before it is saved or deleted.
    func touch(_ object: PersistentObject, _ map: ClassMap) { image(of: object, map).isWhole = true }

    /// The same before it is tried to be saved, which may be refused.
    func willSave(_ object: PersistentObject, _ map: ClassMap) {
        let image = image(of: object, map)
        if image.wasNew, !image.isWhole { tried.append(image) }
        image.isWhole = true
    }

    /// What was tried is done, or nothing is tried yet.
    func confirmSave() { tried = [] }

    /// The save was refused. New objects continue as if it had not been tried. The edits of other objects are undone
    /// with the transaction all the same: the transaction may be tried again, and then makes them again.
    func refuseSave() {
        for image in tried { image.refuse() }
        tried = []
    }

    /// Keeps one property before the saving of other objects changes it.
    func touch(_ object: PersistentObject, _ map: ClassMap, _ place: Int) { image(of: object, map).note(place) }

    private func image(of object: PersistentObject, _ map: ClassMap) -> ObjectImage {
        if let place = places[ObjectIdentifier(object)] {
            let image = images[place]
            // A new object may have been edited since: it will go back to what it is now.
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

    /// Whether it, or one that it is in, has written: what is read now was perhaps never committed.
    var hasWritten: Bool { hasWrittenItself || parentHasWritten }

    /// Something is about to be written.
    func willWrite() throws {
        try checkIsOpen()
        hasWrittenItself = true
    }

    /// Refuses what is done in a transaction that has failed as a whole.
    func checkIsOpen() throws {
        if let failure { throw failure }
    }

    /// A row was read into an object.
    func didRead(_ id: Int64, _ identity: IdentityMap) {
        guard hasWritten else { return }
        arrivals.append(Arrival(identity: identity, id: id, imageNumber: mending ?? imageNumber))
    }

    /// An object was made that has edits which waited for it. Where they waited at the start, they were edits then.
    func didRevive(_ object: PersistentObject, _ identity: IdentityMap, _ edit: PendingEdit) {
        guard pendingEdits[ObjectIdentifier(edit.map)]?[edit.rowID] === edit else { return }
        edited[ObjectIdentifier(object)] = (object, ObjectCopy(of: object, edit.map, identity.changes(of: object)))
        parent?.didRevive(object, identity, edit)
    }

    /// A row is about to be read into an object that is there. Where it says by chance what an edit has made, that would
    /// be no edit any more, though the row goes back.
    func willMerge(_ object: PersistentObject, _ map: ClassMap) {
        guard hasWritten, mending == nil, let block = object.baseline else { return }
        let edits = map.baseline.changes(ObjectMemory.start(of: object), block)
        guard !edits.isEmpty || places[ObjectIdentifier(object)] != nil else { return }
        image(of: object, map).noteEdits(edits)
    }

    /// What was read and is not brought back by an image: what was read before it was saved has its image from then.
    private var misreadRows: [Arrival] {
        arrivals.filter { arrival in
            guard let object = arrival.identity.object(for: arrival.id) else { return true }
            guard let place = places[ObjectIdentifier(object)] else { return true }
            return !images[place].isWhole || images[place].number >= arrival.imageNumber
        }
    }

    /// The live objects with values that were perhaps never committed.
    var misread: [PersistentObject] { misreadRows.compactMap { $0.identity.object(for: $0.id) } }

    func didPrepare(_ maps: [ClassMap]) { preparations += maps }

    /// The transaction is gone, with all that it is in.
    func fail(_ error: any Error) {
        failure = failure ?? error
        parent?.fail(error)
    }

    /// Takes over an inner one that has ended well.
    func absorb(_ inner: TransactionLevel) {
        absorb(inner.images, inner.misreadRows)
        log.add(inner.log)
        closures += inner.closures
        preparations += inner.preparations
        hasWrittenItself = hasWrittenItself || inner.hasWrittenItself
        unseen.merge(inner.unseen) { $0.union($1) }
    }

    /// What an inner one has saved or deleted was so in this one too, however the inner one has ended.
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
                // Edits that began in this one are none of its start. An object that was new has no other values.
                if !image.wasNew { image.values = edited[ObjectIdentifier(image.object)]?.values }
                add(image)
            }
        }
    }

    /// An inner transaction was rolled back. If this one is too, the edits that it tried to save are undone with it.
    func didRollBack(_ inner: TransactionLevel) {
        absorb(inner.images.filter(\.isWhole), inner.misreadRows)
        hasWrittenItself = hasWrittenItself || inner.hasWrittenItself
        unseen.merge(inner.unseen) { $0.union($1) }
    }

    /// Calls what brings memory to what the file is after the rollback of an inner one.
    func whileMending(_ body: () -> Void) {
        mending = imageNumber
        body()
        mending = nil
    }

    /// Edits from before that the misread rows had by chance were taken for these when they were read again.
    func restoreEdits(of misread: [PersistentObject]) {
        for object in misread {
            if let place = places[ObjectIdentifier(object)] { images[place].restoreEdits() }
        }
    }
}

// A long transaction keeps images of objects that can still be observed, and no more.
extension TransactionLevel {
    /// Drops the images of objects that have no other holder, because their restoration cannot be observed. Objects end
    /// here, and their `deinit` may do anything.
    ///
    /// The check runs each time that there are twice as many as were needed at the last check, so a transaction's time
    /// is in proportion to its work, and its memory to the objects that its caller holds.
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
        // Reading a row whose object has ended creates another object, which is recorded then.
        arrivals.removeAll { $0.identity.object(for: $0.id) == nil }
        crowd = Swift.max(TransactionLevel.leastCrowd, 2 * Swift.max(images.count, arrivals.count))
        return gone
    }

    /// Whether the row was saved in it by an object that was released. Edits of another object for the row are undone
    /// with the transaction, as the first object's would have been.
    func hasSavedUnseen(_ object: PersistentObject) -> Bool {
        guard !unseen.isEmpty, let identity = object.identityMap else { return false }
        return unseen[ObjectIdentifier(identity)]?.contains(object.rowID) ?? false
    }
}
