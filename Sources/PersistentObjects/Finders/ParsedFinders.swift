/// What the finder names of all classes mean: each is parsed once per class.
enum ParsedFinders {
    private struct State {
        var parsers: [ObjectIdentifier: FinderParser] = [:]
        var finders: [Key: ParsedFinder] = [:]
    }

    private struct Key: Hashable {
        let map: ObjectIdentifier
        let name: String
    }

    private static let state = Locked(State())
    /// Names that a program makes up at run time must not pile up.
    private static let limit = 10_000

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

    private static func parser(of map: ClassMap) -> FinderParser {
        if let known = state.withLock({ $0.parsers[ObjectIdentifier(map)] }) { return known }
        let links = map.properties.indices.filter { map.properties[$0].isLink }
        let collections = map.properties.indices.filter { place in
            switch map.properties[place].shape {
            case .scalar, .reference: false
            case .collection, .inverse: true
            }
        }
        let vocabulary = FinderVocabulary(
            className: map.name, properties: map.properties.map(\.name) + ["id"], links: Set(links),
            collections: Set(collections)
        ) { place in
            // A class that cannot be mapped is no class to look in; whoever uses it is told why.
            guard let link = map.properties[place].codec as? any LinkCodec,
                let target = try? ClassMap.map(of: link.target)
            else { return nil }
            return parser(of: target).vocabulary
        }
        return state.withLock { state in
            // One vocabulary per class: charts tell classes by it.
            if let first = state.parsers[ObjectIdentifier(map)] { return first }
            let parser = FinderParser(vocabulary)
            state.parsers[ObjectIdentifier(map)] = parser
            return parser
        }
    }
}
