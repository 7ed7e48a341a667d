internal import StoreEngine

/// What a query asks, apart from the type that it answers in.
struct QueryDefinition: Sendable {
    let type: PersistentObject.Type
    /// Nil for all objects.
    private(set) var condition: QueryExpression?
    var orders: [Order] = []
    var limit: Int?
    var offset = 0
    /// The values that are asked for, where objects are not.
    var selection: [QueryExpression] = []
    /// Lazy properties and inverses to be loaded with the objects.
    var parts: [QueryPath] = []
    /// Whether its objects are for reading only.
    var isUntracked = false
    /// What an update assigns; the plan of an update is its own.
    var assigned: [QueryExpression] = []

    /// One of the values that the objects are ordered by.
    struct Order: Sendable {
        let expression: QueryExpression
        let style: OrderStyle
    }

    /// How values are ordered.
    struct OrderStyle: Hashable, Sendable {
        var isDescending = false
        /// Whether small and capital letters are the same.
        var ignoresCase = false
        /// Whether objects without a value come last; nil where it is as SQLite has it, less than any value.
        var hasNilLast: Bool?
    }

    init(_ type: PersistentObject.Type, _ condition: QueryExpression? = nil) {
        self.type = type
        self.condition = condition
    }

    mutating func add(_ other: QueryExpression) {
        guard !other.isEmpty || other.problem != nil else { return }
        condition = condition?.applying(.and, other) ?? other
    }

    /// Whether it is in the order of how well the words of a search are found.
    var isRanked: Bool { orders.isEmpty && condition?.words.contains(.operation(.matchesText)) ?? false }

    /// What two queries have in common that are one statement with other values.
    struct Shape: Hashable {
        let condition: [QueryExpression.Word]
        let orders: [[QueryExpression.Word]]
        let styles: [OrderStyle]
        let selection: [[QueryExpression.Word]]
        let hasLimit: Bool
        let hasOffset: Bool
    }

    var shape: Shape {
        Shape(
            condition: condition?.words ?? [], orders: orders.map(\.expression.words), styles: orders.map(\.style),
            selection: selection.map(\.words), hasLimit: limit != nil, hasOffset: offset != 0)
    }

    /// The values in the order of their placeholders, without limit and offset.
    var arguments: [QueryExpression.Argument] {
        let own = condition?.arguments ?? []
        guard !assigned.isEmpty || !orders.isEmpty || !selection.isEmpty else { return own }
        return assigned.flatMap(\.arguments) + own + orders.flatMap(\.expression.arguments)
            + selection.flatMap(\.arguments)
    }

    /// The first value that could not be encoded.
    var problem: (any Error)? {
        condition?.problem ?? (orders.lazy.map(\.expression) + selection).compactMap(\.problem).first
    }

    /// Throws what is known to be wrong without a look into the store.
    func check() throws {
        guard let problem else { return }
        throw (problem as? StoreError)?.at(className: String(describing: type)) ?? problem
    }
}
