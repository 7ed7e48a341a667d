extension QueryExpression: InverseCondition {}

/// Which of the objects on the other side an inverse has, in SQL about the row of one of them.
///
/// Its values are written out: it stands inside of statements that bind others.
struct InverseFilter {
    let condition: SQL
    /// The tables that it needs besides the row's.
    let joins: SQL

    /// Nil for an inverse that has all.
    init?(
        _ codec: PropertyCodec, of row: QueryScope.Row, _ classes: any ClassDirectory, newAlias: () -> String
    ) throws {
        guard let expression = (codec as? InverseCodec)?.condition as? QueryExpression else { return nil }
        if let problem = expression.problem { throw problem }
        guard InverseFilter.depth < InverseFilter.depthLimit else {
            throw QueryError.notExpressible("it asks of inverses whose conditions ask of it again")
        }
        (condition, joins) = try InverseFilter.$depth.withValue(InverseFilter.depth + 1) {
            try InverseFilter.written(expression, row, classes, newAlias)
        }
    }

    /// How many conditions stand inside of each other: one that leads to itself would never end.
    @TaskLocal private static var depth = 0
    private static var depthLimit: Int { 8 }

    private static func written(
        _ expression: QueryExpression, _ row: QueryScope.Row, _ classes: any ClassDirectory, _ newAlias: () -> String
    ) throws -> (SQL, joins: SQL) {
        try withoutActuallyEscaping(newAlias) { newAlias in
            func writer(_ literals: [SQL]?) -> ExpressionWriter {
                ExpressionWriter(row.map, classes, alias: row.alias, literals: literals, aliases: newAlias)
            }
            // What makes an argument what its column has is known when all is written once.
            let first = writer(nil)
            _ = try first.write(expression)
            let second = try writer(expression.literals(after: first))
            let written = try second.write(expression)
            return (written.sql, second.root.joins(needed: written.needed))
        }
    }
}

/// An inverse with a condition, as a class's statements have it.
struct FilteredInverse {
    /// Gives the ids of owners, which are bound as a list, with those of what they have.
    let pairs: SQL
    let reach: InverseReach

    init(_ property: Property, of map: ClassMap, _ classes: any ClassDirectory) throws {
        let source = try ElementSource(standingAlone: property, of: map, classes)
        pairs = try source.pairs(classes)
        reach = try InverseReach(property, of: map, classes.dialect)
    }
}

extension ElementSource {
    /// In a statement that asks for nothing else.
    init(standingAlone property: Property, of map: ClassMap, _ classes: any ClassDirectory) throws {
        var count = 0
        func newAlias() -> String {
            count += 1
            // The blank keeps it apart from every table of the user's.
            return " \(count)"
        }
        let owner = QueryScope.Row(map: map, alias: newAlias(), chain: [])
        try self.init(property, of: owner, classes, newAlias: newAlias)
    }
}

/// Whose changes decide what an inverse with a condition has.
struct InverseReach {
    /// The tables of the classes in it, in small letters.
    let tables: Set<String>
    /// The only properties of the other side that do, where its condition speaks of nothing else.
    private let properties: Set<String>?

    /// - Throws: `SchemaError.notFilterable` where the condition is none of one row.
    init(_ property: Property, of map: ClassMap, _ dialect: Dialect) throws {
        let side = try InverseSide.of(property, in: map)
        let classes = NamedClasses(dialect)
        do { _ = try ElementSource(standingAlone: property, of: map, classes) } catch {
            let reason = (error as? QueryExpression.UnwritableArgument)?.reason ?? "\(error)"
            throw SchemaError.notFilterable(className: map.name, property: property.name, reason: reason)
        }
        tables = Set((classes.named + [side.other]).map { Naming.folded($0.table) })
        let words = ((property.codec as? InverseCodec)?.condition as? QueryExpression)?.words ?? []
        properties = InverseReach.ownProperties(words, side.other).map { $0.union([side.property.name]) }
    }

    /// The properties of a class that words speak of; nil where they speak of other rows too.
    private static func ownProperties(_ words: [QueryExpression.Word], _ map: ClassMap) -> Set<String>? {
        var names: Set<String> = []
        for word in words {
            switch word {
            case .argument, .operation: continue
            case .column(0, let path):
                guard path.steps.count == 1, let step = path.steps.first,
                    case .property(let place)? = try? step.subject(in: map), !map.properties[place].isInverse
                else { return nil }
                if case .keyPath(let path) = step, KeyPathProbe.isPath(path) { return nil }
                names.insert(map.properties[place].name)
            case .column, .enter, .enterQuery, .leaveQuery, .leaveFirst, .leave, .leaveAggregate: return nil
            }
        }
        return names
    }

    /// Whether a change of rows of a class can change it.
    ///
    /// - Parameter changed: The properties that have changed; nil where rows have come or gone.
    func isConcerned(by map: ClassMap, _ changed: ColumnSet?) -> Bool {
        guard tables.contains(Naming.folded(map.table)) else { return false }
        guard let properties, let changed else { return true }
        var isOne = false
        changed.forEach { isOne = isOne || properties.contains(map.properties[$0].name) }
        return isOne
    }
}

/// The classes that an expression speaks of, whether they have tables yet or not.
private final class NamedClasses: ClassDirectory {
    let dialect: Dialect
    private(set) var named: [ClassMap] = []

    init(_ dialect: Dialect) { self.dialect = dialect }

    func map(of type: PersistentObject.Type) throws -> ClassMap {
        let map = try ClassMap.map(of: type)
        named.append(map)
        return map
    }

    func rows(of type: PersistentObject.Type, as alias: String) throws -> SQL {
        try map(of: type).rows(as: alias, dialect)
    }

    func names(of map: ClassMap) -> [String] { [map.name] }
}
