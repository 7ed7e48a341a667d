internal import StoreEngine

/// One call of a dynamic finder: its name, its arguments, and the results that its subject supports.
struct FinderCall {
    private let type: PersistentObject.Type
    private let name: String
    let arguments: [Any?]

    init(_ type: PersistentObject.Type, _ name: String, _ arguments: [Any?]) {
        self.type = type
        self.name = name
        self.arguments = arguments
    }

    /// The result as `[T]`. A `delete` finder returns the objects that it deleted.
    func objects() throws -> [PersistentObject] {
        try run("[\(type)]") { plan, query in
            switch plan.parsed.subject {
            case .find: return try query.objectsOrByID()
            case .first(let limit): return try query.objectsOrByID(limit: limit ?? 1)
            case .last(let limit): return try query.objectsOrByID(limit: limit ?? 1).reversed()
            case .delete:
                let objects = try query.objectsOrByID()
                try Delete(query.session).deleteAll(objects)
                return objects
            case .only, .findOrCreate, .findOrInitialize, .count, .exists, .ids, .aggregate:
                return try oneObject(plan, query).map { [$0] }
            }
        }
    }

    /// The result as `T?`.
    func firstObject() throws -> PersistentObject? {
        let objects: [PersistentObject] = try run("\(type)?") { plan, query in
            switch plan.parsed.subject {
            case .find, .first, .last: try query.objectsOrByID(limit: 1)
            default: try oneObject(plan, query).map { [$0] }
            }
        }
        return objects.first
    }

    /// The result as `T`.
    func onlyObject() throws -> PersistentObject {
        try run("\(type)") { plan, query in
            switch plan.parsed.subject {
            case .find, .first, .last: try query.single()
            default: try oneObject(plan, query)
            }
        }
    }

    /// The object of a finder that returns exactly one object; nil for other subjects.
    private func oneObject(_ plan: FinderPlan, _ query: BoundQuery) throws -> PersistentObject? {
        let saves: Bool
        switch plan.parsed.subject {
        case .only: return try query.single()
        case .findOrCreate: saves = true
        case .findOrInitialize: saves = false
        default: return nil
        }
        return try query.objectOrNew(saves: saves) { try plan.fill($0, arguments) }
    }

    /// The result as `Int`.
    func number() throws -> Int {
        try run("Int") { plan, query in
            switch plan.parsed.subject {
            case .count: try query.count()
            case .delete: try query.delete()
            default: nil
            }
        }
    }

    /// The result as `Bool`.
    func truth() throws -> Bool {
        try run("Bool") { plan, query in
            if case .exists = plan.parsed.subject { try query.exists() } else { nil }
        }
    }

    /// The result as `[Int64]`.
    func ids() throws -> [Int64] {
        try run("[Int64]") { plan, query in
            if case .ids = plan.parsed.subject { try query.ids() } else { nil }
        }
    }

    /// Runs `body`, which returns nil if the subject does not support the result type.
    private func run<Answer>(
        _ requested: @autoclosure () -> String, _ body: (FinderPlan, BoundQuery) throws -> Answer?
    ) throws -> Answer {
        try inSession { space, plan in
            if let answer = try body(plan, try plan.query(arguments, space)) { return answer }
            throw plan.wrongAnswer(requested())
        }
    }

    func inSession<Answer>(_ body: (ClassSpace, FinderPlan) throws -> Answer) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enterQuery("", of: type, named: name) {
            let space = try session.space(of: type)
            return try body(space, try FinderPlan.plan(name, space))
        }
    }
}

extension BoundQuery {
    /// The objects of a finder. If it compares the id, the identity map is used without SQL.
    fileprivate func objectsOrByID(limit: Int? = nil) throws -> [PersistentObject] {
        guard plan.subject == .id, case .integer(let id)? = key else { return try objects(limit: limit) }
        return try Fetch(session).find(space, id).map { [$0] } ?? []
    }
}

extension FinderPlan {
    /// The type of the aggregated property, without an optional.
    func valueType(_ ordinals: [Int]) -> Any.Type {
        guard let (_, end, _) = try? FinderCriterion.follow(ordinals, from: map), let last = ordinals.last,
            last < end.properties.count
        else { return Int64.self }
        let type = end.properties[last].codec.valueType
        return (type as? any OptionalType.Type)?.wrapped ?? type
    }

    /// The error of a result type that the finder does not support; `use` is the supported type.
    func wrongAnswer(_ requested: String, use: String? = nil) -> FinderError {
        let type = map.name
        let answer =
            switch parsed.subject {
            case .find, .first, .last: "[\(type)]"
            case .only, .findOrCreate, .findOrInitialize: type
            case .count, .delete: "Int"
            case .exists: "Bool"
            case .ids: "[Int64]"
            case .aggregate(let aggregate, let ordinals): "\(aggregateType(aggregate, ordinals))?"
            }
        return .wrongAnswerType(
            className: type, finder: name, asked: requested,
            use: "let answer: \(use ?? answer) = try \(type).\(name)(…)")
    }
}
