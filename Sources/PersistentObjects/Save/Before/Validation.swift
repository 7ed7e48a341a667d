internal import StoreEngine

/// Calls `validate` of objects, and collects the problems that count.
struct Validation {
    /// A check that needs the database or other objects.
    struct Question {
        let object: PersistentObject
        let map: ClassMap
        /// Nil for a name that is not a stored property.
        let ordinals: [Int?]
        let names: [String]
        let kind: Problems.Question.Kind
        let message: String?

        func problem(_ text: String) -> StoreError.Problem {
            StoreError.Problem(
                className: map.name, rowID: object.id, properties: names, message: message ?? text,
                object: ObjectIdentifier(object))
        }
    }

    private let session: SessionParts
    private(set) var problems: [StoreError.Problem] = []
    private(set) var questions: [Question] = []

    init(_ session: SessionParts) { self.session = session }

    /// Validates an object. If it has a row, only problems of changed properties and problems without a property count.
    ///
    /// - Parameter takesAll: Whether all problems count.
    mutating func validate(_ object: PersistentObject, _ map: ClassMap, takesAll: Bool = false) throws {
        var found = Problems(object)
        object.validate(&found)
        if let fault = found.fault { throw fault }
        guard !found.findings.isEmpty || !found.questions.isEmpty else { return }
        // Changes made by `validate` itself count as well.
        let changed = takesAll || object.lifecycle != .saved ? nil : map.changes(of: object)
        func counts(_ ordinals: [Int?]) -> Bool {
            guard let changed else { return true }
            return ordinals.isEmpty || ordinals.contains { $0.map { changed.contains($0) } ?? true }
        }
        for finding in found.findings {
            let (ordinals, names) = Validation.ordinalsAndNames(finding.properties, map)
            guard counts(ordinals) else { continue }
            problems.append(
                StoreError.Problem(
                    className: map.name, rowID: object.id, properties: names, message: finding.message,
                    object: ObjectIdentifier(object)))
        }
        for question in found.questions {
            let (ordinals, names) = Validation.ordinalsAndNames(question.properties, map)
            guard counts(ordinals) else { continue }
            questions.append(
                Question(
                    object: object, map: map, ordinals: ordinals, names: names, kind: question.kind,
                    message: question.message))
        }
    }

    /// Evaluates the questions, and throws all problems.
    mutating func finish(_ plan: SavePlan) throws {
        try answer(plan)
        if !problems.isEmpty { throw StoreError.invalid(problems) }
    }

    mutating func answer(_ plan: SavePlan) throws {
        guard !questions.isEmpty else { return }
        problems += try session.readTransaction.inOneState {
            var associations = Associations(session)
            var uniqueness = UniquenessCheck(session, plan)
            var found: [StoreError.Problem] = []
            for question in questions {
                switch question.kind {
                case .isUnique:
                    if try !uniqueness.holds(question) { found.append(question.problem(ClassMap.takenMessage)) }
                case .areValid(let objects): associations.add(question, objects)
                }
            }
            return try found + associations.problems()
        }
        questions = []
    }

    /// The places and names of the properties that key paths specify.
    private static func ordinalsAndNames(_ paths: [AnyKeyPath], _ map: ClassMap) -> (ordinals: [Int?], names: [String])
    {
        var ordinals: [Int?] = []
        var names: [String] = []
        for path in paths {
            switch try? KeyPathResolver.subject(of: path, in: map) {
            case .property(let ordinal)?:
                ordinals.append(ordinal)
                names.append(map.properties[ordinal].name)
            case .id?:
                ordinals.append(nil)
                names.append("id")
            case nil:
                // A computed property, or a part of one: `\Person.address.city`.
                ordinals.append(nil)
                let text = "\(path)"
                // The description of most computed properties has no name; the problem then belongs to the object.
                if text.contains("<") { continue }
                names.append(text.firstIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text)
            }
        }
        return (ordinals, names)
    }
}

extension ClassMap {
    /// The properties of a saved object that differ from the database.
    fileprivate func changes(of object: PersistentObject) -> ColumnSet {
        guard let block = object.baseline else { return ColumnSet() }
        return baseline.changes(ObjectMemory.start(of: object), block)
    }
}
