@_spi(Locks) internal import StoreEngine

/// Sorts the objects of an inverse in its declared order.
///
/// The values are read in place, as saves read them, so that a property can be read while the user is changing it.
final class InverseOrdering: Sendable {
    /// The value that one step compares.
    enum Key: Sendable {
        case id
        case property(Property)
    }

    private let steps: [InverseOrderStep]
    /// The values that the steps compare; found later, because their class may not be mapped when the inverse is
    /// mapped.
    private let known = Locked<[Key]?>(nil)

    /// Nil if there is no order.
    init?(_ steps: [InverseOrderStep]) {
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    /// The sort keys of the class; throws the reason if it cannot be sorted.
    func keys(of map: ClassMap) throws(Refusal) -> [Key] {
        if let keys = known.withLock({ $0 }) { return keys }
        let probe = KeyPathProbe(map.properties, map.scratch)
        var keys: [Key] = []
        for step in steps {
            switch probe.property(of: step.path) {
            case .failure where probe.readsID(step.path): keys.append(.id)
            case .failure(let refused): throw Refusal(path: "\(step.path)", reason: refused.reason)
            case .success(let place):
                let property = map.properties[place]
                guard case .scalar = property.shape, property.boxOffset == nil else {
                    throw Refusal(
                        path: "\(step.path)",
                        reason: "is not a value that is fetched with its object, so it cannot be sorted by")
                }
                keys.append(.property(property))
            }
        }
        let found = keys
        known.withLock { $0 = found }
        return keys
    }

    struct Refusal: Error {
        let path: String
        let reason: String
    }

    /// The objects in order.
    func sorted(_ objects: [PersistentObject], of type: PersistentObject.Type) -> [PersistentObject] {
        guard objects.count > 1, let keys = keys(of: type) else { return objects }
        let keyed = objects.map { (object: $0, key: values(of: $0, keys)) }
        return keyed.sorted { comparison($0, $1) < 0 }.map(\.object)
    }

    /// The insertion position of another object among sorted objects.
    func place(of object: PersistentObject, in objects: [PersistentObject], of type: PersistentObject.Type) -> Int {
        guard let keys = keys(of: type) else { return objects.count }
        let new = (object: object, key: values(of: object, keys))
        var (low, high) = (0, objects.count)
        while low < high {
            // The object is usually inserted last.
            let middle = high == objects.count && low == 0 ? high - 1 : (low + high) / 2
            let other = (object: objects[middle], key: values(of: objects[middle], keys))
            if comparison(new, other) < 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The sort keys. The schema has already rejected properties that cannot be sorted by.
    private func keys(of type: PersistentObject.Type) -> [Key]? {
        (try? ClassMap.map(of: type)).flatMap { try? keys(of: $0) }
    }

    private func values(of object: PersistentObject, _ keys: [Key]) -> [Any?] {
        let start = ObjectMemory.start(of: object)
        return keys.map { key in
            switch key {
            case .property(let property): property.codec.value(property.address(in: start))
            // A new object will get the greatest id.
            case .id: object.linkID == LinkImage.none ? Int64.max : object.linkID
            }
        }
    }

    private typealias Keyed = (object: PersistentObject, key: [Any?])

    private func comparison(_ one: Keyed, _ other: Keyed) -> Int {
        for (index, step) in steps.enumerated() {
            let order = step.compare(one.key[index], other.key[index])
            if order != 0 { return order }
        }
        // New objects sort last.
        let (id, otherID) = (one.object.linkID, other.object.linkID)
        if id == otherID { return 0 }
        if id == LinkImage.none || otherID == LinkImage.none { return id == LinkImage.none ? 1 : -1 }
        return id < otherID ? -1 : 1
    }
}
