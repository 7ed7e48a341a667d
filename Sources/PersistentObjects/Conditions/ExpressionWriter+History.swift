internal import StoreEngine

extension ExpressionWriter {
    /// Whether an entry of the history is of a class: its table and its object stand before it.
    ///
    /// The table has the rows of a whole hierarchy. Which of them are of a
    /// subclass, or were, the values of the column that tells the class say,
    /// also of rows that are gone.
    func isOfHistory(of aClass: QueryClass) throws -> QueryOperand {
        let (object, table) = (try pop().checked(), try pop().checked())
        let map = try classes.map(of: aClass.type)
        let isOfTable: SQL = "\(table.sql) = \(HistoryTriggers.text(map.table))"
        guard !map.isRoot else { return QueryOperand(isOfTable, mayBeNull: false, needed: table.needed) }
        let names: SQL = "\(list: classes.names(of: map).map { HistoryTriggers.text($0) })"
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
}
