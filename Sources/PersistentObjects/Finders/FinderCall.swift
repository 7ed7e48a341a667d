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
        try run("[\(type)]") { session, space, plan, question in
            switch plan.parsed.subject {
            case .find:
                if let byID = try objectByID(session, space, question) { return byID }
                return try session.objects(space, question)
            case .first(let limit): return try session.objects(space, question, limit: limit ?? 1)
            case .last(let limit): return try session.objects(space, question, limit: limit ?? 1).reversed()
            case .delete:
                let objects = try session.objects(space, question)
                try session.deleteAll(objects)
                return objects
            case .only, .findOrCreate, .findOrInitialize, .count, .exists, .ids, .aggregate:
                return try oneObject(session, space, plan, question).map { [$0] }
            }
        }
    }

    /// For `[T]`, of a `find`: some of the objects.
    func objects(limit: Int, offset: Int) throws -> [PersistentObject] {
        try inSession { _, _, plan in
            guard case .find = plan.parsed.subject else {
                throw plan.wrongAnswer("[\(type)] with a limit")
            }
            var definition = try plan.definition(checking: arguments)
            definition.limit = Swift.max(limit, 0)
            definition.offset = Swift.max(offset, 0)
            return try QueryCall(definition).objects()
        }
    }

    /// For `T?`.
    func firstObject() throws -> PersistentObject? {
        let objects: [PersistentObject] = try run("\(type)?") { session, space, plan, question in
            switch plan.parsed.subject {
            case .find, .first, .last:
                if let byID = try objectByID(session, space, question) { return byID }
                return try session.objects(space, question, limit: 1)
            default: return try oneObject(session, space, plan, question).map { [$0] }
            }
        }
        return objects.first
    }

    /// For `T`.
    func onlyObject() throws -> PersistentObject {
        try run("\(type)") { session, space, plan, question in
            switch plan.parsed.subject {
            case .find, .first, .last: try session.onlyObject(space, question)
            default: try oneObject(session, space, plan, question)
            }
        }
    }

    /// The object of finders that have exactly one; nil for those that answer with something else.
    private func oneObject(
        _ session: Session, _ space: ClassSpace, _ plan: FinderPlan, _ question: Question
    ) throws -> PersistentObject? {
        let saves: Bool
        switch plan.parsed.subject {
        case .only: return try session.onlyObject(space, question)
        case .findOrCreate: saves = true
        case .findOrInitialize: saves = false
        default: return nil
        }
        return try session.objectOrNew(space, question, saves: saves) { try plan.fill($0, arguments) }
    }

    /// For `Int`.
    func number() throws -> Int {
        try run("Int") { session, space, plan, question in
            switch plan.parsed.subject {
            case .count: try session.count(space, question)
            case .delete: try session.delete(space, question)
            default: nil
            }
        }
    }

    /// For `Bool`.
    func truth() throws -> Bool {
        try run("Bool") { session, space, plan, question in
            if case .exists = plan.parsed.subject { try session.exists(space, question) } else { nil }
        }
    }

    /// For `[Int64]`.
    func ids() throws -> [Int64] {
        try run("[Int64]") { session, space, plan, question in
            if case .ids = plan.parsed.subject {
                try session.integers(space, question.plan.ids, question.bind)
            } else {
                nil
            }
        }
    }

    /// Runs `body`, whose nil means that the subject cannot give the answer.
    private func run<Answer>(
        _ asked: String, _ body: (Session, ClassSpace, FinderPlan, Question) throws -> Answer?
    ) throws -> Answer {
        try inSession { session, space, plan in
            if let answer = try body(session, space, plan, try plan.question(arguments)) { return answer }
            throw plan.wrongAnswer(asked)
        }
    }

    func inSession<Answer>(_ body: (Session, ClassSpace, FinderPlan) throws -> Answer) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            return try body(session, space, try FinderPlan.plan(name, space))
        }
    }

    /// By id the map answers, without SQL.
    private func objectByID(
        _ session: Session, _ space: ClassSpace, _ question: Question
    ) throws -> [PersistentObject]? {
        guard question.plan.subject == .id, case .integer(let id)? = question.key else { return nil }
        return try session.find(space, id).map { [$0] } ?? []
    }
}

extension FinderPlan {
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
            case .aggregate(.average, _), .aggregate(.total, _): "Double?"
            case .aggregate: "Int?"
            }
        return .wrongAnswerType(
            className: type, finder: name, asked: asked, use: "let answer: \(use ?? answer) = try \(type).\(name)(…)")
    }
}
