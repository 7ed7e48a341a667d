internal import StoreEngine

/// One call of a dynamic finder: the name, the arguments, and the answers that its subject can give.
struct FinderCall {
    private let type: PersistentObject.Type
    private let name: String
    let arguments: [Any?]

    init(_ type: PersistentObject.Type, _ name: String, _ arguments: [Any?]) {
        self.type = type
        self.name = name
        self.arguments = arguments
    }

    /// For `[T]`; a `delete` answers with the objects that it deleted.
    func objects() throws -> [PersistentObject] {
        try run("[\(type)]") { session, plan, request in
            switch plan.parsed.subject {
            case .find: return try request.objects()
            case .first(let limit): return try request.objects(limit: limit ?? 1)
            case .last(let limit): return try request.objects(limit: limit ?? 1).reversed()
            case .delete:
                let objects = try request.objects()
                try session.deleteAll(objects)
                return objects
            case .only, .findOrCreate, .findOrInitialize, .count, .exists, .ids, .aggregate:
                return try oneObject(session, plan, request).map { [$0] }
            }
        }
    }

    /// For `T?`.
    func firstObject() throws -> PersistentObject? {
        let objects: [PersistentObject] = try run("\(type)?") { session, plan, request in
            switch plan.parsed.subject {
            case .find, .first, .last: try request.objects(limit: 1)
            default: try oneObject(session, plan, request).map { [$0] }
            }
        }
        return objects.first
    }

    /// For `T`.
    func onlyObject() throws -> PersistentObject {
        try run("\(type)") { session, plan, request in
            switch plan.parsed.subject {
            case .find, .first, .last: try request.onlyObject()
            default: try oneObject(session, plan, request)
            }
        }
    }

    /// The object of finders that have exactly one; nil for those that answer with something else.
    private func oneObject(
        _ session: Session, _ plan: FinderPlan, _ request: FinderRequest
    ) throws -> PersistentObject? {
        let saves: Bool
        switch plan.parsed.subject {
        case .only: return try request.onlyObject()
        case .findOrCreate: saves = true
        case .findOrInitialize: saves = false
        default: return nil
        }
        return try session.objectOrNew(request.space, request.question, saves: saves) { try plan.fill($0, arguments) }
    }

    /// For `Int`.
    func number() throws -> Int {
        try run("Int") { session, plan, request in
            switch plan.parsed.subject {
            case .count: try session.count(request.space, request.question)
            case .delete: try session.delete(request.space, request.question)
            default: nil
            }
        }
    }

    /// For `Bool`.
    func truth() throws -> Bool {
        try run("Bool") { session, plan, request in
            if case .exists = plan.parsed.subject { try session.exists(request.space, request.question) } else { nil }
        }
    }

    /// For `[Int64]`.
    func ids() throws -> [Int64] {
        try run("[Int64]") { session, plan, request in
            if case .ids = plan.parsed.subject {
                try session.ids(request.space, request.question)
            } else {
                nil
            }
        }
    }

    /// Runs `body`, whose nil means that the subject cannot give the answer.
    private func run<Answer>(
        _ asked: @autoclosure () -> String, _ body: (Session, FinderPlan, FinderRequest) throws -> Answer?
    ) throws -> Answer {
        try inSession { session, space, plan in
            if let answer = try body(session, plan, try plan.request(arguments)) { return answer }
            throw plan.wrongAnswer(asked())
        }
    }

    func inSession<Answer>(_ body: (Session, ClassSpace, FinderPlan) throws -> Answer) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            return try body(session, space, try FinderPlan.plan(name, space))
        }
    }
}

/// What one call asks of a session.
struct FinderRequest {
    let space: ClassSpace
    let question: Question
    /// Where the call has options.
    let definition: QueryDefinition?

    func objects() throws -> [PersistentObject] {
        if let definition { return try QueryCall(definition).objects() }
        return try objectByID() ?? space.session.objects(space, question)
    }

    func objects(limit: Int) throws -> [PersistentObject] {
        guard var definition else { return try objectByID() ?? space.session.objects(space, question, limit: limit) }
        definition.limit = Swift.min(definition.limit ?? limit, limit)
        return try QueryCall(definition).objects()
    }

    func onlyObject() throws -> PersistentObject {
        if let definition { return try QueryCall(definition).onlyObject() }
        return try space.session.onlyObject(space, question)
    }

    /// By id the map answers, without SQL.
    private func objectByID() throws -> [PersistentObject]? {
        guard question.plan.subject == .id, case .integer(let id)? = question.key else { return nil }
        return try space.session.find(space, id).map { [$0] } ?? []
    }
}

extension FinderPlan {
    /// The type of the property that an aggregate is made of.
    func valueType(_ places: [Int]) -> Any.Type {
        guard let (_, map, _) = try? FinderCriterion.follow(places, from: space.map), let last = places.last,
            last < map.properties.count
        else { return Int64.self }
        let type = map.properties[last].codec.valueType
        return (type as? any OptionalType.Type)?.wrapped ?? type
    }

    /// The error of an answer asked for in a type that the finder cannot give; `use` is the one to write.
    func wrongAnswer(_ asked: String, use: String? = nil) -> FinderError {
        let type = className
        let answer =
            switch parsed.subject {
            case .find, .first, .last: "[\(type)]"
            case .only, .findOrCreate, .findOrInitialize: type
            case .count, .delete: "Int"
            case .exists: "Bool"
            case .ids: "[Int64]"
            case .aggregate(let aggregate, let places): "\(aggregateType(aggregate, places))?"
            }
        return .wrongAnswerType(
            className: type, finder: name, asked: asked, use: "let answer: \(use ?? answer) = try \(type).\(name)(…)")
    }
}
