internal import Foundation
internal import StoreEngine

/// A part of an expression in SQL.
struct QueryOperand {
    private(set) var content: Content
    /// Whether the value can be NULL. For a condition, NULL means unknown.
    var mayBeNull: Bool
    /// The aliases of referenced rows that must exist for the value to be non-NULL, or for a condition to hold.
    private(set) var needed: Set<String> = []
    /// The codec of the property, if the operand is a property or was computed from one.
    private(set) var codec: PropertyCodec?
    /// The codec, if the operand is a key column, not a value computed from one.
    private(set) var key: PropertyCodec?
    /// The class and property that the operand is or was computed from, for messages.
    private(set) var origin: Origin?
    /// Whether the operand is a column of decimal numbers, not a value computed from one.
    private(set) var isDecimalColumn = false
    /// For a column that stores integer counts of a decimal number's smallest unit, the number of decimal places.
    var decimalScale: Int? { if isDecimalColumn, case .scaled(let digits) = codec?.format { digits } else { nil } }
    /// If the operand is a reference stored as a key, that reference and the alias of its row.
    var keyed: (reference: KeyedReference, row: String)?
    /// The column whose case is ignored, if the operand is a folded column; see `folded(_:)`.
    private var caselessColumn: SQL?
    /// Whether the operand is a column of strings, not a value computed from one.
    private var isTextColumn = false
    /// Whether the operand is a column of strings in a table of the library, or was folded from one. Such a column
    /// contains only strings, in the order of their bytes.
    private var isOwnText = false
    /// Whether the operand is an argument, or was computed from a single argument.
    private var isOfArgument = false
    /// The encrypted property, if the operand is its column.
    private(set) var sealed: (sealing: PropertySealing, name: String)?
    /// The number of the argument, from 1; nil if the operand is not an argument.
    private(set) var placeholder: Int?

    /// A class and its property.
    typealias Origin = (className: String, property: String)

    enum Content {
        case sql(SQL)
        /// Conditions of which all must hold, or at least one.
        case conditions(QueryExpression.Quantifier, ConditionList)
        /// A collection or inverse of a row, by the property's index.
        case collection(Int, QueryScope.Row)
        /// A list inside a `Codable` value.
        case list(JSONListOperand)
    }

    init(_ sql: SQL, mayBeNull: Bool, needed: Set<String> = []) {
        self.init(.sql(sql), mayBeNull: mayBeNull, needed: needed)
    }

    private init(_ content: Content, mayBeNull: Bool, needed: Set<String> = []) {
        self.content = content
        self.mayBeNull = mayBeNull
        self.needed = needed
    }

    init(column: String, of row: QueryScope.Row) {
        self.init("\(column: column, of: row.alias)", mayBeNull: row.mayBeMissing, needed: row.chain)
    }

    init(_ property: Property, ordinal: Int, of row: QueryScope.Row) {
        self.init(column: property.column, of: row)
        // Columns of subclasses are NULL in rows of other classes.
        mayBeNull = row.mayBeMissing || property.codec.acceptsNull || property.level > row.map.rootLevel
        codec = property.codec
        origin = (row.map.name, property.name)
        key = property.codec.isKey ? property.codec : nil
        isDecimalColumn = property.codec.isDecimal || property.codec.isScaled
        isTextColumn = property.codec.isString
        isOwnText = isTextColumn && row.map.foreign == nil
        if let sealing = property.sealing { sealed = (sealing, "\(row.map.name).\(property.name)") }
    }

    /// A part of the JSON of a property.
    init(_ place: JSONPlace, in property: Property, of row: QueryScope.Row, _ dialect: Dialect) throws {
        let keys = try place.keys.map { key in
            guard let literal = SQLLiteral(.text(key)) else {
                throw QueryError.notExpressible("A JSON key in \(property.name) contains a NUL")
            }
            return literal
        }
        guard property.sealing == nil else {
            throw QueryError.notExpressible(
                "\(row.map.name).\(property.name) is encrypted, so conditions cannot read its parts. Compare the values "
                    + "in Swift")
        }
        let document: SQL = "\(column: property.column, of: row.alias)"
        if let form = place.list {
            let text = JSONListText(document: document, keys: keys, isObject: form.isObject)
            let name = "\(row.map.name).\(property.name), \(place.keys.joined(separator: "."))"
            self.init(.list(JSONListOperand(text: text, element: place.codec, row: row, name: name)), mayBeNull: true)
            return
        }
        let sql = dialect.jsonMember(document, keys, place.codec.columnType)
        // Rows written by older versions of the type may lack the part.
        self.init(sql, mayBeNull: true, needed: row.chain)
        codec = place.codec
        origin = (row.map.name, property.name)
    }

    /// The result of a function, as a column of the codec stores it. It may be NULL for any arguments, and may not be
    /// NULL for NULL.
    init(_ sql: SQL, givenAs codec: PropertyCodec) {
        self.init(sql, mayBeNull: true)
        self.codec = codec
    }

    /// An aggregate of a codec's values, as a column of the codec stores it; NULL if there were no values.
    init(_ sql: SQL, made codec: PropertyCodec, needed: Set<String>) {
        self.init(sql, mayBeNull: true, needed: needed)
        self.codec = codec
    }

    init(collection ordinal: Int, of row: QueryScope.Row) { self.init(.collection(ordinal, row), mayBeNull: false) }

    /// An argument; `literal` is its SQL if it is written as a literal.
    init(placeholder number: Int, _ literal: SQL? = nil) {
        self.init(literal ?? "\(placeholder: number)", mayBeNull: false)
        placeholder = number
        isOfArgument = true
    }

    /// The same value in another form.
    func replaced(by sql: SQL, _ codec: PropertyCodec) -> QueryOperand {
        var result = self
        result.content = .sql(sql)
        result.codec = codec
        result.key = nil
        result.isDecimalColumn = false
        return result
    }

    /// The value as a decimal number with a scale: an integer count of its smallest unit.
    func scaled(_ digits: Int) throws -> QueryOperand {
        guard case .success(let codec) = CodecFactory.codec(for: Decimal?.self, .scaled(digits), isForeign: false)
        else {
            throw QueryError.notExpressible(
                "The result would be a Decimal with \(digits) decimal places, but 64 bits hold at most 18. "
                    + "Calculate in Swift")
        }
        var result = replaced(by: sql, codec)
        result.isDecimalColumn = true
        return result
    }

    var nullable: QueryOperand {
        var result = self
        result.mayBeNull = true
        return result
    }

    /// Whether it is a string, which is a collection in Swift.
    var isText: Bool { codec?.columnType == .text }

    var sql: SQL {
        switch content {
        case .sql(let sql): sql
        case .conditions(.all, let list): list.joined(" AND ")
        case .conditions(.any, let list): list.joined(" OR ")
        case .collection, .list: "NULL"
        }
    }
}

// Conditions.
extension QueryOperand {
    /// Joins another condition: both must hold, or at least one.
    mutating func join(_ other: inout QueryOperand, _ quantifier: QueryExpression.Quantifier) {
        mayBeNull = mayBeNull || other.mayBeNull
        needed = quantifier == .all ? needed.union(other.needed) : needed.intersection(other.needed)
        codec = nil
        key = nil
        isDecimalColumn = false
        placeholder = nil
        var list = takeConditions(quantifier)
        list.append(other.takeConditions(quantifier))
        content = .conditions(quantifier, list)
    }

    /// Takes the list out of the operand, so that a chain of thousands of conditions is not copied with each condition.
    private mutating func takeConditions(_ quantifier: QueryExpression.Quantifier) -> ConditionList {
        defer { content = .conditions(quantifier, ConditionList()) }
        return if case .conditions(quantifier, let list) = content { list } else { ConditionList(sql) }
    }

    /// The negation; true if the condition is unknown.
    var negated: QueryOperand {
        QueryOperand(mayBeNull ? "(\(sql)) IS NOT TRUE" : "NOT (\(sql))", mayBeNull: false)
    }

    func compared(_ operation: QueryOperation, _ other: QueryOperand, _ dialect: Dialect) throws -> QueryOperand {
        let (a, b) = (try checked(), try other.checked())
        try a.checkForm(of: b, "compared with")
        func compared(by comparison: SQL, isStrict: Bool = true) -> QueryOperand {
            a.making("\(a.sql) \(comparison) \(b.sql)", with: b, isStrict: isStrict)
        }
        if let keyed = a.keyed, operation == .equal, b.placeholder != nil {
            return a.making(keyed.reference.refers(keyed.row) { "\($0) = \(b.sql)" }, with: b)
        }
        if operation == .equal, let range = a.caseRange(of: b, isPrefix: false, dialect) {
            return compared(by: "=").narrowed(to: range)
        }
        return switch operation {
        // Nil equals nil. If one side is never NULL, `=` is used, because it leaves the engine more plans.
        case .equal where a.mayBeNull && b.mayBeNull: compared(by: dialect.isSame, isStrict: false)
        case .identical where a.mayBeNull: compared(by: dialect.isSame, isStrict: false)
        case .equal, .identical: compared(by: "=")
        case .notEqual where a.mayBeNull || b.mayBeNull: compared(by: dialect.isNotSame, isStrict: false)
        case .notEqual: compared(by: "<>")
        case .less: compared(by: "<")
        case .lessOrEqual: compared(by: "<=")
        case .greater: compared(by: ">")
        default: compared(by: ">=")
        }
    }

    /// The operand, if it is a value and not a collection.
    func checked() throws -> QueryOperand {
        if case .collection(let ordinal, let row) = content {
            throw QueryError.notExpressible(
                "\(row.map.name).\(row.map.properties[ordinal].name) is a collection, which can be compared only "
                    + "with nil. Use contains, isEmpty, count or any { }")
        }
        if case .list(let list) = content { throw list.refusal }
        return self
    }

    /// Whether the operand is a decimal number, stored as a string or in the engine's own form.
    var isDecimal: Bool { codec?.isDecimal ?? false }

    /// The value in a form that is ordered like the values.
    func inOrder(_ dialect: Dialect) -> QueryOperand {
        guard isDecimal, placeholder == nil else { return self }
        var result = self
        result.content = .sql(dialect.decimalOrder(sql))
        return result
    }

    /// Throws if the stored values are not ordered like the values.
    func checkOrder() throws {
        guard let codec, !QueryOperand.isStoredInOrder(codec) else { return }
        throw QueryError.notExpressible(
            "\(TypeSpelling.of(codec.valueType)) is stored in a form that SQL can neither order nor calculate with")
    }

    /// Throws if SQL cannot calculate with the value.
    func checkNumber() throws {
        guard codec?.valueForm != .digits, codec?.valueForm != .number else {
            throw QueryError.notExpressible(
                "SQL cannot calculate with a Decimal without a scale, because all its digits are stored. Declare "
                    + "the property with @Column(scale: 2), with as many decimal places as it needs, or calculate "
                    + "in Swift")
        }
        guard let format = codec?.format, format != .secondsSince2001 else { return }
        throw QueryError.notExpressible("SQL cannot calculate with a value that has the format .\(format)")
    }

    /// Whether SQL can order a codec's values: by their column, or as decimal numbers.
    static func isStoredInOrder(_ codec: PropertyCodec) -> Bool {
        let type = (codec.valueType as? any OptionalType.Type)?.wrapped ?? codec.valueType
        if codec is ReferenceCodec { return true }
        if let isOrdered = CodecFactory.isCodedInOrder(type) { return isOrdered }
        return type is any ColumnScalar.Type || type is any RawRepresentable.Type || type is any PersistentValue.Type
    }
}

// Strings without case differences.
extension QueryOperand {
    /// The string without case differences.
    func folded(_ dialect: Dialect) -> QueryOperand {
        var result = making(dialect.text(.folded, sql))
        result.caselessColumn = isTextColumn ? sql : nil
        result.isOwnText = isOwnText
        result.isOfArgument = isOfArgument
        return result
    }

    /// The condition that the string begins with another; `end` is the first string after all that begin with it.
    func hasPrefix(_ first: QueryOperand, _ end: QueryOperand, _ dialect: Dialect) -> QueryOperand {
        let condition = making(dialect.hasPrefix(sql, first.sql, end.sql), with: first, end)
        return caseRange(of: first, isPrefix: true, dialect).map { condition.narrowed(to: $0) } ?? condition
    }

    /// Throws if the engine lacks a function of strings.
    func check(_ function: RefusableText, _ dialect: Dialect) throws {
        guard let reason = dialect.textRefusal(function) else { return }
        throw StoreError(.unsupported, reason, className: origin?.className, property: origin?.property)
    }

    /// The condition that a regular expression matches, or that a substring is found.
    func matched(_ operation: QueryOperation, _ pattern: QueryOperand, _ dialect: Dialect) -> QueryOperand {
        let isRegexp = operation != .contains
        if isOwnText, !isRegexp, let caselessColumn {
            return making(dialect.matches(.containsFolded, caselessColumn, pattern.sql), with: pattern)
        }
        // An index serves the literal prefix of a pattern.
        let isAnchored = operation == .anchoredRegexp && isOwnText && isTextColumn
        let match: TextMatch = isAnchored ? .anchoredExpression : isRegexp ? .regularExpression : .contains
        return making(dialect.matches(match, sql, pattern.sql), with: pattern)
    }

    /// The index range of the rows whose folded column equals a string or begins with it; nil if the operand is not a
    /// folded column or the string differs between rows.
    private func caseRange(of text: QueryOperand, isPrefix: Bool, _ dialect: Dialect) -> SQL? {
        guard let caselessColumn, text.isOfArgument else { return nil }
        return dialect.caseRange?(caselessColumn, text.sql, isPrefix)
    }

    private func narrowed(to range: SQL) -> QueryOperand { making("\(range) AND \(sql)") }
}

extension QueryOperand {
    /// A value of the same kind computed from this operand and others.
    ///
    /// - Parameter isStrict: Whether NULL in one of the operands makes the result NULL; otherwise it is never NULL.
    func making(_ sql: SQL, with others: QueryOperand..., isStrict: Bool = true) -> QueryOperand {
        var result = QueryOperand(sql, mayBeNull: isStrict && mayBeNull, needed: isStrict ? needed : [])
        result.codec = codec
        result.origin = origin
        guard isStrict else { return result }
        for other in others {
            result.mayBeNull = result.mayBeNull || other.mayBeNull
            result.needed.formUnion(other.needed)
        }
        return result
    }
}
