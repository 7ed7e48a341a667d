internal import StoreEngine

/// One call of a dynamic finder: the name, the arguments, and the answers that its subject can give.
struct FinderCall {
    private let type: PersistentObject.Type
    private let name: String
    private let arguments: [Any?]

    init(_ type: PersistentObject.Type, _ name: String, _ arguments: [Any?]) {
        self.type = type
        self.name = name
        self.arguments = arguments
    }

    /// For `[T]`; a `delete` answers with the objects that it deleted.
    func objects() throws -> [PersistentObject] {
        try run("[\(type)]") { session, space, subject, question in
            switch subject {
            case .find:
                if let byID = try objectByID(session, space, question) { return byID }
                return try session.objects(space, question)
            case .first(let limit): return try session.objects(space, question, limit: limit ?? 1)
            case .delete:
                let objects = try session.objects(space, question)
                try session.deleteAll(objects)
                return objects
            case .count, .exists: return nil
            }
        }
    }

    /// For `T?`.
    func firstObject() throws -> PersistentObject? {
        let objects: [PersistentObject] = try run("\(type)?") { session, space, subject, question in
            switch subject {
            case .find, .first:
                if let byID = try objectByID(session, space, question) { return byID }
                return try session.objects(space, question, limit: 1)
            case .count, .exists, .delete: return nil
            }
        }
        return objects.first
    }

    /// For `T`.
    func onlyObject() throws -> PersistentObject {
        try run("\(type)") { session, space, subject, question in
            switch subject {
            case .find, .first: try session.onlyObject(space, question)
            case .count, .exists, .delete: nil
            }
        }
    }

    /// For `Int`.
    func number() throws -> Int {
        try run("Int") { session, space, subject, question in
            switch subject {
            case .count: try session.count(space, question.plan, question.bind)
            case .delete: try session.delete(space, question.plan, bind: question.bind)
            case .find, .first, .exists: nil
            }
        }
    }

    /// For `Bool`.
    func truth() throws -> Bool {
        try run("Bool") { session, space, subject, question in
            if case .exists = subject { try session.exists(space, question.plan, question.bind) } else { nil }
        }
    }

    /// Runs `body`, whose nil means that the subject cannot give the answer.
    private func run<Answer>(
        _ asked: String, _ body: (Session, ClassSpace, ParsedFinder.Subject, Question) throws -> Answer?
    ) throws -> Answer {
        let session = try CurrentSession.session(for: type)
        return try session.enter {
            let space = try session.space(of: type)
            let plan = try FinderPlan.plan(name, space)
            let values = try plan.values(arguments)
            let question = Question(plan: plan.condition.plan(for: values), values)
            if let answer = try body(session, space, plan.subject, question) { return answer }
            throw FinderError.wrongAnswerType(
                className: space.map.name, finder: name, asked: asked, use: declaration(for: plan.subject))
        }
    }

    /// By id the map answers, without SQL.
    private func objectByID(
        _ session: Session, _ space: ClassSpace, _ question: Question
    ) throws -> [PersistentObject]? {
        guard question.plan.isByID, case .integer(let id)? = question.key else { return nil }
        return try session.find(space, id).map { [$0] } ?? []
    }

    private func declaration(for subject: ParsedFinder.Subject) -> String {
        let answer =
            switch subject {
            case .find, .first: "[\(type)]"
            case .count, .delete: "Int"
            case .exists: "Bool"
            }
        return "let answer: \(answer) = try \(type).\(name)(…)"
    }
}
