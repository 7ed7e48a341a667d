internal import StoreEngine

extension PostgresHistory {
    /// The statement that writes the entries of one kind of statement on a class's table.
    struct RowBody {
        private let text: HistoryTableText
        private let event: Event
        private let packed: [(column: HistoryColumnText, places: HistoryColumnText.Places)]
        private let extras: [HistoryColumnText]

        init(_ text: HistoryTableText, _ event: Event) {
            self.text = text
            self.event = event
            packed = text.columns.compactMap { column in column.places.map { (column, $0) } }
            extras = text.columns.filter { $0.places == nil }
        }

        /// Whether rows are joined with their entries.
        private var joins: Bool { text.hasCollections || !extras.isEmpty }

        private var hasOld: Bool { event != .insert }
        private var hasNew: Bool { event == .insert || event == .update }

        private func old(_ column: HistoryColumnText) -> SQL { "\"po o\".\(name: column.name)" }
        private func new(_ column: HistoryColumnText) -> SQL { "\"po n\".\(name: column.name)" }

        /// The columns of an entry with values, and the values.
        private var values: [(place: SQL, value: SQL)] {
            packed.flatMap { column, places in
                let (old, new) = (old(column), new(column))
                let (before, after) = (anyValue(old, column.type), anyValue(new, column.type))
                guard event == .update else { return hasOld ? [(places.old, before)] : [(places.new, after)] }
                let isOther: SQL = "\(old) IS DISTINCT FROM \(new)"
                return [
                    (places.old, "CASE WHEN \(isOther) THEN \(before) END"),
                    (places.new, "CASE WHEN \(isOther) THEN \(after) END"),
                ]
            }
        }

        private var object: SQL {
            switch event {
            case .insert: "\"po n\".\"id\""
            case .update: "coalesce(\"po n\".\"id\", \"po o\".\"id\")"
            case .delete, .truncate: "\"po o\".\"id\""
            }
        }

        private var change: SQL {
            switch event {
            case .insert: "'created'"
            case .update:
                """
                CASE WHEN "po o"."id" IS NULL THEN 'created' WHEN "po n"."id" IS NULL THEN 'deleted' ELSE 'changed' END
                """
            case .delete, .truncate: "'deleted'"
            }
        }

        /// A row whose id has changed has a deletion, and after it a creation.
        private var source: SQL {
            switch event {
            case .insert: "FROM \"po n\""
            case .update:
                """
                FROM "po o" FULL JOIN "po n" ON "po n"."id" = "po o"."id" WHERE "po o"."id" IS NULL OR "po n"."id" IS NULL\
                \(list: text.columns.map { " OR \(old($0)) IS DISTINCT FROM \(new($0))" as SQL }, separator: "") \
                ORDER BY "po o"."id" IS NULL
                """
            case .delete: "FROM \"po o\""
            case .truncate: "FROM \(schema).\(name: text.table) AS \"po o\""
            }
        }

        private var columns: [SQL] {
            ["\"table\"", "\"object\"", "\"change\"", "\"date\"", "\"author\"", "\"transaction\""]
                + (text.hasCollections ? ["\"open\""] : []) + values.map(\.place)
        }

        var statement: SQL {
            let table = PostgresTriggers.text(text.table)
            let fixed: [SQL] = ["\"po date\"", "\"po author\"", "\"po transaction\""]
            let insert: SQL = "INSERT INTO \(schema).\(entries)"
            guard joins else {
                return """
                    \(insert) (\(list: columns)) \
                    SELECT \(list: [table, object, change] + fixed + values.map(\.value)) \(source)
                    """
            }
            let named = [(place: "\"object\"", value: object), ("\"change\"", change)] + values
            let found: SQL = "SELECT \(list: named.map { "\($0.value) AS \($0.place)" as SQL }) \(source)"
            let open: [SQL] = text.hasCollections ? ["false"] : []
            let selected: SQL = """
                SELECT \(list: [table, "\"po rows\".\"object\"", "\"po rows\".\"change\""] + fixed + open
                + values.map { "\"po rows\".\($0.place)" }) FROM "po rows"
                """
            var parts: [SQL] = ["\"po rows\" AS (\(found))"]
            let done: SQL
            let more: SQL = """
                \(insert) (\(list: columns)) \(selected) \
                JOIN "po done" ON "po done"."object" = "po rows"."object" AND "po done"."closed"
                """
            if text.hasCollections {
                // An entry that has only elements gets the values. An entry that has values is closed, and another is
                // written.
                let updated = ["\"change\"", "\"date\""] + values.map(\.place)
                let assignments = updated.map { column in
                    "\(column) = CASE WHEN \"po e\".\"open\" THEN excluded.\(column) ELSE \"po e\".\(column) END" as SQL
                }
                done = """
                    \(insert) AS "po e" (\(list: columns)) \(selected) \
                    ON CONFLICT (\(openKey)) \(openCondition) DO UPDATE SET \(list: assignments), \
                    "open" = CASE WHEN "po e"."open" THEN false END \
                    RETURNING "po e"."id", "po e"."object", "po e"."open" IS NULL AS "closed"
                    """
            } else {
                done = "\(insert) (\(list: columns)) \(selected) RETURNING \"id\", \"object\""
            }
            parts.append("\"po done\" AS (\(done))")
            guard !extras.isEmpty else { return "WITH \(list: parts) \(more)" }
            var ids: SQL = "SELECT \"id\", \"object\" FROM \"po done\""
            if text.hasCollections {
                parts.append("\"po more\" AS (\(more) RETURNING \"id\", \"object\")")
                ids.append(" WHERE NOT \"closed\" UNION ALL SELECT \"id\", \"object\" FROM \"po more\"")
            }
            let rows = extras.map { column in
                let before: SQL = hasOld ? anyValue(old(column), column.type) : "NULL::text[]"
                let after: SQL = hasNew ? anyValue(new(column), column.type) : "NULL::text[]"
                return "(\(PostgresTriggers.text(column.name)), \(before), \(after))" as SQL
            }
            let joined: SQL =
                switch event {
                case .insert: "JOIN \"po n\" ON \"po n\".\"id\" = \"po ids\".\"object\""
                case .update:
                    """
                    LEFT JOIN "po o" ON "po o"."id" = "po ids"."object" LEFT JOIN "po n" ON "po n"."id" = "po ids"."object"
                    """
                case .delete: "JOIN \"po o\" ON \"po o\".\"id\" = \"po ids\".\"object\""
                case .truncate:
                    "JOIN \(schema).\(name: text.table) AS \"po o\" ON \"po o\".\"id\" = \"po ids\".\"object\""
                }
            return """
                WITH \(list: parts) INSERT INTO \(schema).\(name: HistoryNames.extras) \
                ("entry_id", "column", "old", "new") SELECT "po ids"."id", "po v"."column", "po v"."old", "po v"."new" \
                FROM (\(ids)) AS "po ids" \(joined) \
                CROSS JOIN LATERAL (VALUES \(list: rows)) AS "po v"("column", "old", "new") \
                WHERE "po v"."old" IS DISTINCT FROM "po v"."new"
                """
        }
    }
}
