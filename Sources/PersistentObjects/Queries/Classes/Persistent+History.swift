internal import StoreEngine

// The recorded history of classes and objects.
extension Persistent {
    /// A query of the recorded changes to rows of the class, in the order in which they were made.
    ///
    /// ```swift
    /// let entries = try Person.history.where { $0.author == "ann" && $0.date > yesterday }.all()
    /// for entry in entries { print(entry.object, try entry.old(\Person.name) ?? "", try entry.new(\Person.name) ?? "") }
    /// ```
    ///
    /// It includes changes to deleted rows. The history of a subclass contains the entries of rows that belong to the
    /// subclass, or once did. `delete()` removes entries from the file, together with their values.
    ///
    /// The query's terminal methods throw `StoreError` with the code `misuse` if the class does not set `keepsHistory`.
    public static var history: Query<HistoryEntry> {
        Query(HistoryQuery.definition(of: ObjectMemory.objectClass(self)))
    }

    /// A query of the recorded changes to the object's row, in the order in which they were made.
    ///
    /// ```swift
    /// let names = try joe.history.all().compactMap { try $0.old(\Person.name) }
    /// ```
    ///
    /// The query's terminal methods throw `StoreError` with the code `misuse` if the class does not keep history, or if
    /// the object was never saved.
    public var history: Query<HistoryEntry> {
        Query(HistoryQuery.definition(of: type(of: object), object.id))
    }
}

/// Builds the queries of the history.
private enum HistoryQuery {
    static func definition(of type: PersistentObject.Type) -> QueryDefinition {
        var isOfClass = column(\.table)
        isOfClass.append(column(\.object))
        return definition(isOfClass.applying(.isOfHistory(QueryClass(type: type))), of: type)
    }

    /// - Parameter id: The id of the row; nil for an object that was never saved.
    static func definition(of type: PersistentObject.Type, _ id: Int64?) -> QueryDefinition {
        // The root class is used, because an id is unique in the whole hierarchy.
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
