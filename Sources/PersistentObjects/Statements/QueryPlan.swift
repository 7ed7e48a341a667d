internal import StoreEngine

/// A query compiled for one session: the SQL of its statements, written once for all queries of a shape.
final class QueryPlan {
    let sql: ClassSQL
    let table: String
    /// The selected values, if objects are not selected.
    let selection: [SQL]
    /// The indices of the selected values that are decimal numbers.
    let decimals: Set<Int>
    /// The codecs of the selected values; nil for a value without a codec.
    private let codecs: [PropertyCodec?]
    private let joins: SQL
    /// The statement that counts the objects that a search finds; nil if anything else is asked for.
    private let searchCount: SQL?
    private let condition: SQL?
    let order: SQL
    /// The search indexes that the query uses.
    let searches: [SearchSource]
    /// Whether the query specifies an order, or has the order of a search.
    let isOrdered: Bool
    /// Whether the rows have the order of the results. If not, the results are sorted by id.
    let isAnswerOrdered: Bool
    let argumentCount: Int
    /// The forms of arguments that must be converted for the columns they are compared with, by the arguments' indices.
    let keys: [Int: ComparedForm]
    /// Whether hashes of encrypted properties are compared.
    let comparesHashes: Bool
    /// The assigned values of an update, in order.
    let assigned: [QueryOperand]
    private let hasLimit: Bool
    let hasOffset: Bool
    /// The statement that selects objects, while it is not in use. It is kept here, because looking it up by its SQL is
    /// slower.
    var kept: Statement?
    private var valueTexts: [ValueResultKind: SQL] = [:]
    let dialect: Dialect

    private(set) lazy var select = completed(sql.select, ordered: true)
    /// The selection with an additional limit, for queries without a limit. Without an order it is ordered by id.
    private(set) lazy var selectFirst = limited(sql.select)
    private(set) lazy var ids = completed(sql.selectID, ordered: true)
    /// The ids of the rows of `selectFirst`.
    private(set) lazy var firstIDs = limited(sql.selectID)
    private(set) lazy var count = hasPart ? counted : searchCount ?? completed(sql.text(.count), ordered: false)
    /// The ids of the rows in a list that the query finds, in its order. The list is the value at `furtherIndex`.
    private(set) lazy var idsAmongListed = listed(condition)
    /// The ids of the rows in a list, whether or not the query finds them, in its order.
    private(set) lazy var listedIDs = listed(nil)
    private(set) lazy var exists: SQL = "SELECT EXISTS (\(completed(sql.selectID, ordered: false)))"

    /// The property or id of the class, if the query only compares it with one value; otherwise nil.
    let subject: KeyPathResolver.Subject?
    /// The index of that property, if it is a scalar.
    let scalarOrdinal: Int?
    /// The index of that property, if only one row can have the value.
    let uniqueOrdinal: Int?

    #if DEBUG
        /// The advice that would avoid reading every row.
        let advice: IndexAdvice
        /// The properties of the class that the condition and the selected values use.
        let usedProperties: [Int]
    #endif

    init(_ definition: QueryDefinition, _ map: ClassMap, _ sql: ClassSQL, _ classes: any ClassDirectory) throws {
        subject = try definition.subject(in: map)
        if case .property(let ordinal)? = subject, case .scalar = map.properties[ordinal].shape {
            scalarOrdinal = ordinal
            uniqueOrdinal = map.isUniqueKey(ordinal) && map.properties[ordinal].codec.isComparedAsStored ? ordinal : nil
        } else {
            scalarOrdinal = nil
            uniqueOrdinal = nil
        }
        #if DEBUG
            advice = IndexAdvice(definition, map)
            usedProperties = definition.ownOrdinals(in: map)
        #endif
        self.sql = sql
        table = map.table
        dialect = classes.dialect
        hasLimit = definition.limit != nil
        hasOffset = definition.offset != 0
        let writer = ExpressionWriter(map, classes)
        assigned = try definition.assigned.map {
            try writer.write($0.value, assignedTo: map.properties[$0.ordinal])
        }
        let condition = try definition.condition.map { try writer.write($0, for: "use it as a condition") }
        self.condition = condition?.sql
        var orders = try definition.orders.map { try writer.write($0) }
        searches = writer.searches
        if definition.orders.isEmpty, !searches.isEmpty {
            // The best match has the lowest rank.
            let ranks = searches.map { writer.dialect.search.rank($0.alias, $0.search) }
            orders = ["\(list: ranks, separator: " + ")"]
        }
        isOrdered = !orders.isEmpty
        // Objects that compare equal must keep their places from page to page.
        if hasLimit || hasOffset || isOrdered, !definition.isOrderedByID(in: map) {
            orders.append("\(column: "id", of: table)")
        }
        isAnswerOrdered = !orders.isEmpty
        order = orders.isEmpty ? "" : " ORDER BY \(list: orders)"
        let wanted = try definition.selection.map { value in
            let column = try writer.write(value)
            if case .collection(let ordinal, let row) = column.content {
                throw QueryError.notExpressible(
                    "\(row.map.name).\(row.map.properties[ordinal].name) is a collection, which is not a single "
                        + "value. Fetch the objects")
            }
            if case .list(let list) = column.content { throw list.refusal }
            return column
        }
        selection = wanted.map(\.sql)
        // A reference that is stored as a key is selected as the id of its row.
        codecs = wanted.map { $0.keyed == nil ? $0.codec : nil }
        decimals = Set(wanted.indices.filter { wanted[$0].isDecimal })
        joins = writer.root.joins(needed: condition?.needed ?? [])
        let searches = writer.searches
        let isSearchOfAll = definition.isSearch && searches.count == 1 && sql.isWholeTable
        searchCount = isSearchOfAll ? condition.map { searches[0].count(where: $0.sql, classes.dialect) } : nil
        argumentCount = writer.argumentCount
        comparesHashes = writer.comparesHashes
        keys = writer.keys
        // The limit and the offset need two more arguments.
        guard argumentCount + 2 <= dialect.argumentLimit else {
            throw QueryError.notExpressible(
                "The query has more than \(dialect.argumentLimit - 2) values. Pass lists to isIn")
        }
    }

    var hasPart: Bool { hasLimit || hasOffset }

    /// Whether the query uses no other table, and neither limit nor offset.
    var isPlain: Bool { joins.isEmpty && !hasPart }

    /// Whether the query uses no other table.
    var usesNoJoins: Bool { joins.isEmpty }

    /// A statement that begins with `start`, which ends with the class's table.
    func completed(_ start: SQL, ordered: Bool) -> SQL {
        var text = start + joins
        if let condition { text.append(" WHERE \(condition)") }
        if ordered || hasPart { text.append(order) }
        guard hasPart else { return text }
        text.append(" LIMIT \(hasLimit ? "\(placeholder: argumentCount + 1)" : dialect.noLimit)")
        if hasOffset { text.append(" OFFSET \(placeholder: argumentCount + 2)") }
        return text
    }

    /// A statement that begins with `start` and uses only the rows within the limit and offset.
    func ofPart(_ start: SQL) -> SQL {
        let ids = completed(sql.selectID, ordered: true)
        return start + joins + " WHERE \(column: "id", of: table) IN (\(ids))"
    }

    /// The rows of the query as a table of another statement, under the name of the class's table.
    var source: SQL {
        let rows: SQL = "SELECT \(name: table).* FROM \(sql.source)"
        return "(\(completed(rows, ordered: false))) AS \(name: table)"
    }

    private func listed(_ condition: SQL?) -> SQL {
        let place: SQL = "\(placeholder: Int(furtherIndex))"
        let id: SQL = "\(column: "id", of: table)"
        // For a subquery as source, only a condition is certain to be evaluated inside it.
        guard sql.isWholeTable else {
            let found: SQL = condition.map { "(\($0)) AND " } ?? ""
            return "\(sql.selectID) WHERE \(found)\(id) \(dialect.isInList(place, .plain))\(order)"
        }
        // The join starts with the list, because an index of the condition or order could lead to many other rows.
        let list = " list"
        let rows: SQL = """
            SELECT \(id) FROM \(dialect.listTable(place, list)) \(dialect.orderedJoin) \(sql.source) \
            ON \(id) = \(column: "value", of: list)
            """
        let found: SQL = condition.map { " WHERE \($0)" } ?? ""
        return rows + found + order
    }

    private func limited(_ start: SQL) -> SQL {
        let order: SQL = isAnswerOrdered ? "" : " ORDER BY \(column: "id", of: table)"
        return "\(completed(start, ordered: true))\(order) LIMIT \(placeholder: argumentCount + 1)"
    }

    /// The index of the limit's placeholder in `selectFirst`.
    var limitIndex: Int32 { Int32(argumentCount) + 1 }

    /// The index of the first placeholder after the arguments, the limit and the offset.
    var furtherIndex: Int32 { Int32(argumentCount) + 3 }

    private var counted: SQL { "SELECT count(*) FROM (\(completed(sql.selectID, ordered: false))) AS \"found\"" }

    /// The codec of a column in the rows of a terminal method; nil for a value without a codec, or of another type.
    func codec(_ ordinal: Int, of resultKind: ValueResultKind) -> PropertyCodec? {
        let value =
            switch resultKind {
            case .all, .distinct, .groups: ordinal
            case .aggregate: 0
            case .grouped: ordinal == 0 ? 0 : codecs.count - 1
            }
        return codecs.indices.contains(value) ? codecs[value] : nil
    }

    /// The SQL of a terminal method that returns values.
    func text(_ resultKind: ValueResultKind) -> SQL {
        if let known = valueTexts[resultKind] { return known }
        let made = valueSQL(resultKind)
        valueTexts[resultKind] = made
        return made
    }
}

extension QueryDefinition {
    /// Whether one of the orders is by id, so that no two objects compare equal.
    fileprivate func isOrderedByID(in map: ClassMap) -> Bool {
        orders.contains { order in
            guard order.expression.words.count == 1, case .column(scope: 0, let path) = order.expression.words[0],
                path.steps.count == 1
            else { return false }
            // A key path of several properties is not a subject of the class.
            return (try? path.steps[0].subject(in: map)) == .id
        }
    }

    #if DEBUG
        /// The properties of the class that the condition and the selected values use.
        fileprivate func ownOrdinals(in map: ClassMap) -> [Int] {
            let words = (condition?.words ?? []) + selection.flatMap(\.words)
            let ordinals: [Int] = words.compactMap { word in
                guard case .column(scope: 0, let path) = word, let step = path.steps.first,
                    case .property(let ordinal)? = try? step.subject(in: map)
                else { return nil }
                return ordinal
            }
            return Array(Set(ordinals)).sortedUnspecialized()
        }
    #endif

    /// Whether a full-text search is its only condition.
    fileprivate var isSearch: Bool {
        guard let words = condition?.words, words.count == 2 else { return false }
        return words[0] == .argument && words[1] == .operation(.matchesText)
    }

    /// The property or id of the class, if the query only compares it with one value; otherwise nil.
    fileprivate func subject(in map: ClassMap) throws -> KeyPathResolver.Subject? {
        guard limit == nil, offset == 0, orders.isEmpty, let words = condition?.words, words.count == 3,
            case .column(scope: 0, let path) = words[0], path.steps.count == 1, words[1] == .argument,
            words[2] == .operation(.equal) || words[2] == .operation(.identical)
        else { return nil }
        return switch path.steps[0] {
        case .keyPath(let path): try KeyPathResolver.subject(of: path, in: map)
        case .ordinal(let ordinal): ordinal < map.properties.count ? .property(ordinal) : .id
        }
    }
}

extension ExpressionWriter {
    /// An order with its direction and the position of NULL.
    func write(_ order: QueryDefinition.Order) throws -> SQL {
        let style = order.style
        // The bytes of a key have the same order as its string.
        let value = try write(order.expression, keepsKeys: !style.ignoresCase, for: "sort by it").checked()
        try value.checkOrder()
        let key = style.ignoresCase ? dialect.ignoringCase(value.sql) : value.inOrder(dialect).sql
        // A server uses an index only for the order of nulls that the index declares. A column without NULL has none.
        guard value.mayBeNull || order.expression.words.count > 1 else {
            return style.isDescending ? key + " DESC" : key
        }
        return key + dialect.ordering(style.isDescending, style.hasNilLast)
    }
}
