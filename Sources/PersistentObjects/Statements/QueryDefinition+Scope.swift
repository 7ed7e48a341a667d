// Default scopes and soft deletes.
extension QueryDefinition {
    /// All objects of a class except those that its default scope leaves out. Queries and finders start from it.
    static func scoped(_ type: PersistentObject.Type) -> QueryDefinition { QueryDefinition(type, scope(of: type)) }

    /// The condition of a class's default scope, and that objects are not soft-deleted; nil if the class uses neither.
    static func scope(of type: PersistentObject.Type) -> QueryExpression? {
        let own = type.defaultScope
        guard type.softDeletes else { return own.isNone ? nil : own.expression }
        let isThere = deletionTime(of: type).applying(.isNil)
        return own.isNone ? isThere : isThere.applying(.and, own.expression)
    }

    /// All soft-deleted objects in the class's default scope, or all objects in that scope whether soft-deleted or not.
    static func scoped(_ type: PersistentObject.Type, onlyDeleted: Bool) -> QueryDefinition {
        let own = type.defaultScope
        var definition = QueryDefinition(type, own.isNone ? nil : own.expression)
        guard onlyDeleted else { return definition }
        definition.add(deletionTime(of: type).applying(.isNotNil))
        return definition
    }

    private static func deletionTime(of type: PersistentObject.Type) -> QueryExpression {
        do {
            let map = try ClassMap.map(of: type)
            if let ordinal = map.softDeleteOrdinal {
                return QueryExpression(.column(scope: 0, QueryPath(.ordinal(ordinal))))
            }
            throw QueryError.notExpressible(
                "\(map.name) does not use soft deletion, so it has no deleted objects to find. Override class var "
                    + "softDeletes")
        } catch {
            var expression = QueryExpression(argument: .value(.null))
            expression.fail(error)
            return expression
        }
    }
}
