internal import StoreEngine

// Lazy properties and inverses that a query includes.
extension LinkLoader {
    /// Objects that `fetch` returns with some of their parts loaded, all from one state of the database.
    func including(
        _ parts: [QueryPath], _ space: ClassSpace, _ fetch: () throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard !parts.isEmpty else { return try fetch() }
        let ways = try partNames(parts, space.map)
        return try session.readTransaction.inOneState {
            let objects = try fetch()
            for way in ways {
                var objects = objects
                for (depth, name) in way.enumerated() {
                    try loadPart(name, of: objects)
                    if depth < way.count - 1 { objects = targets(name, of: objects) }
                }
            }
            return objects
        }
    }

    /// The names of the properties that lead to each part. A part that is only a column of the object is left out.
    ///
    /// - Throws: The error of an invalid part, before anything is read.
    func partNames(_ parts: [QueryPath], _ map: ClassMap) throws -> [[String]] {
        try parts.compactMap { path in
            var map = map
            var names: [String] = []
            let steps = try KeyPathChain.steps(of: path, in: map) { try ClassMap.map(of: $0) }
            for (depth, step) in steps.enumerated() {
                guard case .property(let ordinal) = try step.subject(in: map) else { return nil }
                let property = map.properties[ordinal]
                names.append(property.name)
                if depth == steps.count - 1 { break }
                guard let target = property.linkedClass else {
                    throw QueryError.notExpressible(
                        "\(map.name).\(property.name) does not refer to objects, so nothing can be included after it")
                }
                map = try ClassMap.map(of: target)
            }
            return names
        }
    }

    /// The objects that a property of some objects refers to, each once.
    private func targets(_ name: String, of objects: [PersistentObject]) -> [PersistentObject] {
        var seen: Set<ObjectIdentifier> = []
        var targets: [PersistentObject] = []
        func add(_ target: PersistentObject) {
            if seen.insert(ObjectIdentifier(target)).inserted { targets.append(target) }
        }
        var property = NamedProperty(name)
        for object in objects {
            guard let map = object.identityMap?.classMap, let ordinal = property.ordinal(in: map) else { continue }
            property.link?.forEachTarget(map.properties[ordinal].address(in: ObjectMemory.start(of: object)), add)
        }
        return targets
    }

    private func loadPart(_ name: String, of objects: [PersistentObject]) throws {
        // The property has different indices in subclasses.
        var groups: [(map: ClassMap, ordinal: Int, objects: [PersistentObject])] = []
        var property = NamedProperty(name)
        for object in objects {
            guard object.lifecycle == .saved, let map = object.identityMap?.classMap,
                let ordinal = property.ordinal(in: map),
                map.properties[ordinal].box(in: ObjectMemory.start(of: object))?.state.isAway == true
            else { continue }
            // Not by a copy of the last group, because appending would then copy its objects each time.
            if let last = groups.indices.last, groups[last].map === map {
                groups[last].objects.append(object)
            } else if let index = groups.firstIndex(where: { $0.map === map }) {
                groups[index].objects.append(object)
            } else {
                groups.append((map, ordinal, [object]))
            }
        }
        for (map, ordinal, objects) in groups { try loadBoxes(of: objects, map, ordinal) }
    }
}

/// A property with a name, in the classes of some objects. Most adjacent objects have the same class, whose property is
/// looked up once.
private struct NamedProperty {
    let name: String
    private var map: ClassMap?
    private var ordinal: Int?
    /// The codec of the property in the last class; nil if it does not refer to objects.
    private(set) var link: (any LinkCodec)?

    init(_ name: String) { self.name = name }

    mutating func ordinal(in map: ClassMap) -> Int? {
        if map !== self.map {
            self.map = map
            ordinal = map.ordinal(of: name)
            link = ordinal.flatMap { map.properties[$0].codec as? any LinkCodec }
        }
        return ordinal
    }
}
