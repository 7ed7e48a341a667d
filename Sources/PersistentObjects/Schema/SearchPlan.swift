internal import StoreEngine

/// Brings the index of the words in a class's texts to what the class says: where anything of it is other than it
/// should be, it is made anew.
struct SearchPlan {
    private(set) var steps = SchemaSteps()

    init(_ map: ClassMap, _ connection: any Connection) throws {
        guard map.isRoot else { return }
        let wanted = SearchTable(map)
        if wanted != nil {
            try connection.require(.search, className: map.name, property: map.searchColumns.first)
        } else if !connection.capabilities.contains(.search) {
            return
        }
        let found = try SchemaInspector(connection).searchParts(of: map.table, SearchTable.name(for: map.table))
        let triggers = found.triggers.filter { SearchPlan.table(of: $0) != nil }
        if let wanted, found.definition == wanted.definition.text,
            triggers.map(\.text).sorted() == wanted.triggers.map(\.sql.text).sorted()
        {
            return
        }
        for trigger in triggers { drop("DROP TRIGGER ", trigger.name) }
        // A table that got another name has taken its triggers along: they tell the index's former name.
        for former in Set(triggers.compactMap(SearchPlan.table)).sorted() where former != map.table {
            let name = SearchTable.name(for: former)
            let parts = try SchemaInspector(connection).searchParts(of: former, name)
            if SearchPlan.isOurs(parts.definition, name) { drop("DROP TABLE ", name) }
        }
        if let definition = found.definition {
            let name = SearchTable.name(for: map.table)
            if SearchPlan.isOurs(definition, name) {
                drop("DROP TABLE ", name)
            } else if wanted != nil {
                throw SchemaError.unsuitableTable(
                    className: map.name, table: name, reason: "is not the index of what is searched")
            }
        }
        guard let wanted else { return }
        // Another class's table may have had this name, and have triggers of these names still.
        for trigger in wanted.triggers { drop("DROP TRIGGER IF EXISTS ", trigger.name) }
        steps.add(wanted.definition)
        for trigger in wanted.triggers { steps.add(trigger.sql) }
        steps.add(wanted.rebuilding)
    }

    /// The name that the table had when a trigger was made; nil where it is not one of ours.
    private static func table(of trigger: (name: String, text: String)) -> String? {
        for event in SearchTable.Event.allCases {
            let ending = SearchTable.triggerName("", event)
            guard trigger.name.hasSuffix(ending) else { continue }
            let table = String(trigger.name.dropLast(ending.count))
            var target = SQL(" INSERT INTO ")
            target.append(identifier: SearchTable.name(for: table))
            return trigger.text.contains(target.text) ? table : nil
        }
        return nil
    }

    static func isOurs(_ definition: String?, _ name: String) -> Bool {
        definition?.hasPrefix(SearchTable.start(name).text) ?? false
            && definition?.contains(", content_rowid='id', ") ?? false
    }

    private mutating func drop(_ start: StaticString, _ name: String) {
        var sql = SQL(start)
        sql.append(identifier: name)
        steps.add(sql)
    }
}
