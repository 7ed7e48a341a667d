internal import StoreEngine

extension ClassMap {
    /// Whether an index makes some columns unique among the rows that are not softly deleted, and has no other effect.
    func isUniqueAmongLive(_ columns: Set<String>, _ dialect: Dialect) throws -> Bool {
        guard let ordinal = softDeleteOrdinal, declaredIndexes.contains(where: \.isUnique) else { return false }
        let isLive = QueryExpression(.column(scope: 0, QueryPath(.ordinal(ordinal)))).applying(.isNil)
        let live = try IndexExpression(Condition(isLive), of: self, dialect).sql
        return try declaredIndexes.contains { index in
            guard index.isUnique, let condition = index.condition, index.keys.count == columns.count,
                index.keys.allSatisfy({ if case .column(let column) = $0 { columns.contains(column) } else { false } })
            else { return false }
            return try IndexExpression(condition, of: self, dialect).sql.text == live.text
        }
    }

    /// The column with the deletion time, in a class with soft deletion.
    var softDeleteColumn: String? { softDeleteOrdinal.map { properties[$0].column } }

    /// Whether an object of the class is softly deleted, according to its property in memory.
    func isDeletedSoftly(_ object: PersistentObject) -> Bool {
        guard let ordinal = softDeleteOrdinal else { return false }
        let property = properties[ordinal]
        let value = try? property.codec.encode(property.address(in: ObjectMemory.start(of: object)))
        return value.map { $0 != .null } ?? false
    }
}
