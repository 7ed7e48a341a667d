/// Links that wait for objects which are not in memory yet.
struct PendingLinks {
    /// A collection of one object.
    struct Collection {
        let object: PersistentObject
        let map: ClassMap
        let place: Int
        let image: LinkImage
        let old: [Int64]
    }

    private(set) var references: [ReferenceLinks] = []
    private(set) var collections: [Collection] = []
    /// The ids of the rows to read, by hierarchy: one query finds objects of all its classes.
    private(set) var missing: [(ClassSpace, [Int64])] = []

    /// - Parameter root: the space of the hierarchy's root.
    mutating func add(_ links: ReferenceLinks, _ root: ClassSpace) {
        references.append(links)
        // All at once: which of them are the same is found out for all that is read together.
        let ids = links.ids.contains(LinkImage.none) ? links.ids.filter { $0 != LinkImage.none } : links.ids
        missing[entry(of: root)].1 += ids
    }

    mutating func add(_ collection: Collection, missing ids: [Int64], _ root: ClassSpace) {
        collections.append(collection)
        missing[entry(of: root)].1 += ids
    }

    private mutating func entry(of root: ClassSpace) -> Int {
        if let known = missing.firstIndex(where: { $0.0 === root }) { return known }
        missing.append((root, []))
        return missing.count - 1
    }
}
