@_spi(Locks) internal import StoreEngine

/// Finds the steps of a key path that leads through references: `\Person.boss?.name`.
///
/// Like `KeyPathProbe`, it observes only the values that the key path reads. It links objects that are never stored
/// through one reference after the other. The key path names the property at their end whose values it reads.
enum KeyPathChain {
    private static let known = Locked<[KeyPathResolver.Key: [QueryPath.Step]]>([:])

    /// The steps of a path. If its first key path leads through references, it is split into one step for each.
    static func steps(
        of path: QueryPath, in map: ClassMap, _ targetMap: (PersistentObject.Type) throws -> ClassMap
    ) throws -> [QueryPath.Step] {
        let steps = path.steps
        try refuseSubscripts(steps, in: map)
        guard case .keyPath(let first) = steps[0] else { return try joined(steps, in: map, targetMap) }
        let key = KeyPathResolver.Key(first, of: map)
        guard isPath(first, key) else { return try joined(steps, in: map, targetMap) }
        // The key path names a field of an embedded value.
        if !map.embedded.isEmpty, (try? KeyPathResolver.subject(of: first, in: map)) != nil { return steps }
        if let found = known.withLock({ $0[key] }) { return found + steps.dropFirst() }
        guard let found = try Examination.run({ try find(first, in: map, targetMap) }) else { return steps }
        known.withLock { $0[key] = found }
        return found + steps.dropFirst()
    }

    /// Key paths with subscripts are rejected, because evaluating a subscript on a sample value may stop the process.
    private static func refuseSubscripts(_ steps: [QueryPath.Step], in map: ClassMap) throws {
        for case .keyPath(let path) in steps where KeyPathShape.hasSubscript(path) {
            throw QueryError.notExpressible(
                "The key path \(path) of \(map.name) contains a subscript, which SQL cannot evaluate. Name a "
                    + "property, or store the element in a separate property")
        }
    }

    /// Key paths of one step. They are cached, because only the description of a key path shows its steps and it takes
    /// microseconds to create.
    private static let ofOneStep = Locked<Set<KeyPathResolver.Key>>([])
    /// The cache is bounded, because key paths can have arguments and there can be any number of them.
    private static let limit = 4096

    private static func isPath(_ path: AnyKeyPath, _ key: KeyPathResolver.Key) -> Bool {
        if ofOneStep.withLock({ $0.contains(key) }) { return false }
        if KeyPathProbe.isPath(path) { return true }
        ofOneStep.withLock { known in
            if known.count >= limit { known = [] }
            known.insert(key)
        }
        return false
    }

    /// The maximum number of steps to search. Each step multiplies the number of combinations.
    private static let longest = 5

    private static func find(
        _ path: AnyKeyPath, in map: ClassMap, _ targetMap: (PersistentObject.Type) throws -> ClassMap
    ) throws -> [QueryPath.Step]? {
        let signs = KeyPathProbe.signs(in: path)
        let count = signs.count { $0 == "." } + 1
        // A key path that unwraps a missing object by force would stop the process.
        guard count > 1, count <= longest, !signs.contains("!") else { return nil }
        let object = map.type.init()
        guard object[keyPath: path] != nil else { return nil }
        return try find(path, of: object, from: object, map, targetMap, left: count)
    }

    /// The steps from `last` on, if `path` starts at `first`.
    private static func find(
        _ path: AnyKeyPath, of first: PersistentObject, from last: PersistentObject, _ map: ClassMap,
        _ targetMap: (PersistentObject.Type) throws -> ClassMap, left: Int
    ) throws -> [QueryPath.Step]? {
        guard left > 1 else { return end(path, of: first, from: last, map).map { [.ordinal($0)] } }
        // The last steps may lead to a field of an embedded value.
        if !map.embedded.isEmpty, let ordinal = end(path, of: first, from: last, map, isPart: true) {
            return [.ordinal(ordinal)]
        }
        for (ordinal, property) in map.properties.enumerated() {
            guard case .reference = property.shape, let codec = property.codec as? ReferenceCodec else { continue }
            let field = property.address(in: ObjectMemory.start(of: last))
            let next = try targetMap(codec.target)
            let target = next.type.init()
            let before = codec.object(field)
            codec.set(target, at: field)
            defer { codec.set(before, at: field) }
            if let rest = try find(path, of: first, from: target, next, targetMap, left: left - 1) {
                return [.ordinal(ordinal)] + rest
            }
        }
        return nil
    }

    /// The index of the property of `last` that `path` reads from `first`; the index after the last property is the id.
    private static func end(
        _ path: AnyKeyPath, of first: PersistentObject, from last: PersistentObject, _ map: ClassMap,
        isPart: Bool = false
    ) -> Int? {
        let wanted = unwrapped(type(of: path).valueType)
        let start = ObjectMemory.start(of: last)
        let probe = KeyPathProbe(map.properties, map.scratch)
        let found = map.properties.indices.filter { ordinal in
            let property = map.properties[ordinal]
            return unwrapped(property.codec.valueType) == wanted && (!isPart || property.part != nil)
                && probe.reads(path, property, of: first, at: start) == true
                && probe.isAlone(path, ordinal, of: first, at: start)
        }
        if found.count == 1 { return found[0] }
        return !isPart && found.isEmpty && wanted == Int64.self && readsID(path, of: first, last)
            ? map.properties.count : nil
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }

    private static func readsID(_ path: AnyKeyPath, of first: PersistentObject, _ last: PersistentObject) -> Bool {
        defer {
            last.lifecycle = .new
            last.rowID = 0
        }
        last.lifecycle = .saved
        return Int64.samples.allSatisfy { sample in
            last.rowID = sample
            return OptionalValue.flattened(first[keyPath: path]) as? Int64 == sample
        }
    }
}
