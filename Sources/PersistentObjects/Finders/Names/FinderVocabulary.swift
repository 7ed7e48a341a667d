/// The names that finder names of one class are made of, and the classes that its links lead to.
///
/// A class that a link leads to is looked at only where a name may go on into
/// it: classes can refer to each other in circles.
final class FinderVocabulary: Sendable {
    let className: String
    /// The stored properties; the id is one of them.
    let properties: [String]
    let lexicon: FinderLexicon
    let propertyNames: NameSuggestions
    /// Those of names that begin at the class.
    let operators: FinderOperatorTable
    /// The properties that are true or false.
    let truths: Set<Int>
    private let links: Set<Int>
    private let collections: Set<Int>
    private let target: @Sendable (Int) -> FinderVocabulary?

    init(
        className: String, properties: [String], links: Set<Int> = [], collections: Set<Int> = [],
        truths: Set<Int> = [], operators: FinderOperatorTable = .builtIn,
        target: @escaping @Sendable (Int) -> FinderVocabulary? = { _ in nil }
    ) {
        self.className = className
        self.properties = properties
        self.links = links
        self.truths = truths
        self.collections = collections
        self.target = target
        self.operators = operators
        lexicon = FinderLexicon(properties: properties)
        propertyNames = NameSuggestions(properties)
    }

    /// The names of the class that a property leads to; nil where it leads to none.
    func target(of property: Int) -> FinderVocabulary? { links.contains(property) ? target(property) : nil }

    /// Whether a property is a collection or inverse, whose elements can be asked for.
    func hasElements(_ property: Int) -> Bool { collections.contains(property) }

    /// Paths of one step, as they may have been meant.
    var pathNames: NameSuggestions {
        NameSuggestions(
            links.sorted().flatMap { link -> [(shown: String, compared: String)] in
                guard let target = target(of: link) else { return [] }
                let name = properties[link]
                return target.properties.map { ("\(name).\($0)", name + $0) }
            })
    }

    /// A path as Swift writes it: `employer.name`.
    func text(of path: [Int]) -> String {
        var names: [String] = []
        var vocabulary: FinderVocabulary? = self
        for place in path {
            guard let here = vocabulary else { break }
            names.append(here.properties[place])
            vocabulary = here.target(of: place)
        }
        return names.joined(separator: ".")
    }
}
