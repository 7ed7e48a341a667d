/// The options of one call, read after its arguments.
struct FinderOptions {
    private let plan: FinderPlan
    private var limit: Int?
    private var offset: Int?
    private var orders: [QueryDefinition.Order] = []
    private var parts: [QueryPath] = []

    /// Throws if the finder does not support an option.
    init(_ arguments: [Any?], _ plan: FinderPlan) throws {
        self.plan = plan
        for (place, argument) in arguments.enumerated() {
            guard let option = argument as? FinderOption else { continue }
            guard place >= plan.parsed.argumentCount else { throw error(option, .beforeArgument) }
            if let reason = FinderOptions.objection(to: option.content, plan.parsed.subject) {
                throw error(option, reason)
            }
            switch option.content {
            case .limit(let count):
                guard limit == nil else { throw error(option, .givenTwice) }
                limit = count
            case .offset(let count):
                guard offset == nil else { throw error(option, .givenTwice) }
                offset = count
            case .order(let key, let isDescending):
                let isReversed = if case .last = plan.parsed.subject { true } else { false }
                orders.append(
                    .init(
                        expression: try expression(key, option), style: .init(isDescending: isDescending != isReversed))
                )
            case .including(let paths):
                for path in paths { try check(path, option) }
                parts += paths
            }
        }
    }

    /// Adds the options to a finder's query.
    func apply(to definition: inout QueryDefinition) {
        if let limit { definition.limit = limit }
        if let offset { definition.offset = offset }
        definition.parts += parts
        // A `findLast` finder ends its order with the id, which must stay last.
        let isByID = if case .last = plan.parsed.subject { true } else { false }
        definition.orders.insert(contentsOf: orders, at: definition.orders.count - (isByID ? 1 : 0))
    }

    /// The reason why a subject does not support an option; nil if it does. Every subject accepts an order, even if it
    /// has no effect.
    private static func objection(
        to option: FinderOption.Content, _ subject: ParsedFinder.Subject
    ) -> FinderError.OptionReason? {
        switch (subject, option) {
        case (.findOrCreate, _), (.findOrInitialize, _): .mayCreate
        case (.first, .limit), (.last, .limit): .numberInName
        case (.only, .limit), (.only, .offset): .onlyOne
        case (.count, .including), (.exists, .including), (.delete, .including), (.ids, .including),
            (.aggregate, .including):
            .noObjects
        default: nil
        }
    }

    private func expression(_ key: FinderOption.Key, _ option: FinderOption) throws -> QueryExpression {
        switch key {
        case .path(let path):
            try check(path, option)
            return QueryExpression(.column(scope: 0, path))
        case .name(let name):
            return try FinderMeaning.orderExpression(ordinals(name, option), of: plan.map, finder: plan.name)
        }
    }

    /// The indices of the properties on a dotted path.
    private func ordinals(_ name: String, _ option: FinderOption) throws -> [Int] {
        var ordinals: [Int] = []
        var next: ClassMap? = plan.map
        for part in name.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let map = next else { throw error(option, .notAReference(name)) }
            guard let ordinal = part == "id" ? map.properties.count : map.ordinal(of: part) else {
                let near = NameSuggestions(map.properties.map(\.name) + ["id"]).nearest(to: part)?.names ?? []
                throw error(option, .unknownProperty(part, className: map.name, suggestions: near))
            }
            ordinals.append(ordinal)
            let link = ordinal < map.properties.count ? map.properties[ordinal].linkedClass : nil
            next = try link.map { try ClassMap.map(of: $0) }
        }
        return ordinals
    }

    /// Throws if a key path does not begin at the class or one of its superclasses.
    private func check(_ path: QueryPath, _ option: FinderOption) throws {
        guard case .keyPath(let keyPath) = path.steps[0] else { return }
        let root = type(of: keyPath).rootType
        guard let root = root as? PersistentObject.Type, root == plan.map.type || ClassMap.isClass(plan.map.type, root)
        else {
            throw error(option, .otherClass("\(root)"))
        }
    }

    private func error(_ option: FinderOption, _ reason: FinderError.OptionReason) -> FinderError {
        .wrongOption(className: plan.map.name, finder: plan.name, option: option.word, reason: reason)
    }
}

extension FinderOption {
    /// The option as the user writes it.
    fileprivate var word: String {
        switch content {
        case .limit: ".limit"
        case .offset: ".offset"
        case .order: ".order"
        case .including: ".including"
        }
    }
}
