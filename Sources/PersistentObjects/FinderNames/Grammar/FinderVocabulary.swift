/// The words of one class's finder names, and the classes that its links lead to.
///
/// The class of a link is examined only if a name may continue with it, because classes can refer to each other in
/// cycles.
final class FinderVocabulary: Sendable {
    let className: String
    /// The names of the stored properties and of the id.
    let properties: [String]
    let lexicon: FinderLexicon
    let propertyNames: NameSuggestions
    /// The operators in names that begin at the class.
    let operators: FinderOperatorTable
    /// The Boolean properties.
    let booleanProperties: Set<Int>
    private let links: Set<Int>
    private let collections: Set<Int>
    private let target: @Sendable (Int) -> FinderVocabulary?

    init(
        className: String, properties: [String], links: Set<Int> = [], collections: Set<Int> = [],
        booleanProperties: Set<Int> = [], operators: FinderOperatorTable = .builtIn,
        target: @escaping @Sendable (Int) -> FinderVocabulary? = { _ in nil }
    ) {
        self.className = className
        self.properties = properties
        self.links = links
        self.booleanProperties = booleanProperties
        self.collections = collections
        self.target = target
        self.operators = operators
        lexicon = FinderLexicon(properties: properties)
        propertyNames = NameSuggestions(properties)
    }

    /// The vocabulary of the class that a property links to; nil if it does not link to a class.
    func target(of property: Int) -> FinderVocabulary? { links.contains(property) ? target(property) : nil }

    /// Whether a property is a collection or inverse, which supports conditions on elements.
    func hasElements(_ property: Int) -> Bool { collections.contains(property) }

    /// Paths of one link and one property, as suggestions.
    var pathNames: NameSuggestions {
        NameSuggestions(
            links.sortedUnspecialized().flatMap { link -> [(shown: String, compared: String)] in
                guard let target = target(of: link) else { return [] }
                let name = properties[link]
                return target.properties.map { ("\(name).\($0)", name + $0) }
            })
    }

    /// A path as Swift writes it: `employer.name`.
    func text(of path: [Int]) -> String {
        var names: [String] = []
        var vocabulary: FinderVocabulary? = self
        for ordinal in path {
            guard let here = vocabulary else { break }
            names.append(here.properties[ordinal])
            vocabulary = here.target(of: ordinal)
        }
        return names.joined(separator: ".")
    }
}
