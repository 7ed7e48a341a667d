@_spi(Locks) import StoreEngine

@testable import PersistentObjects

/// Classes that exist only as names, for tests of the grammar.
final class GrammarModel: Sendable {
    struct Class {
        var properties: [String]
        var links: [String: String] = [:]
        var collections: Set<String> = []
        var booleanProperties: Set<String> = []
    }

    private let classes: [String: Class]
    private let known = Locked<[String: FinderVocabulary]>([:])

    init(_ classes: [String: Class]) { self.classes = classes }

    /// People with employers, mentors, pets and tags.
    static let people = GrammarModel([
        "Person": Class(
            properties: [
                "lastName", "firstName", "age", "email", "isActive", "createdAt", "employer", "mentor", "tags", "pets",
                "id",
            ],
            links: ["employer": "Company", "mentor": "Person", "pets": "Pet"], collections: ["tags", "pets"],
            booleanProperties: ["isActive"]),
        "Company": Class(
            properties: ["name", "size", "country", "staff", "id"], links: ["country": "Country", "staff": "Person"],
            collections: ["staff"]),
        "Country": Class(properties: ["code", "id"]),
        "Pet": Class(properties: ["name", "owner", "id"], links: ["owner": "Person"]),
    ])

    func vocabulary(_ name: String) -> FinderVocabulary {
        if let known = known.withLock({ $0[name] }) { return known }
        let described = classes[name] ?? Class(properties: [])
        let places = described.properties.indices
        let made = FinderVocabulary(
            className: name, properties: described.properties,
            links: Set(places.filter { described.links[described.properties[$0]] != nil }),
            collections: Set(places.filter { described.collections.contains(described.properties[$0]) }),
            booleanProperties: Set(places.filter { described.booleanProperties.contains(described.properties[$0]) })
        ) { [unowned self] place in described.links[described.properties[place]].map { vocabulary($0) } }
        return known.withLock { known in
            if let first = known[name] { return first }
            known[name] = made
            return made
        }
    }

    var parser: FinderParser { FinderParser(vocabulary("Person")) }

    /// The meaning of a name, or the error message.
    func meaning(_ name: String) -> String {
        do {
            let finder = try parser.parse(name)
            return finder.subject.word + (finder.isDistinct ? " distinct" : "") + ": " + parser.text(of: finder)
        } catch {
            return "\(error)"
        }
    }
}

extension ParsedFinder.Subject {
    /// The subject as a short string.
    fileprivate var word: String {
        switch self {
        case .first(let limit): "first" + (limit.map { " \($0)" } ?? "")
        case .last(let limit): "last" + (limit.map { " \($0)" } ?? "")
        case .aggregate: "aggregate"
        default: "\(self)"
        }
    }
}
