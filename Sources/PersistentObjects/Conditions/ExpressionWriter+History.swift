internal import StoreEngine

extension ExpressionWriter {
    /// The condition that a history entry belongs to a class. The entry's table and object are on the stack.
    ///
    /// The table contains the rows of a whole hierarchy. The recorded values of the class column determine which rows
    /// belong to a subclass, or once did, even if they were deleted.
    func isOfHistory(of aClass: QueryClass) throws -> QueryOperand {
        let (object, table) = (try pop().checked(), try pop().checked())
        let map = try classes.map(of: aClass.type)
        let isOfTable: SQL = "\(table.sql) = \(HistoryTriggers.text(map.table))"
        guard !map.isRoot else { return QueryOperand(isOfTable, mayBeNull: false, needed: table.needed) }
        let names: SQL = "\(list: classes.names(of: map).map(anyValue))"
        let rows: SQL = """
            SELECT "e"."object" FROM \(name: HistoryNames.entries) "e" \
            WHERE "e"."table" = \(HistoryTriggers.text(map.table)) AND EXISTS \
            (SELECT 1 FROM \(name: HistoryNames.values) "v" WHERE "v"."entry_id" = "e"."id" AND "v"."column" = 'class' \
            AND ("v"."old" IN (\(names)) OR "v"."new" IN (\(names))))
            """
        return QueryOperand(
            "(\(isOfTable) AND \(object.sql) IN (\(rows)))", mayBeNull: false,
            needed: table.needed.union(object.needed))
    }
    private func anyValue(_ text: String) -> SQL {
        dialect.history.anyValue(HistoryTriggers.text(text), dialect.declaredType(.text).text)
    }
}
