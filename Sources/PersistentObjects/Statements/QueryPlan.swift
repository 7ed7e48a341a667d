internal import StoreEngine

/// A query made ready for one session: its statements' texts, made once for all queries of a shape.
final class QueryPlan {
    let sql: ClassSQL
    let table: String
    /// The selected values, if objects are not selected.
    let selection: [SQL]
    /// Which of that are decimal numbers, by their places.
    let decimals: Set<Int>
    /// The codecs of what is asked for, by which it is read; nil where it has none.
    private let codecs: [PropertyCodec?]
    private let joins: SQL
    /// The statement that counts the objects that a search finds; nil if anything else is asked for.
    private let searchCount: SQL?
    private let condition: SQL?
    let order: SQL
    /// The indexes of words that are looked at.
    let searches: [SearchSource]
    /// Whether there is an order that was said, or is that of a search.
    let isOrdered: Bool
    /// Whether the rows come in the order of the answer; those of queries without an order are put in that of the ids.
    let isAnswerOrdered: Bool
    let argumentCount: Int
    /// Arguments that are not what the column has that they are compared with, by their places.
    let keys: [Int: any ArgumentForm]
    /// The assigned values of an update, in order.
    let assigned: [QueryOperand]
    private let hasLimit: Bool
    let hasOffset: Bool
    /// The statement that selects, while it is not in use: kept here, because looking it up by its SQL costs more.
    var kept: Statement?
    private var valueTexts: [ValueEnding: SQL] = [:]
    let dialect: Dialect

    private(set) lazy var select = completed(sql.select, ordered: true)
    /// The same with a limit of the caller's, for queries that have none; without an order by id.
    private(set) lazy var selectFirst = limited(sql.select)
    private(set) lazy var ids = completed(sql.selectID, ordered: true)
    private(set) lazy var count = hasPart ? counted : searchCount ?? completed(sql.text(.count), ordered: false)
    private(set) lazy var exists: SQL = "SELECT EXISTS (\(completed(sql.selectID, ordered: false)))"

    /// The property of the class itself that is asked to have one value, where that is all.
    let subject: KeyPathResolver.Subject?
    /// The same, where it is a scalar.
    let scalarPlace: Int?
    /// The same, where only one row can have the value.
    let uniquePlace: Int?

    #if DEBUG
        /// The advice that would avoid reading every row.
        let advice: IndexAdvice
        /// The properties of the class itself that the condition and the values wanted are made of.
        let askedPlaces: [Int]
    #endif

    init(_ definition: QueryDefinition, _ map: ClassMap, _ sql: ClassSQL, _ classes: any ClassDirectory) throws {
        subject = try definition.subject(in: map)
        if case .property(let place)? = subject, case .scalar = map.properties[place].shape {
            scalarPlace = place
            uniquePlace = map.isUniqueKey(place) && map.properties[place].codec.isComparedAsStored ? place : nil
        } else {
            scalarPlace = nil
            uniquePlace = nil
        }
        #if DEBUG
            advice = IndexAdvice(definition, map)
            askedPlaces = definition.ownPlaces(in: map)
        #endif
        self.sql = sql
        table = map.table
        dialect = classes.dialect
        hasLimit = definition.limit != nil
        hasOffset = definition.offset != 0
        let writer = ExpressionWriter(map, classes)
        assigned = try definition.assigned.map {
            try writer.write($0.value, assignedTo: map.properties[$0.place])
        }
        let condition = try definition.condition.map { try writer.write($0) }
        self.condition = condition?.sql
        var orders = try definition.orders.map { try writer.write($0) }
        searches = writer.searches
        if definition.orders.isEmpty, !searches.isEmpty {
            // The best first: the less, the better.
            let ranks = searches.map { writer.dialect.search.rank($0.alias) }
            orders = ["\(list: ranks, separator: " + ")"]
        }
        isOrdered = !orders.isEmpty
        // Objects that are equal otherwise keep their places from page to page.
        if hasLimit || hasOffset || isOrdered { orders.append("\(column: "id", of: table)") }
        isAnswerOrdered = !orders.isEmpty
        order = orders.isEmpty ? "" : " ORDER BY \(list: orders)"
        let wanted = try definition.selection.map { value in
            let column = try writer.write(value)
            if case .collection(let place, let row) = column.content {
                throw QueryError.notExpressible(
                    "\(row.map.name).\(row.map.properties[place].name) is a collection, which is not a single "
                        + "value. Fetch the objects")
            }
            if case .list(let list) = column.content { throw list.refusal }
            return column
        }
        // A reference that stands as a key is asked for as the row that it means.
        selection = wanted.map { value in value.keyed.map { $0.reference.id(in: $0.row) } ?? value.sql }
        codecs = wanted.map { $0.keyed == nil ? $0.codec : nil }
        decimals = Set(wanted.indices.filter { wanted[$0].isDecimal })
        joins = writer.root.joins(needed: condition?.needed ?? [])
        let searches = writer.searches
        let isSearchOfAll = definition.isSearch && searches.count == 1 && sql.isWholeTable
        searchCount = isSearchOfAll ? condition.map { searches[0].count(where: $0.sql, classes.dialect) } : nil
        argumentCount = writer.argumentCount
        keys = writer.keys
        // The limit and the offset are two more.
        guard argumentCount + 2 <= dialect.argumentLimit else {
            throw QueryError.notExpressible(
                "The query has more than \(dialect.argumentLimit - 2) values. Pass lists to isIn")
        }
    }

    var hasPart: Bool { hasLimit || hasOffset }

    /// Whether no other table and no part of the objects is asked for.
    var isPlain: Bool { joins.isEmpty && !hasPart }

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

    /// A statement that begins with `start`, about the rows of the part that is asked for.
    func ofPart(_ start: SQL) -> SQL {
        let ids = completed(sql.selectID, ordered: true)
        return start + joins + " WHERE \(column: "id", of: table) IN (\(ids))"
    }

    /// The rows that it finds, under the name of the class's table, as a table of another statement.
    var source: SQL {
        let rows: SQL = "SELECT \(name: table).* FROM \(sql.source)"
        return "(\(completed(rows, ordered: false))) AS \(name: table)"
    }

    private func limited(_ start: SQL) -> SQL {
        let order: SQL = isAnswerOrdered ? "" : " ORDER BY \(column: "id", of: table)"
        return "\(completed(start, ordered: true))\(order) LIMIT \(placeholder: argumentCount + 1)"
    }

    /// The place of the limit in `selectFirst`.
    var limitPlace: Int32 { Int32(argumentCount) + 1 }

    /// The place of the first argument after all others.
    var furtherPlace: Int32 { Int32(argumentCount) + 3 }

    private var counted: SQL { "SELECT count(*) FROM (\(completed(sql.selectID, ordered: false))) AS \"found\"" }

    /// The codec of a column in a terminal method's rows; nil if it has none, or one for other values.
    func codec(_ place: Int, of ending: ValueEnding) -> PropertyCodec? {
        let value =
            switch ending {
            case .all, .distinct, .groups: place
            case .aggregate: 0
            case .grouped: place == 0 ? 0 : codecs.count - 1
            }
        return codecs.indices.contains(value) ? codecs[value] : nil
    }

    /// The statement for an ending that asks for values.
    func text(_ ending: ValueEnding) -> SQL {
        if let known = valueTexts[ending] { return known }
        let made = valueSQL(ending)
        valueTexts[ending] = made
        return made
    }
}

extension QueryDefinition {
    #if DEBUG
        /// The properties of the class itself that the condition and the values wanted are made of.
        fileprivate func ownPlaces(in map: ClassMap) -> [Int] {
            let words = (condition?.words ?? []) + selection.flatMap(\.words)
            let places: [Int] = words.compactMap { word in
                guard case .column(scope: 0, let path) = word, let step = path.steps.first,
                    case .property(let place)? = try? step.subject(in: map)
                else { return nil }
                return place
            }
            return Array(Set(places)).sorted()
        }
    #endif

    /// Whether its only condition is that the words of a text are found.
    fileprivate var isSearch: Bool {
        guard let words = condition?.words, words.count == 2 else { return false }
        return words[0] == .argument && words[1] == .operation(.matchesText)
    }

    /// The property of the class itself that is asked to have one value, where that is all.
    fileprivate func subject(in map: ClassMap) throws -> KeyPathResolver.Subject? {
        guard limit == nil, offset == 0, orders.isEmpty, let words = condition?.words, words.count == 3,
            case .column(scope: 0, let path) = words[0], path.steps.count == 1, words[1] == .argument,
            words[2] == .operation(.equal) || words[2] == .operation(.identical)
        else { return nil }
        return switch path.steps[0] {
        case .keyPath(let path): try KeyPathResolver.subject(of: path, in: map)
        case .place(let place): place < map.properties.count ? .property(place) : .id
        }
    }
}

extension ExpressionWriter {
    /// A value that rows are ordered by, and how.
    func write(_ order: QueryDefinition.Order) throws -> SQL {
        let style = order.style
        // The bytes of a key are in the order of its text.
        let value = try write(order.expression, keepsKeys: !style.ignoresCase).checked()
        try value.checkOrder()
        let key = style.ignoresCase ? dialect.ignoringCase(value.sql) : value.inOrder(dialect).sql
        return key + dialect.ordering(style.isDescending, style.hasNilLast)
    }
}
