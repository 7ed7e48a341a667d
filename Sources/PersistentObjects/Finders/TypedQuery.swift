internal import StoreEngine

/// A typed finder without its property: what it begins with, and what to do with what is found.
struct TypedQuery<Answer> {
    /// The objects of the class, or those of the query that the finder was started from.
    let start: QueryDefinition
    let ending: (Session, ClassSpace, Question) throws -> Answer

    init(
        type: PersistentObject.Type, ending: @escaping (Session, ClassSpace, Question) throws -> Answer
    ) { self.init(start: .scoped(type), ending: ending) }

    init(
        start: QueryDefinition, ending: @escaping (Session, ClassSpace, Question) throws -> Answer
    ) {
        self.start = start
        self.ending = ending
    }

    /// The answer for the objects that meet a condition on the property at the end of a path as well.
    func run(_ condition: QueryExpression, on path: CriterionPath) throws -> Answer {
        if let problem = condition.problem as? StoreError {
            throw problem.at(
                className: String(describing: start.type), property: path.propertyName(from: start.type))
        }
        var definition = start
        definition.add(condition)
        return try QueryCall(definition).ask(ending)
    }

    /// The answer for the objects whose property has a value: the finder that is called most, so that its plan is kept
    /// by the key path, and the value is bound where it is. Nil where the property or the query is not as simple.
    func run<V>(_ path: AnyKeyPath, _ value: V) throws -> Answer? {
        guard start.condition == nil, start.limit == nil, start.offset == 0, start.orders.isEmpty else { return nil }
        let session = try CurrentSession.session(for: start.type)
        return try session.enter {
            let space = try session.space(of: start.type)
            let plan = try space.plan(path) {
                var definition = QueryDefinition(start.type)
                let column = QueryExpression(.column(scope: 0, QueryPath(path)))
                definition.add(column.applying(.identical, QueryExpression(argument: .value(.null))))
                return try QueryPlan(definition, space)
            }
            guard let place = plan.scalarPlace, place != space.map.keyPlace else { return nil }
            // The key path's type is exactly the property's, so the codec can take the value where it is.
            return try ObjectMemory.withAddress(of: value) { address in
                let key = plan.uniquePlace == nil ? nil : try? space.map.properties[place].codec.encode(address)
                return try ending(
                    session, space,
                    Question(
                        plan: plan,
                        bind: { statement in
                            do throws(ValueFault) {
                                try space.map.fields[place].bind(address, to: statement, at: 1)
                            } catch { throw space.located(error, property: place) }
                        }, key: key))
            }
        }
    }
}
