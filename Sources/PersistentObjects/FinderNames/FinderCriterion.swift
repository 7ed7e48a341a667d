internal import StoreEngine

/// One comparison of a dynamic finder: the path to a property, and the operator.
final class FinderCriterion {
    let path: CriterionPath
    let operation: FinderOperation
    let isNegated: Bool
    private let ignoresCase: Bool
    private let isText: Bool
    /// Whether the property is a `String`, not another type that is stored as a string.
    private let isString: Bool
    let firstArgument: Int
    /// The class that declares the property.
    private let map: ClassMap
    /// Nil for the id.
    let property: Property?
    /// Whether an argument may be the id of an object. It is stored, because checking a value for this is slow.
    private let isLink: Bool
    /// The path as Swift writes it, `employer.name`.
    let name: String
    let finder: String
    let className: String
    /// The operator, if it is a custom operator of the class.
    let own: FinderOperator.Content?

    init(
        _ criterion: ParsedFinder.Criterion, of start: ClassMap, ignoresCaseOfTexts: Bool, finder: String,
        _ operators: [FinderOperator]
    ) throws {
        self.finder = finder
        className = start.name
        operation = criterion.comparison.operation
        isNegated = criterion.comparison.isNegated
        own = if case .own(let ordinal, _) = operation { operators[ordinal].content } else { nil }
        firstArgument = criterion.firstArgument
        let (path, map, names) = try FinderCriterion.follow(criterion.path, from: start)
        self.path = path
        self.map = map
        name = names
        let ordinal = criterion.path.last ?? map.properties.count
        property = ordinal < map.properties.count ? map.properties[ordinal] : nil
        isLink = property?.isLink ?? false
        // A key is a string, whatever its column stores.
        let hasText = property.map { $0.codec.columnType == .text || $0.codec.isKey } ?? false
        isText = hasText && !FinderCriterion.isMany(property)
        isString = property?.codec.isString ?? false
        ignoresCase = criterion.ignoresCase || (ignoresCaseOfTexts && isText && own == nil)
        try check()
    }

    /// The path through property indices, the class at its end, and its names.
    static func follow(_ ordinals: [Int], from start: ClassMap) throws -> (CriterionPath, ClassMap, String) {
        var map = start
        var path: CriterionPath?
        var names: [String] = []
        var former: Property?
        for (index, ordinal) in ordinals.enumerated() {
            let step = QueryPath.Step.ordinal(ordinal)
            path = path.map { isMany(former) ? $0.entering(step) : $0.appending(step) } ?? CriterionPath(step)
            guard ordinal < map.properties.count else {
                names.append("id")
                break
            }
            let property = map.properties[ordinal]
            names.append(property.name)
            former = property
            if index < ordinals.count - 1, let link = property.linkedClass { map = try ClassMap.map(of: link) }
        }
        return (path ?? CriterionPath(QueryPath.Step.ordinal(0)), map, names.joined(separator: "."))
    }

    /// Whether the property is a collection, or an inverse with several objects.
    private static func isMany(_ property: Property?) -> Bool {
        switch property?.shape {
        case .collection: true
        case .inverse: (property?.codec as? InverseCodec)?.isSingle != true
        case .scalar, .reference, nil: false
        }
    }

    var isMany: Bool { FinderCriterion.isMany(property) }

    // MARK: Supported operators

    private func check() throws {
        let isBool = property?.codec.isBool ?? false
        let fits =
            switch operation {
            case .equal, .in: !isMany
            case .isNull: !isMany || property?.hasColumn == true
            case .between, .inRange, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
                !isMany && !isBool && !isReference && property.map { QueryOperand.isStoredInOrder($0.codec) } ?? true
            case .like, .startingWith, .endingWith, .matches: isText
            case .containing: isMany || isText
            case .isEmpty: isMany || isText || property?.codec is InverseCodec
            case .containingAll, .containingAny: isMany
            case .isTrue, .isFalse: isBool
            case .own: own?.fits(property?.codec.valueType ?? Int64.self) ?? false
            }
        guard fits, !ignoresCase || isText else {
            throw FinderError.wrongOperator(
                className: className, finder: finder, property: name, operation: spelling,
                isCollection: isMany && own == nil)
        }
    }

    private var spelling: String {
        if let own { return (isNegated ? "Not" : "") + own.name }
        // An operator has several names. The name in the finder follows the property.
        let token = FinderGrammar.token(of: property?.name ?? FinderGrammar.identity.name)
        let names = FinderGrammar.operators.filter {
            $0.comparison == FinderComparison(operation, isNegated: isNegated)
        }
        .map(\.spelling).sortedUnspecialized { $0.utf8.count > $1.utf8.count }
        let written = names.first { finder.contains(token + $0) }
        return (written ?? names.last ?? "\(operation)") + (ignoresCase ? "IgnoreCase" : "")
    }

    private var isReference: Bool { property.map { $0.codec is ReferenceCodec || $0.codec is InverseCodec } ?? false }

    /// Whether the condition compares the property with a single value, without negation, collections or case folding.
    var isPlain: Bool {
        switch operation {
        case .equal: path.collections.isEmpty && !isNegated && !ignoresCase
        default: false
        }
    }

    /// The argument of a plain comparison as the column stores it. The result is nil for a nil argument, and for an
    /// object that the session must look up.
    func plainValue(_ arguments: [Any?]) throws -> DatabaseValue? {
        // Most finders are called with a value that needs no conversion.
        if isString, let text = arguments[firstArgument] as? String { return .text(text) }
        guard case .value(let value) = try value(OptionalValue.flattened(arguments[firstArgument])), value != .null
        else { return nil }
        return value
    }

    // MARK: The condition

    /// The condition for a call's arguments. If the path leads through collections, it is a condition on their
    /// elements.
    func condition(_ arguments: [Any?]) throws -> QueryExpression {
        let operands = arguments[firstArgument..<(firstArgument + operation.argumentCount)]
        // A nil value is neither empty nor not empty. `IsNotEmpty` requires content.
        if operation == .isEmpty, isNegated {
            return path.expression.applying(isMany || isText ? .isNotEmpty : .isNotNil)
        }
        let condition = try condition(operands)
        return isNegated ? condition.applying(.not) : condition
    }

    private func condition(_ operands: ArraySlice<Any?>) throws -> QueryExpression {
        let (first, last) = (operands.first ?? nil, operands.last ?? nil)
        let column = path.expression
        switch operation {
        case .equal:
            let value = QueryExpression(argument: try value(first))
            guard ignoresCase, !value.isNil else { return column.comparing(.equal, value) }
            // The column of a key may store it in a form other than a string.
            let compared = property?.codec.isKey == true ? text(try pattern(first)) : value
            return column.applying(.folded).applying(.equal, compared.applying(.folded))
        case .lessThan: return column.applying(.less, try present(first))
        case .lessThanOrEqual: return column.applying(.lessOrEqual, try present(first))
        case .greaterThan: return column.applying(.greater, try present(first))
        case .greaterThanOrEqual: return column.applying(.greaterOrEqual, try present(first))
        case .between: return column.between(try present(first), try present(last))
        case .inRange: return try range(first)
        case .isNull: return column.applying(.isNil)
        case .isTrue: return column.applying(.isTrue)
        case .isFalse: return column.applying(.equal, QueryExpression(argument: .value(.integer(0))))
        case .isEmpty: return column.applying(isMany || isText ? .isEmpty : .isNil)
        case .like: return folded(column).applying(.glob, text(TextPattern.glob(fromLike: try pattern(first))))
        case .startingWith: return folded(column).hasPrefix(try pattern(first))
        case .endingWith: return folded(column).hasSuffix(try pattern(first))
        case .matches:
            let pattern = try pattern(first)
            return folded(column).applying(.regexp(for: pattern), text(pattern))
        case .containing:
            guard isMany else { return folded(column).applying(.contains, text(try pattern(first))) }
            return column.applying(.containsElement, QueryExpression(argument: try element(first)))
        case .containingAll: return try elements(first, .and, nothing: .always)
        case .containingAny: return try elements(first, .or, nothing: .never)
        case .in:
            if first is any AnyRange { return try range(first) }
            return try column.isIn(list(first).map { try value($0) })
        case .own: return try ownCondition(Array(operands))
        }
    }

    private func folded(_ column: QueryExpression) -> QueryExpression {
        ignoresCase ? column.applying(.folded) : column
    }

    private func text(_ text: String) -> QueryExpression { QueryExpression(argument: .value(.text(text))) }

    /// An argument that must be a string, whatever the property's type.
    private func pattern(_ argument: Any?) throws -> String {
        guard let argument, let text = String.converted(argument) else { throw wrongType(argument, "String") }
        return text.folded(ignoresCase)
    }

    private func elements(
        _ argument: Any?, _ connective: QueryOperation, nothing: QueryOperation
    ) throws -> QueryExpression {
        let parts = try list(argument).map { item in
            path.expression.applying(.containsElement, QueryExpression(argument: try element(item)))
        }
        guard let first = parts.first else { return QueryExpression(.operation(nothing)) }
        return parts.dropFirst().reduce(first) { $0.applying(connective, $1) }
    }

    private func range(_ argument: Any?) throws -> QueryExpression {
        guard let range = argument as? any AnyRange else { throw wrongType(argument, "a range of \(typeName)") }
        let column = path.expression
        let bounds = range.bounds
        let lower = try bounds.lower.map { column.applying(.greaterOrEqual, try present($0)) }
        let upper = try bounds.upper.map {
            column.applying(bounds.includesUpper ? .lessOrEqual : .less, try present($0))
        }
        if let lower, let upper { return lower.applying(.and, upper) }
        return lower ?? upper ?? QueryExpression(.operation(.always))
    }

    private func list(_ argument: Any?) throws -> [Any?] {
        guard let argument, !(argument is any StringProtocol), let list = argument as? any Sequence else {
            throw wrongType(argument, "a list of \(typeName)")
        }
        return FinderCriterion.elements(of: list)
    }

    private static func elements(of list: some Sequence) -> [Any?] { list.map { OptionalValue.flattened($0) } }

    // MARK: Values

    private var typeName: String {
        guard let property else { return "Int64" }
        let type = elementCodec(property).valueType
        let isObject = isMany && (elementCodec(property) is any LinkCodec)
        return TypeSpelling.of(isObject ? (type as? any OptionalType.Type)?.wrapped ?? type : type)
    }

    /// The codec of the values that the property is compared with.
    func elementCodec(_ property: Property) -> PropertyCodec {
        guard isMany else { return property.codec }
        if let collection = property.codec as? CollectionCodec { return collection.element }
        return (property.codec as? InverseCodec)?.element ?? property.codec
    }

    private func wrongType(_ argument: Any?, _ expected: String) -> FinderError {
        .wrongArgumentType(
            className: className, finder: finder, property: name, expected: expected,
            given: TypeSpelling.ofValue(argument))
    }

    /// An argument as the column stores it.
    private func value(_ argument: Any?) throws -> QueryExpression.Argument {
        // If an object on the path is missing, the property is nil, whatever its type.
        if argument == nil, path.isChain { return .value(.null) }
        return try encoded(argument, property?.codec)
    }

    private func present(_ argument: Any?) throws -> QueryExpression {
        guard argument != nil else { throw wrongType(nil, typeName) }
        return QueryExpression(argument: try encoded(argument, property?.codec))
    }

    private func element(_ argument: Any?) throws -> QueryExpression.Argument {
        guard let property else { throw wrongType(argument, typeName) }
        let codec = elementCodec(property)
        guard argument != nil || (codec.acceptsNull && !(codec is any LinkCodec)) else {
            throw wrongType(nil, typeName)
        }
        return try encoded(argument, codec)
    }

    private func encoded(_ argument: Any?, _ codec: PropertyCodec?) throws -> QueryExpression.Argument {
        do {
            guard let codec else {
                guard let value = try argument.flatMap({ try Int64.argument($0) }) else {
                    throw wrongType(argument, "Int64")
                }
                return .value(value)
            }
            guard let value = try codec.encodeQueryArgument(argument) else {
                if codec.columnType == .integer, let number = argument as? any BinaryInteger,
                    Int64(exactly: number) == nil
                {
                    throw ValueFault.notStorable(
                        reason: "the number does not fit in Int64, the range of SQLite integers")
                }
                throw wrongType(argument, typeName)
            }
            if isLink, let id = argument as? any ObjectIdentifying, id.key != nil, let link = codec as? any LinkCodec {
                return .object(ObjectName(objectClass: link.target, value: id.value, key: id.key))
            }
            return .value(value)
        } catch let fault as ValueFault {
            throw StoreError.value(fault).at(className: className, property: name)
        }
    }
}
