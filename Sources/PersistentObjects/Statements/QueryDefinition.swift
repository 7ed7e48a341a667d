internal import StoreEngine

/// The definition of a query, without its result type.
struct QueryDefinition: Sendable {
    let type: PersistentObject.Type
    /// The class in whose store the query runs. It differs from `type` if the query reads data about a class from other
    /// tables.
    let home: PersistentObject.Type
    /// It is a reference, because a query is copied eight times between the user's closure and the statement, and each
    /// copy of the values would count many references. It changes only while the query is built.
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

    /// The condition; nil for all objects.
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

    /// The selected values, if the query does not select objects.
    var selection: [QueryExpression] {
        get { content.values.selection }
        set { change { $0.selection = newValue } }
    }

    /// Lazy properties and inverses to load with the objects.
    var parts: [QueryPath] {
        get { content.values.parts }
        set { change { $0.parts = newValue } }
    }

    /// Whether the objects are read-only and untracked.
    var isUntracked: Bool {
        get { content.values.isUntracked }
        set { change { $0.isUntracked = newValue } }
    }

    /// The treatment of current objects in memory; nil if they stay as they are.
    var refreshing: Refreshing? {
        get { content.values.refreshing }
        set { change { $0.refreshing = newValue } }
    }

    /// The way objects in memory are read again.
    enum Refreshing { case keepingEdits, droppingEdits }

    /// Receives rows that cannot be decoded, which are then skipped; nil if such rows are errors.
    var undecodable: (@Sendable (UndecodableRow) -> Void)? {
        get { content.values.undecodable }
        set { change { $0.undecodable = newValue } }
    }

    /// The assignments of an update. The plan of an update is not shared.
    var assigned: [Assigned] {
        get { content.values.assigned }
        set { change { $0.assigned = newValue } }
    }

    /// An assignment of an update to the property with an index.
    struct Assigned: Sendable {
        let ordinal: Int
        let value: QueryExpression
    }

    /// One of the values that the objects are ordered by.
    struct Order: Sendable {
        let expression: QueryExpression
        let style: OrderStyle
    }

    /// The style of an order.
    struct OrderStyle: Hashable, Sendable {
        var isDescending = false
        var ignoresCase = false
        /// Whether objects without a value come last; nil for SQLite's default, in which nil is less than any value.
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

    /// Replaces the query by a condition that finds its results.
    mutating func becomeCondition(_ condition: QueryExpression) { self.condition = condition }

    /// Whether results are ordered by the rank of a search.
    var isRanked: Bool { orders.isEmpty && condition?.words.contains(.operation(.matchesText)) ?? false }

    /// The common shape of two queries that are one statement with different values.
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

    /// Whether the query has the given shape, usually without building its own.
    func has(_ shape: Shape) -> Bool {
        guard content.values.orders.isEmpty, content.values.selection.isEmpty, shape.orders.isEmpty,
            shape.selection.isEmpty
        else { return self.shape == shape }
        guard (content.values.limit != nil) == shape.hasLimit, (content.values.offset != 0) == shape.hasOffset else {
            return false
        }
        return content.values.condition?.has(shape.condition) ?? shape.condition.isEmpty
    }

    /// The only value of a query that consists of a single comparison.
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

    /// Throws errors that can be detected without the store.
    func check() throws {
        guard let problem else { return }
        throw (problem as? StoreError)?.at(className: String(describing: type)) ?? problem
    }
}
