internal import StoreEngine

/// What a query asks, apart from the type that it answers in.
struct QueryDefinition: Sendable {
    let type: PersistentObject.Type
    /// The class in whose store the query runs: another class if the query concerns data that a class leaves in other
    /// tables.
    let home: PersistentObject.Type
    /// By reference: on its way from the user's closure to the statement a query is copied eight times, and a copy of
    /// its contents counts as many references. It is changed while it is put together, not then.
    private var content: Content

    private final class Content: Sendable {
        let values: Values
        init(_ values: Values) { self.values = values }
    }

    private struct Values: Sendable {
        var condition: QueryExpression?
        var orders: [Order] = []
        var limit: Int?
        var offset = 0
        var selection: [QueryExpression] = []
        var parts: [QueryPath] = []
        var isUntracked = false
        var refreshing: Refreshing?
        var undecodable: (@Sendable (UndecodableRow) -> Void)?
        var assigned: [Assigned] = []
    }

    private mutating func change(_ change: (inout Values) -> Void) {
        var values = content.values
        change(&values)
        content = Content(values)
    }

    /// Nil for all objects.
    private(set) var condition: QueryExpression? {
        get { content.values.condition }
        set { change { $0.condition = newValue } }
    }

    var orders: [Order] {
        get { content.values.orders }
        set { change { $0.orders = newValue } }
    }

    var limit: Int? {
        get { content.values.limit }
        set { change { $0.limit = newValue } }
    }

    var offset: Int {
        get { content.values.offset }
        set { change { $0.offset = newValue } }
    }

    /// The values that are asked for, where objects are not.
    var selection: [QueryExpression] {
        get { content.values.selection }
        set { change { $0.selection = newValue } }
    }

    /// Lazy properties and inverses to be loaded with the objects.
    var parts: [QueryPath] {
        get { content.values.parts }
        set { change { $0.parts = newValue } }
    }

    /// Whether its objects are for reading only.
    var isUntracked: Bool {
        get { content.values.isUntracked }
        set { change { $0.isUntracked = newValue } }
    }

    /// What becomes of objects in memory that are up to date; nil where they stay as they are.
    var refreshing: Refreshing? {
        get { content.values.refreshing }
        set { change { $0.refreshing = newValue } }
    }

    /// How objects in memory are read again.
    enum Refreshing { case keepingEdits, droppingEdits }

    /// Receives rows that cannot be decoded, which are left out; nil if they are errors.
    var undecodable: (@Sendable (UndecodableRow) -> Void)? {
        get { content.values.undecodable }
        set { change { $0.undecodable = newValue } }
    }

    /// What an update assigns; the plan of an update is its own.
    var assigned: [Assigned] {
        get { content.values.assigned }
        set { change { $0.assigned = newValue } }
    }

    /// What an update assigns to the property at a place.
    struct Assigned: Sendable {
        let place: Int
        let value: QueryExpression
    }

    /// One of the values that the objects are ordered by.
    struct Order: Sendable {
        let expression: QueryExpression
        let style: OrderStyle
    }

    /// How values are ordered.
    struct OrderStyle: Hashable, Sendable {
        var isDescending = false
        /// Whether case is ignored.
        var ignoresCase = false
        /// Whether objects without a value come last; nil where it is as SQLite has it, less than any value.
        var hasNilLast: Bool?
    }

    init(_ type: PersistentObject.Type, _ condition: QueryExpression? = nil, home: PersistentObject.Type? = nil) {
        self.type = type
        self.home = home ?? type
        content = Content(Values(condition: condition))
    }

    mutating func add(_ other: QueryExpression) {
        guard !other.isEmpty || other.problem != nil else { return }
        condition = condition?.applying(.and, other) ?? other
    }

    /// All that it finds in place of its condition.
    mutating func becomeCondition(_ condition: QueryExpression) { self.condition = condition }

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
        let values = content.values
        return Shape(
            condition: values.condition?.words ?? [], orders: values.orders.map(\.expression.words),
            styles: values.orders.map(\.style), selection: values.selection.map(\.words), hasLimit: values.limit != nil,
            hasOffset: values.offset != 0)
    }

    /// Whether `shape` is its shape, which need not be put together for it.
    func has(_ shape: Shape) -> Bool {
        guard content.values.orders.isEmpty, content.values.selection.isEmpty, shape.orders.isEmpty,
            shape.selection.isEmpty
        else { return self.shape == shape }
        guard (content.values.limit != nil) == shape.hasLimit, (content.values.offset != 0) == shape.hasOffset else {
            return false
        }
        return content.values.condition?.has(shape.condition) ?? shape.condition.isEmpty
    }

    /// The one value of a query that is a comparison and no more.
    var onlyArgument: QueryExpression.Argument? {
        guard content.values.limit == nil, content.values.offset == 0, content.values.assigned.isEmpty,
            content.values.orders.isEmpty, content.values.selection.isEmpty
        else { return nil }
        return content.values.condition?.onlyArgument
    }

    /// The values in the order of their placeholders, without limit and offset.
    var arguments: [QueryExpression.Argument] {
        let own = content.values.condition?.arguments ?? []
        guard !assigned.isEmpty || !orders.isEmpty || !selection.isEmpty else { return own }
        return assigned.flatMap(\.value.arguments) + own + orders.flatMap(\.expression.arguments)
            + selection.flatMap(\.arguments)
    }

    /// The first value that could not be encoded.
    var problem: (any Error)? {
        if let problem = content.values.condition?.problem { return problem }
        guard !content.values.orders.isEmpty || !content.values.selection.isEmpty else { return nil }
        return (orders.map(\.expression) + selection).lazy.compactMap(\.problem).first
    }

    /// Throws what is known to be wrong without a look into the store.
    func check() throws {
        guard let problem else { return }
        throw (problem as? StoreError)?.at(className: String(describing: type)) ?? problem
    }
}
