/// Links that wait for objects that are not in memory yet.
struct PendingLinks {
    /// A collection of one object.
    struct Collection {
        let object: PersistentObject
        let map: ClassMap
        let ordinal: Int
        let image: LinkImage
        let old: [Int64]
        /// The space of the elements' root class.
        let root: ClassSpace
    }

    private(set) var references: [ReferenceLinks] = []
    private(set) var collections: [Collection] = []
    /// The ids of the rows to read, by hierarchy, because one query finds objects of all classes of a hierarchy.
    private(set) var missing: [(ClassSpace, [Int64])] = []

    /// - Parameter root: The space of the hierarchy's root.
    mutating func add(_ links: ReferenceLinks, _ root: ClassSpace) {
        references.append(links)
        // Duplicates are removed later, from all ids that are read together.
        let ids = links.ids.contains(LinkImage.none) ? links.ids.filter { $0 != LinkImage.none } : links.ids
        missing[entry(of: root)].1 += ids
    }

    mutating func add(_ collection: Collection, missing ids: [Int64]) {
        collections.append(collection)
        missing[entry(of: collection.root)].1 += ids
    }

    /// The only collection, if it consists of exactly these missing rows.
    func collection(of ids: [Int64], _ root: ClassSpace) -> Collection? {
        guard collections.count == 1, let only = collections.first, only.root === root, only.image.ids == ids else {
            return nil
        }
        return only
    }

    private mutating func entry(of root: ClassSpace) -> Int {
        if let known = missing.firstIndex(where: { $0.0 === root }) { return known }
        missing.append((root, []))
        return missing.count - 1
    }
}
