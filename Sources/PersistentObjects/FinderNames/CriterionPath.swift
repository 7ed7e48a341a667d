/// The path of a finder, from the class through references to the compared property.
struct CriterionPath {
    /// The property, if the path is a single property of the class.
    private(set) var property: QueryPath.Step?
    private(set) var path: QueryPath
    private(set) var scope = 0
    /// The collections on the path, outermost first. At least one element of each must meet the condition.
    private(set) var collections: [QueryExpression] = []

    init(_ step: QueryPath.Step) {
        property = step
        path = QueryPath(step)
    }

    init(_ path: AnyKeyPath) { self.init(.keyPath(path)) }

    var expression: QueryExpression { QueryExpression(.column(scope: scope, path)) }

    /// Whether the property belongs to a referenced object, which may be missing.
    var isChain: Bool { path.steps.count > 1 }

    /// The path as Swift writes it, `employer.name`; nil if a key path names no stored property.
    func propertyName(from type: PersistentObject.Type) -> String? {
        var names: [String] = []
        var next: PersistentObject.Type? = type
        let outer = collections.flatMap { collection -> [QueryPath.Step] in
            if case .column(_, let path)? = collection.words.first { path.steps } else { [] }
        }
        let all = outer + path.steps
        let map = try? ClassMap.map(of: type)
        let steps = map.flatMap { try? KeyPathChain.joined(all, in: $0) { try ClassMap.map(of: $0) } } ?? all
        for step in steps {
            guard let type = next, let map = try? ClassMap.map(of: type), let ordinal = ordinal(of: step, in: map)
            else {
                return nil
            }
            let property = map.properties[ordinal]
            names.append(property.name)
            next = property.linkedClass
        }
        return names.joined(separator: ".")
    }

    private func ordinal(of step: QueryPath.Step, in map: ClassMap) -> Int? {
        switch step {
        case .ordinal(let ordinal): ordinal < map.properties.count ? ordinal : nil
        case .keyPath(let path):
            if case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map) { ordinal } else { nil }
        }
    }

    /// The path to a property of the object that this path refers to.
    func appending(_ step: QueryPath.Step) -> CriterionPath {
        var result = self
        result.property = nil
        result.path = path.appending(step)
        return result
    }

    /// The path to a property of the elements of the collection that this path refers to.
    func entering(_ step: QueryPath.Step) -> CriterionPath {
        var result = self
        result.property = nil
        result.collections.append(expression)
        result.scope += 1
        result.path = QueryPath(step)
        return result
    }

    /// A condition on the property as a condition on the class's objects.
    func condition(_ condition: QueryExpression) -> QueryExpression {
        guard !collections.isEmpty else { return condition }
        var result = QueryExpression()
        for (index, collection) in collections.enumerated() {
            result.append(collection)
            result.append(.enter(scope: index + 1))
        }
        result.append(condition)
        for _ in collections { result.append(.leave(.any)) }
        return result
    }
}
