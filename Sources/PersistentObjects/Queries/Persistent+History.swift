internal import StoreEngine

// The history of classes that keep one.
extension Persistent {
    /// The changes of the rows of the class, in their order, as a query; of a class with `keepsHistory`.
    ///
    /// ```swift
    /// let entries = try Person.history.where { $0.author == "ann" && $0.date > yesterday }.all()
    /// for entry in entries { print(entry.object, try entry.old(\Person.name) ?? "", try entry.new(\Person.name) ?? "") }
    /// ```
    ///
    /// Those of rows that are gone are in it too. Of a subclass they are the
    /// entries of rows that are of it, or were at some time. `delete()`
    /// takes entries out of the file, and their values.
    ///
    /// The endings throw `StoreError` with the code `misuse` if the class keeps
    /// no history.
    public static var history: Query<HistoryEntry> {
        Query(HistoryQuery.definition(of: ObjectMemory.objectClass(self)))
    }

    /// The changes of the object's row, in their order, as a query.
    ///
    /// ```swift
    /// let names = try joe.history.all().compactMap { try $0.old(\Person.name) }
    /// ```
    ///
    /// The endings throw `StoreError` with the code `misuse` if the class keeps
    /// no history, or the object was never saved.
    public var history: Query<HistoryEntry> {
        Query(HistoryQuery.definition(of: type(of: object), object.id))
    }
}

/// Puts together what is asked of the history.
private enum HistoryQuery {
    static func definition(of type: PersistentObject.Type) -> QueryDefinition {
        var isOfClass = column(\.table)
        isOfClass.append(column(\.object))
        return definition(isOfClass.applying(.isOfHistory(QueryClass(type: type))), of: type)
    }

    /// - Parameter id: The row's; nil where the object has none.
    static func definition(of type: PersistentObject.Type, _ id: Int64?) -> QueryDefinition {
        // The row tells the object from those of other classes.
        let root = (try? ClassMap.map(of: type).root) ?? type
        var definition = definition(of: root)
        let isOfRow = column(\.object).applying(.equal, QueryExpression(argument: .value(.integer(id ?? 0))))
        definition.add(isOfRow)
        guard id == nil else { return QueryDefinition(definition.type, definition.condition, home: type) }
        var condition = definition.condition ?? isOfRow
        condition.fail(StoreError(.misuse, "The object was never saved, so it has no history", className: "\(type)"))
        return QueryDefinition(definition.type, condition, home: type)
    }

    private static func definition(_ condition: QueryExpression, of type: PersistentObject.Type) -> QueryDefinition {
        var condition = condition
        do { try ClassMap.map(of: type).checkKeepsHistory() } catch { condition.fail(error) }
        return QueryDefinition(HistoryEntry.self, condition, home: type)
    }

    private static func column(_ path: KeyPath<HistoryEntry, some Any>) -> QueryExpression {
        QueryExpression(.column(scope: 0, QueryPath(path)))
    }
}
