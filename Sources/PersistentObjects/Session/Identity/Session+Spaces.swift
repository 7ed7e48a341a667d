internal import Synchronization

// What the session has of the classes that were used in it. Most calls in a row are about one class.
extension Session {
    /// The identity map and statements of a class, its table made or updated.
    @inline(__always)
    package func space(of type: PersistentObject.Type) throws -> ClassSpace {
        if lastClass == ObjectIdentifier(type), let lastSpace, lastVersion == store.classes.version {
            return lastSpace
        }
        let space = try spaces.space(of: type, self)
        lastSpace = space
        lastClass = ObjectIdentifier(type)
        lastVersion = spaces.version
        return space
    }

    /// The rows of a class in memory, all of whose objects are of the class; nil where more has to be looked at.
    @inline(__always)
    func knownRows(of type: PersistentObject.Type) -> Borrowed<RowTable>? {
        guard lastClass == ObjectIdentifier(type), lastVersion == store.classes.version else { return nil }
        return lastRows
    }

    /// What is found without SQL may be expired, or of another state than that of a reading: then it is looked at.
    func noteLastRows() {
        let isPlain = expired.isEmpty && !isReading.load(ordering: .relaxed)
        lastRows = isPlain ? lastSpace.flatMap(\.allRows) : nil
    }

    /// The class used last is looked up again.
    func forgetLastClass() {
        lastSpace = nil
        lastClass = nil
    }

    /// What the session has of a hierarchy; nil where none of its classes was used in it.
    func usedHierarchy(of root: PersistentObject.Type) -> HierarchySpace? { spaces.hierarchy(of: root) }

    /// What the session has of a class; nil where it was not used in it.
    func usedSpace(of type: PersistentObject.Type) -> ClassSpace? { spaces.usedSpace(of: type) }

    /// What it has of all hierarchies of which classes were used.
    var usedHierarchies: [HierarchySpace] { spaces.allHierarchies }

    /// The space of the class that an object is of.
    func space(of object: PersistentObject) throws -> ClassSpace { try space(of: type(of: object)) }

    /// The identity maps of all classes used so far.
    var allIdentities: [IdentityMap] { spaces.allIdentities }

    /// How many objects there are.
    var liveCount: Int { spaces.liveCount }
}
