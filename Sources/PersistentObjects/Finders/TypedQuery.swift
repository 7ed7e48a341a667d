internal import StoreEngine

/// A typed finder without its property: the query that it starts from, and the kind of its result.
///
/// It is independent of the finder's generic types, so that a call requests no metadata from the runtime, which would
/// take as long as the rest of the call.
struct TypedQuery {
    private let type: PersistentObject.Type
    /// The query that the finder starts from; nil if it starts from all objects of the class.
    private let start: Start?
    private let resultKind: ResultKind

    /// It is a class, because most finders have no such query, and the finder is copied with each step of a path.
    private final class Start {
        let definition: QueryDefinition
        init(_ definition: QueryDefinition) { self.definition = definition }
    }

    init(_ type: PersistentObject.Type, _ resultKind: ResultKind) {
        self.type = type
        start = nil
        self.resultKind = resultKind
    }

    /// Creates a finder of the objects that a query finds.
    init(_ definition: QueryDefinition) {
        type = definition.type
        start = Start(definition)
        resultKind = .objects
    }

    /// The result for the objects that also meet a condition on the property at the end of a path.
    func run(_ condition: QueryExpression, on path: CriterionPath) throws -> FinderResult {
        if let problem = condition.problem as? StoreError {
            throw problem.at(className: String(describing: type), property: path.propertyName(from: type))
        }
        var definition = start?.definition ?? .scoped(type)
        definition.add(condition)
        if resultKind == .last { definition = try definition.lastFirst() }
        return try QueryCall(definition).run(named: name(path.propertyName(from: type))) { try $0.found(resultKind) }
    }

    /// The result for the objects whose property equals a value, which is the most common finder. Its plan is cached by
    /// key path, and the value is bound without a copy. Nil if the property or the query is not that simple.
    func run<V>(_ path: AnyKeyPath, _ value: V) throws -> FinderResult? {
        guard start == nil, resultKind != .last, QueryDefinition.scope(of: type) == nil else { return nil }
        let session = try CurrentSession.session(for: type)
        return try session.enterQuery("", of: type, named: name(CriterionPath(path).propertyName(from: type))) {
            let space = try session.space(of: type)
            let plan = try space.equalities.plan(for: path) {
                var definition = QueryDefinition(type)
                let column = QueryExpression(.column(scope: 0, QueryPath(path)))
                definition.add(column.applying(.identical, QueryExpression(argument: .value(.null))))
                return try space.makePlan(definition)
            }
            guard let ordinal = plan.scalarOrdinal, ordinal != space.map.keyOrdinal else { return nil }
            // The key path's type is exactly the property's type, so the codec can read the value in place.
            return try ObjectMemory.withAddress(of: value) { address in
                let key = plan.uniqueOrdinal == nil ? nil : try? space.map.properties[ordinal].codec.encode(address)
                let field = space.map.fields[ordinal]
                let query = BoundQuery(space, plan, key: key) { statement in
                    if plan.comparesHashes { try session.store.sealed?.prepareToCompare(session.connection) }
                    do throws(ValueFault) { try field.bind(address, to: statement, at: 1) } catch {
                        throw space.located(error, property: ordinal)
                    }
                }
                return try query.found(resultKind)
            }
        }
    }
    /// The call as the user wrote it, `findBy.lastName`, for statement profiles.
    private func name(_ property: String?) -> String {
        let start = start == nil ? "" : "query."
        let finder =
            switch resultKind {
            case .objects: "findBy"
            case .first: "findFirstBy"
            case .last: "findLastBy"
            case .only: "findOnlyBy"
            case .count: "countBy"
            case .exists: "existsBy"
            case .delete: "deleteBy"
            }
        return property.map { "\(start)\(finder).\($0)" } ?? start + finder
    }
}
