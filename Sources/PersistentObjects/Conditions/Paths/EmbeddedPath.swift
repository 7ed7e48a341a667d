/// Finds the field of an embedded value that consecutive key paths lead to: `\\.address`, `\\.place`, `\\.lat`.
///
/// A stored field of a structure has an offset, which its key path reveals; the offset and the type identify the field.
enum EmbeddedPath {
    /// The index of the field that the first steps lead to in an embedded value, and the remaining steps.
    static func field(
        _ steps: ArraySlice<QueryPath.Step>, of value: EmbeddedValue, in map: ClassMap
    ) throws -> (ordinal: Int, rest: ArraySlice<QueryPath.Step>) {
        var offset = 0
        var rest = steps
        while case .keyPath(let path)? = rest.popFirst() {
            guard let next = self.offset(of: path) else {
                throw refusal(path, of: value, in: map, "is computed or has willSet or didSet, so it has no column")
            }
            offset += next
            let type = Swift.type(of: path).valueType
            if let ordinal = value.ordinals.first(where: { map.properties[$0].isField(of: type, at: offset) }) {
                return (ordinal, rest)
            }
            guard rest.isEmpty else { continue }
            throw refusal(path, of: value, in: map, "is not a single column")
        }
        throw QueryError.notExpressible("\(map.name).\(value.whole.name) is an embedded value. Name one of its fields")
    }

    private static func refusal(
        _ path: AnyKeyPath, of value: EmbeddedValue, in map: ClassMap, _ reason: String
    ) -> QueryError {
        let names = fieldNames(of: value, in: map).joined(separator: ", ")
        return .notExpressible("\(path) in \(map.name).\(value.whole.name) \(reason). The columns are \(names)")
    }

    /// The names of the fields that key paths can name.
    static func fieldNames(of value: EmbeddedValue, in map: ClassMap) -> [String] {
        value.ordinals.compactMap { map.properties[$0].part }.filter { $0.presence != .flag }.map(\.name)
    }

    /// The offset of a key path's value in a structure; nil for a property that is not stored.
    private static func offset(of path: AnyKeyPath) -> Int? {
        func offset<Root>(_: Root.Type) -> Int? {
            (path as? PartialKeyPath<Root>).flatMap { MemoryLayout<Root>.offset(of: $0) }
        }
        return _openExistential(type(of: path).rootType, do: offset)
    }
}

extension QueryPath.Step {
    /// The index of the property that states whether the embedded value at this step is nil; nil for other steps.
    func presenceOrdinal(in map: ClassMap) -> Int? {
        guard !map.embedded.isEmpty, case .keyPath(let path) = self,
            let index = KeyPathResolver.embedded(path, in: map)
        else { return nil }
        return map.embedded[index].presenceFlag
    }
}

extension Property {
    /// Whether the property is the field with this type and offset in its embedded value.
    fileprivate func isField(of type: Any.Type, at offset: Int) -> Bool {
        part.map { $0.type == type && $0.offset == offset && $0.presence != .flag } ?? false
    }
}

extension KeyPathChain {
    /// The steps with consecutive steps into an embedded value replaced by one step to the field.
    static func joined(
        _ steps: [QueryPath.Step], in map: ClassMap, _ targetMap: (PersistentObject.Type) throws -> ClassMap
    ) throws -> [QueryPath.Step] {
        guard steps.count > 1 else { return steps }
        var result: [QueryPath.Step] = []
        var map = map
        var rest = steps[...]
        while let step = rest.popFirst() {
            if case .keyPath(let path) = step, !rest.isEmpty, let index = KeyPathResolver.embedded(path, in: map) {
                let field = try EmbeddedPath.field(rest, of: map.embedded[index], in: map)
                return result + [.ordinal(field.ordinal)] + field.rest
            }
            result.append(step)
            guard !rest.isEmpty, case .property(let ordinal)? = try? step.subject(in: map),
                let target = map.properties[ordinal].linkedClass
            else { break }
            map = try targetMap(target)
        }
        return result + rest
    }
}
