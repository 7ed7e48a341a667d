internal import StoreEngine

/// The versions that a save increments in its objects, so that a failed save can restore them.
struct VersionCounts {
    private struct Entry {
        /// Borrowed, because the caller of the save retains the object.
        let borrowed: Borrowed<PersistentObject>
        var object: PersistentObject { borrowed.object }
        let offset: Int
        let old: Int
    }

    private var entries: [Entry] = []

    /// Sets the version to the baseline's version plus one.
    mutating func countUp(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        let offset = map.properties[ordinal].offset
        entries.append(
            Entry(
                borrowed: Borrowed(object), offset: offset,
                old: CounterMemory.load(offset, in: ObjectMemory.start(of: object))))
        VersionCounts.countUp(object, map, ordinal)
    }

    static func countUp(_ object: PersistentObject, _ map: ClassMap, _ ordinal: Int) {
        guard let block = object.baseline, case .integer(let version)? = map.baseline.storedValue(ordinal, in: block)
        else { return }
        CounterMemory.store(
            Int(truncatingIfNeeded: version &+ 1), map.properties[ordinal].offset, in: ObjectMemory.start(of: object))
    }

    /// Restores the previous versions.
    func revert() {
        for entry in entries {
            CounterMemory.store(entry.old, entry.offset, in: ObjectMemory.start(of: entry.object))
        }
    }
}
