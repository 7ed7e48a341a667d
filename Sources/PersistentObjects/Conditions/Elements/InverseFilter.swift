extension QueryExpression: InverseCondition {}

/// The condition of an inverse, as SQL for the row of an object on the other side.
///
/// Its values are literals, because it is part of statements with their own arguments.
struct InverseFilter {
    let condition: SQL
    /// The tables that it needs in addition to the row's table.
    let joins: SQL

    /// Nil for an inverse without a condition.
    init?(
        _ codec: PropertyCodec, of row: QueryScope.Row, _ classes: any ClassDirectory, newAlias: () -> String
    ) throws {
        guard let expression = (codec as? InverseCodec)?.condition as? QueryExpression else { return nil }
        if let problem = expression.problem { throw problem }
        guard InverseFilter.depth < InverseFilter.depthLimit else {
            throw QueryError.notExpressible(
                "The condition uses an inverse whose own condition uses the first inverse again")
        }
        (condition, joins) = try InverseFilter.$depth.withValue(InverseFilter.depth + 1) {
            try InverseFilter.written(expression, row, classes, newAlias)
        }
    }

    /// The nesting depth of conditions. It is limited, because a condition that refers to itself would never end.
    @TaskLocal private static var depth = 0
    private static var depthLimit: Int { 8 }

    private static func written(
        _ expression: QueryExpression, _ row: QueryScope.Row, _ classes: any ClassDirectory, _ newAlias: () -> String
    ) throws -> (SQL, joins: SQL) {
        try withoutActuallyEscaping(newAlias) { newAlias in
            func writer(_ literals: [SQL]?) -> ExpressionWriter {
                ExpressionWriter(row.map, classes, alias: row.alias, literals: literals, aliases: newAlias)
            }
            // The forms of all arguments are known only after the first pass.
            let first = writer(nil)
            _ = try first.write(expression)
            let second = try writer(expression.literals(after: first))
            let written = try second.write(expression)
            return (written.sql, second.root.joins(needed: written.needed))
        }
    }
}

/// An inverse with a condition, for the statements of its class.
struct FilteredInverse {
    /// Selects the ids of owners, which are bound as a list, with the ids of their elements.
    let pairs: SQL
    let reach: InverseReach

    init(_ property: Property, of map: ClassMap, _ classes: any ClassDirectory) throws {
        let source = try ElementSource(standingAlone: property, of: map, classes)
        pairs = try source.pairs(classes)
        reach = try InverseReach(property, of: map, classes.dialect)
    }
}

extension ElementSource {
    /// Creates the source for a statement that reads nothing else.
    init(standingAlone property: Property, of map: ClassMap, _ classes: any ClassDirectory) throws {
        var count = 0
        func newAlias() -> String {
            count += 1
            // The space keeps it distinct from every user table.
            return " \(count)"
        }
        let owner = QueryScope.Row(map: map, alias: newAlias(), chain: [])
        try self.init(property, of: owner, classes, newAlias: newAlias)
    }
}
