/// Links that wait for objects which are not in memory yet.
struct PendingLinks {
    enum Link {
        case reference(PersistentObject, map: ClassMap, place: Int, id: Int64)
        case collection(PersistentObject, map: ClassMap, place: Int, LinkImage, old: [Int64])
    }

    private(set) var links: [Link] = []
    /// The ids of the rows to read, by hierarchy: one query finds objects of all its classes.
    private(set) var missing: [(ClassSpace, [Int64])] = []

    /// - Parameter root: the space of the hierarchy's root.
    mutating func add(_ link: Link, missing id: Int64, _ root: ClassSpace) {
        links.append(link)
        missing[entry(of: root)].1.append(id)
    }

    mutating func add(_ link: Link, missing ids: [Int64], _ root: ClassSpace) {
        links.append(link)
        missing[entry(of: root)].1 += ids
    }

    private mutating func entry(of root: ClassSpace) -> Int {
        if let known = missing.firstIndex(where: { $0.0 === root }) { return known }
        missing.append((root, []))
        return missing.count - 1
    }
}
