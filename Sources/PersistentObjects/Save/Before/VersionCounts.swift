internal import StoreEngine

/// The versions that a save has counted up in its objects, to take them back where it fails.
struct VersionCounts {
    private struct Entry {
        /// The caller of the save holds it.
        let borrowed: Borrowed<PersistentObject>
        var object: PersistentObject { borrowed.object }
        let offset: Int
        let old: Int
    }

    private var entries: [Entry] = []

    /// Sets the version to the one after that of the baseline.
    mutating func countUp(_ object: PersistentObject, _ map: ClassMap, _ place: Int) {
        let offset = map.properties[place].offset
        entries.append(
            Entry(
                borrowed: Borrowed(object), offset: offset,
                old: CounterMemory.load(offset, in: ObjectMemory.start(of: object))))
        VersionCounts.countUp(object, map, place)
    }

    static func countUp(_ object: PersistentObject, _ map: ClassMap, _ place: Int) {
        guard let block = object.baseline, case .integer(let version)? = map.baseline.storedValue(place, in: block)
        else { return }
        CounterMemory.store(
            Int(truncatingIfNeeded: version &+ 1), map.properties[place].offset, in: ObjectMemory.start(of: object))
    }

    /// Puts back what the objects had.
    func takeBack() {
        for entry in entries {
            CounterMemory.store(entry.old, entry.offset, in: ObjectMemory.start(of: entry.object))
        }
    }
}
