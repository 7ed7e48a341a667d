extension QueryExpression: InverseCondition {}

/// The objects on the other side that an inverse contains, as SQL about the row of one of them.
///
/// Its values are written out, because it is part of statements that bind their own.
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
            throw QueryError.notExpressible(
                "The condition uses an inverse whose own condition uses the first inverse again")
        }
        (condition, joins) = try InverseFilter.$depth.withValue(InverseFilter.depth + 1) {
            try InverseFilter.written(expression, row, classes, newAlias)
        }
    }

    /// The nesting depth of conditions: one that refers to itself would never end.
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
            // The space keeps it distinct from every user table.
            return " \(count)"
        }
        let owner = QueryScope.Row(map: map, alias: newAlias(), chain: [])
        try self.init(property, of: owner, classes, newAlias: newAlias)
    }
}
