internal import Foundation
internal import StoreEngine

/// A part of an expression in SQL.
struct QueryOperand {
    private(set) var content: Content
    /// Whether it can be NULL: of a condition, unknown.
    var mayBeNull: Bool
    /// The rows of references that have to be there for it to be other than NULL: for a condition, to hold.
    private(set) var needed: Set<String> = []
    /// The codec of the property that it is.
    private(set) var codec: PropertyCodec?
    /// The codec, where it is a key as its column has it, and nothing that was made of one.
    private(set) var key: PropertyCodec?
    /// Whether it is a column of decimal numbers, and nothing that was made of one.
    private(set) var isDecimalColumn = false
    /// For a column that stores integer counts of a decimal number's smallest unit, the number of decimal places.
    var decimalScale: Int? { if isDecimalColumn, case .scaled(let digits) = codec?.format { digits } else { nil } }
    /// Where it is a reference that stands as a key: that, and what stands for the row which has it.
    var keyed: (reference: KeyedReference, row: String)?
    /// The column without regard to whose case it is; see `folded(_:)`.
    private var caselessColumn: SQL?
    /// Whether it is a column of texts, and nothing that was made of one.
    private var isTextColumn = false
    /// Whether it is one of a table of the library, or folded from one: it then contains texts only, in the order of
    /// their bytes.
    private var isOwnText = false
    /// Whether it is an argument, or was made of one alone.
    private var isOfArgument = false
    /// The number of the argument that it is, from 1.
    private(set) var placeholder: Int?

    enum Content {
        case sql(SQL)
        /// All of these hold, or one at least.
        case conditions(QueryExpression.Quantifier, ConditionList)
        /// A collection or inverse of a row, by its place.
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

    init(_ property: Property, place: Int, of row: QueryScope.Row) {
        self.init(column: property.column, of: row)
        // Columns of subclasses are NULL in rows of other classes.
        mayBeNull = row.mayBeMissing || property.codec.acceptsNull || property.level > row.map.rootLevel
        codec = property.codec
        key = property.codec.isKey ? property.codec : nil
        isDecimalColumn = property.codec.isDecimal || property.codec.isScaled
        isTextColumn = property.codec.isString
        isOwnText = isTextColumn && row.map.foreign == nil
    }

    /// A part of the JSON of a property.
    init(_ place: JSONPlace, in property: Property, of row: QueryScope.Row, _ dialect: Dialect) throws {
        let keys = try place.keys.map { key in
            guard let literal = SQLLiteral(.text(key)) else {
                throw QueryError.notExpressible("A JSON key in \(property.name) contains a NUL")
            }
            return literal
        }
        let document: SQL = "\(column: property.column, of: row.alias)"
        if let form = place.list {
            let text = JSONListText(document: document, keys: keys, isObject: form.isObject)
            let name = "\(row.map.name).\(property.name), \(place.keys.joined(separator: "."))"
            self.init(.list(JSONListOperand(text: text, element: place.codec, row: row, name: name)), mayBeNull: true)
            return
        }
        let sql = dialect.jsonMember(document, keys, place.codec.columnType)
        // Older rows may be without it.
        self.init(sql, mayBeNull: true, needed: row.chain)
        codec = place.codec
    }

    /// The result of a function, as a column of the codec would hold it: NULL for any arguments, and possibly a value
    /// for NULL.
    init(_ sql: SQL, givenAs codec: PropertyCodec) {
        self.init(sql, mayBeNull: true)
        self.codec = codec
    }

    /// An aggregate of values of a codec, as a column of it would hold it; NULL if there were none.
    init(_ sql: SQL, made codec: PropertyCodec, needed: Set<String>) {
        self.init(sql, mayBeNull: true, needed: needed)
        self.codec = codec
    }

    init(collection place: Int, of row: QueryScope.Row) { self.init(.collection(place, row), mayBeNull: false) }

    /// An argument; `literal` is its SQL if it is written out.
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

    /// The same as a decimal number with a scale: integer counts of its smallest unit.
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

    /// Whether it is a text, which Swift takes for a collection too.
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
    /// Adds a condition: both must hold, or one of both.
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

    /// The conditions without a second reference to them: a chain of thousands is not copied with each.
    private mutating func takeConditions(_ quantifier: QueryExpression.Quantifier) -> ConditionList {
        defer { content = .conditions(quantifier, ConditionList()) }
        return if case .conditions(quantifier, let list) = content { list } else { ConditionList(sql) }
    }

    /// The opposite: of what is unknown, true.
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
        // Nil equals nil; where one side has a value, `=` leaves the engine more ways to go.
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

    /// A value; a collection is none.
    func checked() throws -> QueryOperand {
        if case .collection(let place, let row) = content {
            throw QueryError.notExpressible(
                "\(row.map.name).\(row.map.properties[place].name) is a collection, which can be compared only "
                    + "with nil. Use contains, isEmpty, count or any { }")
        }
        if case .list(let list) = content { throw list.refusal }
        return self
    }

    /// Whether it is a decimal number, as the text of its digits or as whatever the engine has for it.
    var isDecimal: Bool { codec?.isDecimal ?? false }

    /// The same in a form whose order is that of the values.
    func inOrder(_ dialect: Dialect) -> QueryOperand {
        guard isDecimal, placeholder == nil else { return self }
        var result = self
        result.content = .sql(dialect.decimalOrder(sql))
        return result
    }

    /// Whether the order of the values is one that SQL knows.
    func checkOrder() throws {
        guard let codec, !QueryOperand.isStoredInOrder(codec) else { return }
        throw QueryError.notExpressible(
            "\(TypeSpelling.of(codec.valueType)) is stored in a form that SQL can neither order nor calculate with")
    }

    /// Whether it can be calculated with.
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

    /// Whether SQL knows the order of a codec's values: that of its columns, or of the numbers whose digits they have.
    static func isStoredInOrder(_ codec: PropertyCodec) -> Bool {
        let type = (codec.valueType as? any OptionalType.Type)?.wrapped ?? codec.valueType
        if codec is ReferenceCodec { return true }
        if let isOrdered = CodecFactory.isCodedInOrder(type) { return isOrdered }
        return type is any ColumnScalar.Type || type is any RawRepresentable.Type || type is any PersistentValue.Type
    }
}

// Texts without regard to case.
extension QueryOperand {
    /// The string without case differences.
    func folded(_ dialect: Dialect) -> QueryOperand {
        var result = making(dialect.text(.folded, sql))
        result.caselessColumn = isTextColumn ? sql : nil
        result.isOwnText = isOwnText
        result.isOfArgument = isOfArgument
        return result
    }

    /// The condition that it begins with a string; `end` is the first string after all that begin with it.
    func hasPrefix(_ first: QueryOperand, _ end: QueryOperand, _ dialect: Dialect) -> QueryOperand {
        let condition = making(dialect.hasPrefix(sql, first.sql, end.sql), with: first, end)
        return caseRange(of: first, isPrefix: true, dialect).map { condition.narrowed(to: $0) } ?? condition
    }

    /// The condition that a regular expression with a literal prefix matches, or that a substring is found.
    func matched(_ operation: QueryOperation, _ pattern: QueryOperand, _ dialect: Dialect) -> QueryOperand {
        let isRegexp = operation == .anchoredRegexp
        if isOwnText, !isRegexp, let caselessColumn {
            return making(dialect.matches(.containsFolded, caselessColumn, pattern.sql), with: pattern)
        }
        let isAnchored = isRegexp && isOwnText && isTextColumn
        let match: TextMatch = isAnchored ? .anchoredExpression : isRegexp ? .regularExpression : .contains
        return making(dialect.matches(match, sql, pattern.sql), with: pattern)
    }

    /// The index range of the rows whose folded column is a string, or begins with it; nil if it is not a column or
    /// each row has another string.
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
        guard isStrict else { return result }
        for other in others {
            result.mayBeNull = result.mayBeNull || other.mayBeNull
            result.needed.formUnion(other.needed)
        }
        return result
    }
}
