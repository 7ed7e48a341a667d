@_spi(Locks) internal import StoreEngine

/// A cache of parsed finder names. Each name is parsed once per class.
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
    /// The number of cached names is limited, because a program can create names at run time.
    static let limit = 1000

    /// The meaning of a name. Properties are indices in the map; the index after the last property is the id.
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

    /// The custom operators of a class. They are known once a name of the class was parsed.
    static func operators(of map: ClassMap) -> [FinderOperator] {
        state.withLock { $0.operators[ObjectIdentifier(map)] } ?? []
    }

    /// The number of cached names.
    static var count: Int { state.withLock { $0.finders.count } }

    /// The problem of the class's custom operators; nil if there is none.
    static func problem(of map: ClassMap) -> FinderError? { parser(of: map).problem }

    private static func parser(of map: ClassMap) -> FinderParser {
        if let known = state.withLock({ $0.parsers[ObjectIdentifier(map)] }) { return known }
        let links = map.properties.indices.filter { map.properties[$0].isLink }
        let collections = map.properties.indices.filter { ordinal in
            switch map.properties[ordinal].shape {
            case .scalar, .reference: false
            case .collection, .inverse: true
            }
        }
        let booleanProperties = map.properties.indices.filter { map.properties[$0].codec.isBool }
        // It is called once, outside the lock, because it is user code.
        let own = map.type.finderOperators
        let objection = FinderOperatorTable.objection(to: own.map(\.name))
        let problem = objection.map {
            FinderError.invalidOperator(className: map.name, operation: $0.name, reason: $0.reason)
        }
        let vocabulary = FinderVocabulary(
            className: map.name, properties: map.properties.map(\.name) + ["id"], links: Set(links),
            collections: Set(collections), booleanProperties: Set(booleanProperties),
            operators: own.isEmpty || problem != nil
                ? .builtIn : FinderOperatorTable(own: own.map { ($0.name, $0.content.argumentCount) })
        ) { ordinal in
            // A class that cannot be mapped is skipped. Using the class throws the reason.
            guard let link = map.properties[ordinal].codec as? any LinkCodec,
                let target = try? ClassMap.map(of: link.target)
            else { return nil }
            return parser(of: target).vocabulary
        }
        return state.withLock { state in
            // There must be one vocabulary per class, because charts identify classes by their vocabularies.
            if let first = state.parsers[ObjectIdentifier(map)] { return first }
            let parser = FinderParser(vocabulary, problem: problem)
            if !own.isEmpty { state.operators[ObjectIdentifier(map)] = own }
            state.parsers[ObjectIdentifier(map)] = parser
            return parser
        }
    }
}
