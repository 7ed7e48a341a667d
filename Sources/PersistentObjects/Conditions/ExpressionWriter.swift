internal import StoreEngine

/// Writes the words of an expression as SQL. It uses a stack instead of recursion, so that no expression is nested too
/// deeply.
///
/// Conditions are two-valued. SQL comparisons with NULL are unknown, which `AND`, `OR` and `WHERE` treat as false.
/// Under `NOT` that would be wrong, so `IS NOT TRUE` is written there.
final class ExpressionWriter {
    let classes: any ClassDirectory
    let dialect: Dialect
    let root: QueryScope
    var scopes: [Int: QueryScope]
    var stack: [QueryOperand] = []
    /// The collections whose closures are open, the innermost last.
    var open: [(scope: Int, source: ElementSource)] = []
    private var aliasCount = 0
    /// The number of arguments in the expressions written so far.
    private(set) var argumentCount = 0
    /// The forms of arguments that must be converted for the columns they are compared with, by the arguments' indices.
    private(set) var keys: [Int: ComparedForm] = [:]
    var searches: [SearchSource] = []

    /// What the expression does with the values that are taken from the stack, for messages about encrypted values; nil
    /// while encrypted values are supported.
    private var use: String? = "calculate with it"
    /// What the expression does with its result.
    private let purpose: String
    /// Whether a hash is compared.
    private(set) var comparesHashes = false

    /// The SQL of the arguments as literals; nil if they are placeholders.
    private let literals: [SQL]?
    /// Generates aliases, if this writer writes a part of another writer's SQL.
    private let aliases: (() -> String)?

    /// - Parameters:
    ///   - alias: The alias of the rows; the table's name if not specified.
    /// - literals: The arguments as literals.
    /// - aliases: Generates aliases, if this writer writes a part of another writer's SQL.
    init(
        _ map: ClassMap, _ classes: any ClassDirectory, alias: String? = nil, literals: [SQL]? = nil,
        aliases: (() -> String)? = nil, purpose: String = "select, group or aggregate it"
    ) {
        self.classes = classes
        self.purpose = purpose
        self.literals = literals
        self.aliases = aliases
        dialect = classes.dialect
        root = QueryScope(map, alias: alias ?? map.table)
        scopes = [0: root]
    }

    /// Adds the objects of a further class, which expressions refer to by a separate scope number.
    func addScope(_ number: Int, _ map: ClassMap) -> QueryScope {
        let scope = QueryScope(map, alias: newAlias())
        scopes[number] = scope
        return scope
    }

    /// The expression as SQL.
    ///
    /// - Parameter keepsKeys: Whether a key that is stored as bytes keeps that form; otherwise it becomes the string
    ///   that users see.
    func write(
        _ expression: QueryExpression, keepsKeys: Bool = false, for purpose: String? = nil
    ) throws -> QueryOperand {
        stack = []
        let words = expression.words
        for (index, word) in words.enumerated() {
            switch word {
            case .column(let scope, let path):
                let next = index + 1 < words.count ? words[index + 1] : nil
                let isTested = next == .operation(.isNil) || next == .operation(.isNotNil)
                stack.append(try column(path, in: scope, isTestedForNil: isTested))
            case .argument:
                argumentCount += 1
                stack.append(QueryOperand(placeholder: argumentCount, literals?[argumentCount - 1]))
            case .operation(let operation): try apply(operation)
            case .enter(let scope): try enter(scope)
            case .leave(let quantifier): try leave(quantifier)
            case .leaveAggregate(let function): try leave(function)
            case .enterQuery(let scope, let aClass):
                let map = try classes.map(of: aClass.type)
                scopes[scope] = QueryScope(map, alias: newAlias())
            case .leaveQuery(let scope, let path): try leaveQuery(scope, path)
            case .leaveFirst(let first): try leaveFirst(first)
            }
        }
        use = purpose ?? self.purpose
        return keepsKeys ? try popStored() : try pop()
    }

    func newAlias() -> String {
        if let aliases { return aliases() }
        aliasCount += 1
        // The space keeps it distinct from every user table.
        return " \(aliasCount)"
    }

    func pop() throws -> QueryOperand { try popStored().seen(dialect) }

    /// The last operand, with keys in their stored form.
    func popStored() throws -> QueryOperand {
        guard let last = stack.popLast() else { throw QueryError.notExpressible("A part of the expression is missing") }
        if last.sealed != nil {
            if let use { try last.checkIsPlain(use) }
            comparesHashes = true
        }
        return last
    }

    /// Two compared values. A key that is stored as bytes keeps that form if the other value is an argument or a key,
    /// because only then is its index used.
    private func popPair(_ use: KeyArgument.Use) throws -> (first: QueryOperand, second: QueryOperand) {
        let (second, first) = (try popStored(), try popStored())
        for (key, other) in [(first, second), (second, first)] {
            if key.isDecimalColumn, other.placeholder == nil,
                !other.isDecimalColumn || other.decimalScale != key.decimalScale
            {
                return (first.seen(dialect), second.seen(dialect))
            }
            guard let codec = key.key else { continue }
            if other.placeholder != nil {
                keep(KeyArgument(codec: codec, use: use), for: other, comparedWith: key)
            } else if !other.isBytesKey {
                return (first.seen(dialect), second.seen(dialect))
            }
        }
        return (first, second)
    }

    /// A value and the bounds of a range, with keys in the same forms.
    private func popRange() throws -> (upper: QueryOperand, lower: QueryOperand, value: QueryOperand) {
        let (upper, lower, value) = (try popStored(), try popStored(), try popStored())
        if value.decimalScale != nil, lower.placeholder != nil, upper.placeholder != nil {
            return (upper, lower, value)
        }
        guard let codec = value.key, lower.placeholder != nil, upper.placeholder != nil else {
            return (upper.seen(dialect), lower.seen(dialect), value.seen(dialect))
        }
        for bound in [lower, upper] { keep(KeyArgument(codec: codec, use: .order), for: bound, comparedWith: value) }
        return (upper, lower, value)
    }

    // MARK: Properties

    /// - Parameter isTestedForNil: Whether the value is only tested for nil. An embedded value supports only this test.
    func column(_ path: QueryPath, in number: Int, isTestedForNil: Bool = false) throws -> QueryOperand {
        guard let scope = scopes[number] else {
            throw QueryError.notExpressible("The expression refers to objects of another closure")
        }
        var row = scope.row
        let steps = try KeyPathChain.steps(of: path, in: row.map, classes.map(of:))
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            let presenceFlag = isLast && isTestedForNil ? step.presenceOrdinal(in: row.map) : nil
            let subject = try presenceFlag.map { .property($0) } ?? step.subject(in: row.map)
            guard case .property(let ordinal) = subject else {
                guard isLast else { throw QueryError.notExpressible("An id has no properties") }
                return QueryOperand(column: "id", of: row)
            }
            let property = row.map.properties[ordinal]
            if !isLast {
                // The id of a referenced object is in the reference's own column.
                if index == steps.count - 2, case .reference = property.shape,
                    let codec = property.codec as? ReferenceCodec,
                    (try? steps[index + 1].subject(in: classes.map(of: codec.target))) == .id
                {
                    return QueryOperand(column: property.column, of: row).nullable
                }
                if case .scalar = property.shape {
                    let part = try JSONPart(steps[(index + 1)...], of: property, in: row.map)
                    return try QueryOperand(part.place, in: property, of: row, dialect)
                }
                row = try scope.row(through: ordinal, of: row, classes, newAlias: newAlias)
                continue
            }
            switch property.shape {
            case .scalar: return QueryOperand(property, ordinal: ordinal, of: row)
            case .reference:
                var operand = QueryOperand(property, ordinal: ordinal, of: row)
                operand.keyed = try KeyedReference(property, of: row.map, dialect).map { ($0, row.alias) }
                return operand
            case .collection: return QueryOperand(collection: ordinal, of: row)
            case .inverse:
                guard (property.codec as? InverseCodec)?.isSingle == true else {
                    return QueryOperand(collection: ordinal, of: row)
                }
                let other = try scope.row(through: ordinal, of: row, classes, newAlias: newAlias)
                return QueryOperand(column: "id", of: other)
            }
        }
        throw QueryError.notExpressible("A path is empty")
    }

    // MARK: Elements of collections

    func source(_ operand: QueryOperand) throws -> ElementSource {
        if case .list(let list) = operand.content { throw list.refusal }
        guard case .collection(let ordinal, let row) = operand.content else {
            throw QueryError.notExpressible("The expression has a value where a collection is required")
        }
        return try ElementSource(row.map.properties[ordinal], of: row, classes, newAlias: newAlias)
    }

    private func enter(_ number: Int) throws {
        let source = try source(try pop())
        guard let element = source.element else { throw QueryError.notExpressible("The elements are not objects") }
        scopes[number] = QueryScope(element.map, alias: element.alias)
        open.append((number, source))
    }

    private func leave(_ quantifier: QueryExpression.Quantifier) throws {
        let body = try pop()
        guard let (number, source) = open.popLast(), let scope = scopes.removeValue(forKey: number) else {
            throw QueryError.notExpressible("The expression ends a closure that it did not begin")
        }
        let condition = quantifier == .any ? body : body.negated
        let owners = source.owners(
            withElement: true, joined: scope.joins(needed: condition.needed), where: condition.sql)
        let sql: SQL = "\(source.ownerKey) IN (\(owners))"
        let some = QueryOperand(sql, mayBeNull: true, needed: condition.needed.union(source.owner.chain))
        stack.append(quantifier == .any ? some : some.negated)
    }

    private func leaveQuery(_ number: Int, _ path: QueryPath) throws {
        let condition = try pop()
        use = "use it in a subquery"
        var property = try column(path, in: number).checked()
        try property.checkIsPlain("use it in a subquery")
        var value = try popStored().checked()
        if !value.isDecimalColumn || !property.isDecimalColumn || value.decimalScale != property.decimalScale {
            value = value.seen(dialect)
            if property.isDecimalColumn { property = property.seen(dialect) }
        }
        try value.checkForm(of: property, "compared with")
        guard let scope = scopes.removeValue(forKey: number) else {
            throw QueryError.notExpressible("The expression ends a query that it did not begin")
        }
        let source = try classes.rows(of: scope.map.type, as: scope.alias)
        let rows = source + scope.joins(needed: condition.needed)
        let sql: SQL = "\(value.sql) IN (SELECT \(property.sql) FROM \(rows) WHERE \(condition.sql))"
        // A nil value is never in the list, but SQL evaluates the condition to NULL.
        stack.append(QueryOperand(sql, mayBeNull: true, needed: value.needed))
    }

    // MARK: Operations

    /// Records the form to which an argument is converted.
    func keep(_ form: any ArgumentForm, for argument: QueryOperand, comparedWith value: QueryOperand?) {
        guard let placeholder = argument.placeholder else { return }
        keys[placeholder - 1] = ComparedForm(form: form, origin: value?.origin)
    }

    /// Records that an argument is converted to the form of the column that it is compared with.
    func recordConversion(
        _ argument: QueryOperand, comparedWith value: QueryOperand, as kind: FormattedArgument.Kind = .value
    ) {
        guard let placeholder = argument.placeholder, keys[placeholder - 1] == nil, let codec = value.codec,
            codec.recodesArguments
        else { return }
        // The strings of a plain list are already in stored form, unless the column stores no strings.
        guard kind != .plainList || value.decimalScale != nil else { return }
        keep(FormattedArgument(codec: codec, kind: kind), for: argument, comparedWith: value)
    }

    private func apply(_ operation: QueryOperation) throws {
        switch operation {
        case .equal, .notEqual, .identical, .isIn, .isNil, .isNotNil: use = nil
        default: use = operation.spelling
        }
        switch operation {
        case .always: stack.append(QueryOperand(dialect.always, mayBeNull: false))
        case .never: stack.append(QueryOperand(dialect.never, mayBeNull: false))
        case .and, .or:
            var second = try pop()
            var first = try pop()
            first.join(&second, operation == .and ? .all : .any)
            stack.append(first)
        case .not: stack.append(try pop().negated)
        case .isEmpty, .isNotEmpty: stack.append(try isEmpty(operation == .isEmpty))
        case .elementCount: stack.append(try elementCount())
        case .containsElement: stack.append(try containsElement())
        case .equal, .notEqual, .identical:
            var (first, second) = try popPair(.equality)
            recordConversion(second, comparedWith: first)
            (first, second) = try QueryOperand.comparable(first, second)
            stack.append(try first.compared(operation, second, dialect))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let (first, second) = try popPair(.order)
            try first.checkOrder()
            recordConversion(second, comparedWith: first)
            stack.append(try first.inOrder(dialect).compared(operation, second.inOrder(dialect), dialect))
        case .isIn(let isTagged):
            let (list, value) = (try popStored(), try popStored().checked())
            let isKey = value.isBytesKey
            if let codec = value.key, isKey {
                keep(KeyArgument(codec: codec, use: .list(isTagged: isTagged)), for: list, comparedWith: value)
            }
            recordConversion(list, comparedWith: value, as: isTagged ? .taggedList : .plainList)
            if value.sealed != nil {
                let encoding: ListEncoding = isTagged ? .tagged : .plain
                return stack.append(try value.isAmongHashes(of: list.checked().sql, encoding, dialect))
            }
            let isInList = dialect.isInList(try list.checked().sql, isTagged || isKey ? .tagged : .plain)
            guard let keyed = value.keyed else {
                return stack.append(value.making("\(value.sql) \(isInList)", with: list))
            }
            stack.append(value.making(keyed.reference.refers(keyed.row) { "\($0) \(isInList)" }, with: list))
        case .isNil, .isNotNil:
            stack.append(
                try OperationSQL(dialect: dialect).write(operation) { try popStored().checkedForNil() })
        case .between:
            let (upper, lower, value) = try popRange()
            try value.checkOrder()
            for bound in [lower, upper] {
                try value.checkForm(of: bound, "compared with")
                recordConversion(bound, comparedWith: value)
            }
            let (low, high) = (lower.inOrder(dialect).sql, upper.inOrder(dialect).sql)
            stack.append(
                value.making("\(value.inOrder(dialect).sql) BETWEEN \(low) AND \(high)", with: lower, upper))
        case .coalesce: stack.append(try coalesced())
        case .add, .subtract, .multiply: stack.append(try calculated(operation))
        case .scaled(let digits):
            let number = try popStored()
            stack.append(try QueryOperand("CAST(\(number.sql) AS BIGINT)", mayBeNull: false).scaled(digits))
        case .negate where stack.last?.decimalScale != nil:
            let value = try popStored()
            stack.append(try value.making("(-\(value.sql))").scaled(value.decimalScale ?? 0))
        case .matchesText: stack.append(try matches(try pop()))
        case .isOfHistory(let aClass): stack.append(try isOfHistory(of: aClass))
        case .raw(let condition): stack.append(try raw(condition))
        case .valueOfKey: stack.append(try valueOfKey())
        case .elementAggregate(let function): stack.append(try ofElements(function))
        case .groupAggregate(let function): stack.append(try ofGroup(function))
        default:
            stack.append(try OperationSQL(dialect: dialect).write(operation, pop))
        }
    }
}
