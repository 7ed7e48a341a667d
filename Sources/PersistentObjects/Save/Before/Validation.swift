internal import StoreEngine

/// Asks objects what is wrong with them and gathers what counts.
struct Validation {
    /// A question that the object alone cannot answer.
    struct Question {
        let object: PersistentObject
        let map: ClassMap
        /// Nil for what is no stored property.
        let places: [Int?]
        let names: [String]
        let kind: Problems.Question.Kind
        let message: String?

        func problem(_ text: String) -> StoreError.Problem {
            StoreError.Problem(
                className: map.name, rowID: object.id, properties: names, message: message ?? text,
                object: ObjectIdentifier(object))
        }
    }

    private let session: Session
    private(set) var problems: [StoreError.Problem] = []
    private(set) var questions: [Question] = []

    init(_ session: Session) { self.session = session }

    /// Asks an object; of one that has a row only what concerns changed properties counts, or no property.
    ///
    /// - Parameter takesAll: Whether all counts.
    mutating func ask(_ object: PersistentObject, _ map: ClassMap, takesAll: Bool = false) throws {
        var found = Problems(object)
        object.validate(&found)
        if let fault = found.fault { throw fault }
        guard !found.findings.isEmpty || !found.questions.isEmpty else { return }
        // Changes made by `validate` itself count as well.
        let changed = takesAll || object.lifecycle != .saved ? nil : map.changes(of: object)
        func counts(_ places: [Int?]) -> Bool {
            guard let changed else { return true }
            return places.isEmpty || places.contains { $0.map { changed.contains($0) } ?? true }
        }
        for finding in found.findings {
            let (places, names) = Validation.placesAndNames(finding.properties, map)
            guard counts(places) else { continue }
            problems.append(
                StoreError.Problem(
                    className: map.name, rowID: object.id, properties: names, message: finding.message,
                    object: ObjectIdentifier(object)))
        }
        for question in found.questions {
            let (places, names) = Validation.placesAndNames(question.properties, map)
            guard counts(places) else { continue }
            questions.append(
                Question(
                    object: object, map: map, places: places, names: names, kind: question.kind,
                    message: question.message))
        }
    }

    /// Answers the questions that were left; throws all that is wrong.
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

    /// Where the properties are that key paths name, and what they are called.
    private static func placesAndNames(_ paths: [AnyKeyPath], _ map: ClassMap) -> (places: [Int?], names: [String]) {
        var places: [Int?] = []
        var names: [String] = []
        for path in paths {
            switch try? KeyPathResolver.subject(of: path, in: map) {
            case .property(let place)?:
                places.append(place)
                names.append(map.properties[place].name)
            case .id?:
                places.append(nil)
                names.append("id")
            case nil:
                // A computed property, or a part of one: `\Person.address.city`.
                places.append(nil)
                let text = "\(path)"
                // Without a name, as most computed properties are described, it is a problem of the object.
                if text.contains("<") { continue }
                names.append(text.firstIndex(of: ".").map { String(text[text.index(after: $0)...]) } ?? text)
            }
        }
        return (places, names)
    }
}

extension ClassMap {
    /// The properties of a saved object that differ from the database.
    fileprivate func changes(of object: PersistentObject) -> ColumnSet {
        guard let block = object.baseline else { return ColumnSet() }
        return baseline.changes(ObjectMemory.start(of: object), block)
    }
}
