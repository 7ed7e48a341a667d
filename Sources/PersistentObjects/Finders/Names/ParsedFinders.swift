/// What the finder names of all classes mean: each is parsed once per class.
enum ParsedFinders {
    private struct State {
        var parsers: [ObjectIdentifier: FinderParser] = [:]
        /// The operators of classes with custom operators.
        var operators: [ObjectIdentifier: [FinderOperator]] = [:]
        var finders: [Key: ParsedFinder] = [:]
    }

    private struct Key: Hashable {
        let map: ObjectIdentifier
        let name: String
    }

    private static let state = Locked(State())
    /// Names that a program makes up at run time must not pile up.
    static let limit = 1000

    /// The meaning of a name; properties are places in the map, the id comes after the last.
    static func finder(_ name: String, of map: ClassMap) throws(FinderError) -> ParsedFinder {
        let key = Key(map: ObjectIdentifier(map), name: name)
        if let known = state.withLock({ $0.finders[key] }) { return known }
        let finder = try parser(of: map).parse(name)
        state.withLock { state in
            if state.finders.count >= limit { state.finders = [:] }
            state.finders[key] = finder
        }
        return finder
    }

    /// The operators that are the class's own, once a name of it was read.
    static func operators(of map: ClassMap) -> [FinderOperator] {
        state.withLock { $0.operators[ObjectIdentifier(map)] } ?? []
    }

    /// How many names are remembered.
    static var count: Int { state.withLock { $0.finders.count } }

    /// What is wrong with the class's own operators; nil where nothing is.
    static func problem(of map: ClassMap) -> FinderError? { parser(of: map).problem }

    private static func parser(of map: ClassMap) -> FinderParser {
        if let known = state.withLock({ $0.parsers[ObjectIdentifier(map)] }) { return known }
        let links = map.properties.indices.filter { map.properties[$0].isLink }
        let collections = map.properties.indices.filter { place in
            switch map.properties[place].shape {
            case .scalar, .reference: false
            case .collection, .inverse: true
            }
        }
        let truths = map.properties.indices.filter { map.properties[$0].codec.isBool }
        // Called once, outside the lock: it is user code.
        let own = map.type.finderOperators
        let objection = FinderOperatorTable.objection(to: own.map(\.name))
        let problem = objection.map {
            FinderError.invalidOperator(className: map.name, operation: $0.name, reason: $0.reason)
        }
        let vocabulary = FinderVocabulary(
            className: map.name, properties: map.properties.map(\.name) + ["id"], links: Set(links),
            collections: Set(collections), truths: Set(truths),
            operators: own.isEmpty || problem != nil
                ? .builtIn : FinderOperatorTable(own: own.map { ($0.name, $0.content.argumentCount) })
        ) { place in
            // A class that cannot be mapped is not searched; using it throws the reason.
            guard let link = map.properties[place].codec as? any LinkCodec,
                let target = try? ClassMap.map(of: link.target)
            else { return nil }
            return parser(of: target).vocabulary
        }
        return state.withLock { state in
            // One vocabulary per class: charts tell classes by it.
            if let first = state.parsers[ObjectIdentifier(map)] { return first }
            let parser = FinderParser(vocabulary, problem: problem)
            if !own.isEmpty { state.operators[ObjectIdentifier(map)] = own }
            state.parsers[ObjectIdentifier(map)] = parser
            return parser
        }
    }
}
