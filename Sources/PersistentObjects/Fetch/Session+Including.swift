internal import StoreEngine

// Lazy properties and inverses that a query asks for.
extension Session {
    /// Objects that `fetch` gives with some of their parts, all of one state of the database.
    func including(
        _ parts: [QueryPath], _ space: ClassSpace, _ fetch: () throws -> [PersistentObject]
    ) throws -> [PersistentObject] {
        guard !parts.isEmpty else { return try fetch() }
        let names = try partNames(parts, space.map)
        return try inOneState {
            let objects = try fetch()
            for name in names { try loadPart(name, of: objects) }
            return objects
        }
    }

    /// The names of parts that may have to be loaded.
    func partNames(_ parts: [QueryPath], _ map: ClassMap) throws -> [String] {
        try parts.compactMap { path in
            guard case .keyPath(let keyPath) = path.steps[0],
                case .property(let place) = try KeyPathResolver.subject(of: keyPath, in: map)
            else { return nil }
            return map.properties[place].boxOffset == nil ? nil : map.properties[place].name
        }
    }

    private func loadPart(_ name: String, of objects: [PersistentObject]) throws {
        // Objects of subclasses have it at other places.
        var groups: [(map: ClassMap, place: Int, objects: [PersistentObject])] = []
        for object in objects {
            guard object.lifecycle == .saved, let map = object.identityMap?.classMap,
                let place = map.place(of: name),
                map.properties[place].box(in: ObjectMemory.start(of: object))?.state.isAway == true
            else { continue }
            if let index = groups.firstIndex(where: { $0.map === map }) {
                groups[index].objects.append(object)
            } else {
                groups.append((map, place, [object]))
            }
        }
        for (map, place, objects) in groups { try loadBoxes(of: objects, map, place) }
    }
}
