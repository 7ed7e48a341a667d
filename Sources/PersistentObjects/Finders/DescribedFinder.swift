package import StoreEngine

/// A finder of a described class: the SQL of the finder in a program that has the class, and its values.
package struct DescribedFinder {
    /// The results of a finder.
    package enum Results: Equatable {
        /// Objects; the columns are the id and the selected properties.
        ///
        /// - Parameters:
        ///   - limit: The number of objects; nil for all.
        ///   - isReversed: Whether the rows are in reverse order.
        case objects(limit: Int?, isReversed: Bool)
        /// Exactly one object.
        case onlyObject
        case count
        case exists
        case ids
        /// The least or greatest value of the property with this name.
        case extreme(String)
        /// The sum of a property's values, and the number of values; nil if there are no values.
        case sum
        /// The same, for a sum that is 0 if there are no values.
        case total
        /// The same, for their average.
        case average
    }

    package let results: Results
    /// The statement of the program.
    package let sql: SQL
    /// The same statement with one more value, a limit on the number of objects; nil if the results are not objects.
    package let limited: SQL?
    /// The ids of the rows of `limited`, with the same values.
    package let limitedIDs: SQL?
    /// The values of the placeholders.
    package let values: [DatabaseValue]
    /// Whether the statement specifies the order of the results. If not, a program sorts them by id.
    package let isOrdered: Bool
    /// The names of the columns after the id, if the results are objects.
    package let columns: [String]
    /// The indexes that would help if the statement reads all rows, as a part of a sentence; nil if none would help.
    package let indexAdvice: String?

    /// Compiles a call of a finder.
    ///
    /// - Throws: The errors of the finder in a program, and an error for a finder that writes.
    package init(
        _ name: String, _ arguments: [DescribedLiteral], of map: ClassMap, in classes: DescribedClasses,
        _ dialect: Dialect
    ) throws {
        let meaning = try FinderMeaning(name, of: map)
        let parsed = meaning.parsed
        let criteria = meaning.alternatives.flatMap { $0 }
        guard arguments.count == parsed.argumentCount else {
            throw FinderError.wrongArgumentCount(
                className: map.name, finder: name,
                properties: criteria.flatMap { Array(repeating: $0.name, count: $0.operation.argumentCount) },
                expected: parsed.argumentCount, given: arguments.count)
        }
        var values: [Any?] = arguments.map { _ in nil }
        for criterion in criteria {
            for index in 0..<criterion.operation.argumentCount {
                let place = criterion.firstArgument + index
                values[place] = criterion.value(of: arguments[place])
            }
        }
        var definition = try meaning.definition(values, of: map.type)
        var aggregated: (functions: [AggregateFunction], results: Results)?
        if case .aggregate(let aggregate, let path) = parsed.subject {
            let (way, owner, names) = try FinderCriterion.follow(path, from: map)
            definition.selection = [way.expression]
            let codec = path.last.flatMap { $0 < owner.properties.count ? owner.properties[$0].codec : nil }
            aggregated = try DescribedFinder.functions(aggregate, codec, map, name, property: names)
        }
        try definition.check()
        let directory = DescribedDirectory(classes, dialect)
        let classSQL = try directory.sql(of: map)
        let plan = try QueryPlan(definition, map, classSQL, directory)
        self.values = try definition.arguments.enumerated().map { index, argument in
            guard case .value(let value) = argument else { return .null }
            return try plan.keys[index]?.stored(value) ?? value
        }
        isOrdered = plan.isAnswerOrdered
        indexAdvice = IndexAdvice(definition, map).suggestion
        let hasObjects: Bool
        switch parsed.subject {
        case .find: (results, sql, hasObjects) = (.objects(limit: nil, isReversed: false), plan.select, true)
        case .first(let count):
            (results, sql, hasObjects) = (.objects(limit: count ?? 1, isReversed: false), plan.selectFirst, true)
        case .last(let count):
            (results, sql, hasObjects) = (.objects(limit: count ?? 1, isReversed: true), plan.selectFirst, true)
        case .only: (results, sql, hasObjects) = (.onlyObject, plan.selectFirst, true)
        case .count: (results, sql, hasObjects) = (.count, plan.count, false)
        case .exists: (results, sql, hasObjects) = (.exists, plan.exists, false)
        case .ids: (results, sql, hasObjects) = (.ids, plan.ids, false)
        case .aggregate:
            results = aggregated?.results ?? .sum
            sql = plan.text(.aggregate(aggregated?.functions ?? []))
            hasObjects = false
        case .delete, .findOrCreate, .findOrInitialize:
            throw QueryError.notExpressible(
                "In \(map.name).\(name): the finder can write, and files are only read here. Use a finder that begins "
                    + "with find, get, count, exists, ids or an aggregate")
        }
        limited = hasObjects ? plan.selectFirst : nil
        limitedIDs = hasObjects ? plan.firstIDs : nil
        let selected = map.properties[..<map.selectedCount].map(\.name)
        columns = hasObjects ? selected + (classSQL.family.isEmpty ? [] : ["class"]) : []
    }

    private static func functions(
        _ aggregate: ParsedFinder.Aggregate, _ codec: PropertyCodec?, _ map: ClassMap, _ name: String, property: String
    ) throws -> ([AggregateFunction], Results) {
        switch aggregate {
        case .minimum: return ([.minimum], .extreme(property))
        case .maximum: return ([.maximum], .extreme(property))
        case .sum, .total, .average:
            guard codec?.isDecimal != true, codec?.isScaled != true else {
                throw QueryError.notExpressible(
                    "In \(map.name).\(name): decimal numbers are added in Swift, by a program with the class. Use "
                        + "find, and add the values")
            }
            return switch aggregate {
            case .sum: ([.sum, .count], .sum)
            case .total: ([.total, .count], .total)
            default: ([.total, .count], .average)
            }
        }
    }
}

extension FinderCriterion {
    /// The argument for a literal.
    fileprivate func value(of literal: DescribedLiteral) -> Any? {
        switch operation {
        case .like, .startingWith, .endingWith, .matches: return literal.value(for: nil)
        case .containing where !isMany: return literal.value(for: nil)
        default: return literal.value(for: property.map { elementCodec($0) })
        }
    }
}

extension DescribedRange: AnyRange {
    var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lower, upper, includesUpper) }
}

/// The described classes, for the code that writes SQL.
private final class DescribedDirectory: ClassDirectory {
    let dialect: Dialect
    private let classes: DescribedClasses

    init(_ classes: DescribedClasses, _ dialect: Dialect) {
        self.classes = classes
        self.dialect = dialect
    }

    func map(of type: PersistentObject.Type) throws -> ClassMap { try classes.map(of: type) ?? ClassMap.map(of: type) }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try sql(of: map(of: type)).source(as: alias)
    }

    func names(of map: ClassMap) -> [String] { classes.family(of: map).map(\.name) }

    func sql(of map: ClassMap) throws -> ClassSQL {
        let hasClassColumn = classes.descriptions[map.name]?.hasClassColumn ?? false
        return try ClassSQL(map, hasClassColumn ? classes.family(of: map) : [], dialect)
    }
}
