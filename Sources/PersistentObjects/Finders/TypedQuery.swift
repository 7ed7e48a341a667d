internal import StoreEngine

/// The key paths of a typed finder: from the class over links to the property that is compared, and how it is.
struct TypedPath: Hashable {
    var links: [AnyKeyPath] = []
    var last: AnyKeyPath
    var operation = FinderCondition.Operation.equal

    /// Whether it names a property of the class itself, to be compared as such.
    var isProperty: Bool { links.isEmpty && operation == .equal }

    /// The path to a property of what this one leads to.
    func appending(_ path: AnyKeyPath) -> TypedPath { TypedPath(links: links + [last], last: path) }

    func asking(_ operation: FinderCondition.Operation) -> TypedPath {
        TypedPath(links: links, last: last, operation: operation)
    }

    /// What the key paths name.
    func comparison(in map: ClassMap) throws -> FinderCondition.Comparison {
        var map = map
        var path: [Int] = []
        for link in links {
            guard case .property(let place) = try KeyPathResolver.subject(of: link, in: map),
                let codec = map.properties[place].codec as? any LinkCodec
            else { throw FinderError.notStoredProperty(className: map.name, keyPath: "\(link)", reason: .path) }
            path.append(place)
            map = try ClassMap.map(of: codec.target)
        }
        let subject = try KeyPathResolver.subject(of: last, in: map)
        let place = if case .property(let place) = subject { place } else { map.properties.count }
        return FinderCondition.Comparison(path: path + [place], operation: operation, isID: subject == .id)
    }
}

/// A typed finder without its property: the class, and what to do with what is found.
struct TypedQuery<Answer> {
    let type: PersistentObject.Type
    let ending: (Session, ClassSpace, Question) throws -> Answer

    func run<V>(_ path: TypedPath, _ value: V) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            let plan = try space.condition(path) {
                try ConditionPlan(
                    FinderCondition(alternatives: [[try path.comparison(in: space.map)]]), space, finder: "findBy")
            }
            guard path.isProperty, case .property(let place) = plan.comparisons[0].comparison.subject,
                case .scalar = space.map.properties[place].shape, place != space.map.keyPlace
            else { return try ending(session, space, try question(plan, value, space)) }
            let codec = space.map.properties[place].codec
            // The key path's type is exactly the property's, so the codec can take the value where it is.
            return try ObjectMemory.withAddress(of: value) { address in
                let key = plan.uniquePlace == nil ? nil : try? codec.encode(address)
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

    private func question<V>(_ plan: ConditionPlan, _ value: V, _ space: ClassSpace) throws -> Question {
        let argument = OptionalValue.flattened(value)
        let values = try plan.arguments.map { comparison in
            // The id's type has a nil, which no row has.
            if argument == nil, comparison.comparison.subject == .id { return DatabaseValue.null }
            return try comparison.checkedValue(of: argument, className: space.map.name, finder: "findBy")
        }
        return Question(plan: plan.plan(for: values), values)
    }
}

extension Question {
    /// A condition with values that were checked.
    init(plan: ConditionPlan, _ values: [DatabaseValue]) {
        self.init(
            plan: plan,
            bind: { statement in
                for (index, value) in values.enumerated() { try statement.bind(value, at: Int32(index) + 1) }
            }, key: plan.uniquePlace != nil || plan.isByID ? values.first : nil)
    }
}
