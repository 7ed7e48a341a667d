internal import StoreEngine

/// Puts the objects of an inverse in the order that it declares.
///
/// The values are read where they are, as saves read them: a property that is
/// just being changed by the user can be read so too.
final class InverseOrdering: Sendable {
    private let steps: [InverseOrderStep]
    /// The properties of the steps; their class may not be mapped yet when the inverse is.
    private let known = Locked<[Property]?>(nil)

    /// Nil where there is no order.
    init?(_ steps: [InverseOrderStep]) {
        guard !steps.isEmpty else { return nil }
        self.steps = steps
    }

    /// The properties of the class that it orders by; throws the reason why one cannot be.
    func properties(of map: ClassMap) throws(Refusal) -> [Property] {
        if let properties = known.withLock({ $0 }) { return properties }
        let probe = KeyPathProbe(map.properties, map.scratch)
        var properties: [Property] = []
        for step in steps {
            switch probe.property(of: step.path) {
            case .failure(let refused): throw Refusal(path: "\(step.path)", reason: refused.reason)
            case .success(let place):
                let property = map.properties[place]
                guard case .scalar = property.shape, property.boxOffset == nil else {
                    throw Refusal(
                        path: "\(step.path)", reason: "is no value that is read with its object, to order by")
                }
                properties.append(property)
            }
        }
        let found = properties
        known.withLock { $0 = found }
        return properties
    }

    struct Refusal: Error {
        let path: String
        let reason: String
    }

    /// The objects in order.
    func sorted(_ objects: [PersistentObject], of type: PersistentObject.Type) -> [PersistentObject] {
        guard objects.count > 1, let properties = properties(of: type) else { return objects }
        let keyed = objects.map { (object: $0, key: key(of: $0, properties)) }
        return keyed.sorted { comparison($0, $1) < 0 }.map(\.object)
    }

    /// Where one more object comes among some that are in order.
    func place(of object: PersistentObject, in objects: [PersistentObject], of type: PersistentObject.Type) -> Int {
        guard let properties = properties(of: type) else { return objects.count }
        let new = (object: object, key: key(of: object, properties))
        var (low, high) = (0, objects.count)
        while low < high {
            // Mostly it comes last.
            let middle = high == objects.count && low == 0 ? high - 1 : (low + high) / 2
            let other = (object: objects[middle], key: key(of: objects[middle], properties))
            if comparison(new, other) < 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The schema has refused before what cannot be ordered by.
    private func properties(of type: PersistentObject.Type) -> [Property]? {
        (try? ClassMap.map(of: type)).flatMap { try? properties(of: $0) }
    }

    private func key(of object: PersistentObject, _ properties: [Property]) -> [Any?] {
        let start = ObjectMemory.start(of: object)
        return properties.map { $0.codec.value($0.address(in: start)) }
    }

    private typealias Keyed = (object: PersistentObject, key: [Any?])

    private func comparison(_ one: Keyed, _ other: Keyed) -> Int {
        for (index, step) in steps.enumerated() {
            let order = step.compare(one.key[index], other.key[index])
            if order != 0 { return order }
        }
        // New objects come last.
        let (id, otherID) = (one.object.linkID, other.object.linkID)
        if id == otherID { return 0 }
        if id == LinkImage.none || otherID == LinkImage.none { return id == LinkImage.none ? 1 : -1 }
        return id < otherID ? -1 : 1
    }
}
