extension Dialect {
    /// The dialect of SQLite.
    package static let sqlite = Dialect(
        declaredType: { type in
            switch type {
            case .integer: "INTEGER"
            case .real: "REAL"
            case .text, .decimal: "TEXT"
            case .blob, .uuid: "BLOB"
            case .any: "ANY"
            }
        },
        refersAhead: true,
        idColumn: "INTEGER PRIMARY KEY AUTOINCREMENT",
        numberedKey: "INTEGER PRIMARY KEY",
        rowNumber: "rowid",
        tableOptions: " STRICT",
        keyedTableOptions: " STRICT, WITHOUT ROWID",
        // UUIDs of version 4, because SQLite alone has no function that returns the time as bytes for version 7.
        randomKey: { type in type.columnType == .blob ? randomBytes : randomText },
        deleteTrigger: { trigger in
            let moment: SQL = trigger.actsAfterwards ? "AFTER" : "BEFORE"
            let condition: SQL = trigger.condition.map { " WHEN \($0)" } ?? ""
            let action: SQL =
                switch trigger.action {
                case .deny(let rule): "SELECT RAISE(ABORT, \(denial(of: rule)))"
                case .run(let statement): statement
                }
            return """
                CREATE TRIGGER \(name: trigger.name) \(moment) DELETE ON \(name: trigger.table)\(condition) \
                BEGIN \(action); END
                """
        },
        dropTrigger: { name, _ in "DROP TRIGGER IF EXISTS \(name: name)" },
        literal: { value, _ in SQLLiteral(value, read: DigitReader.read) },
        neutralValue: { type in
            switch type {
            case .integer, .any: .integer(0)
            case .real: .real(0)
            case .text, .decimal: .text("")
            case .blob, .uuid: .blob([])
            }
        },
        isInList: { list, encoding in "IN \(rows(list, encoding))" },
        listRows: { list, encoding in rows(list, encoding) },
        listTable: { list, alias in "json_each(\(list)) AS \(name: alias)" },
        callsFunctionsOfRows: true,
        // `IN` first sorts the list into a temporary table, which takes 1.5 to 3 times as long.
        joinsLists: true,
        join: "JOIN",
        // SQLite never reorders a CROSS JOIN, so its left side is the outer loop.
        orderedJoin: "CROSS JOIN",
        // SQLITE_LIMIT_VARIABLE_NUMBER.
        argumentLimit: 32_766,
        takesUntypedChoices: true,
        isSame: "IS",
        isNotSame: "IS NOT",
        always: "1",
        never: "0",
        isTrue: { "\($0) = 1" },
        ordering: { isDescending, hasNilLast in
            let direction: SQL = isDescending ? " DESC" : ""
            return switch hasNilLast {
            case nil: direction
            case true?: "\(direction) NULLS LAST"
            case false?: "\(direction) NULLS FIRST"
            }
        },
        ignoringCase: { "\($0) COLLATE po_nocase" },
        caseRange: CaseRange.condition,
        indexReplacement: nil,
        caselessKey: CaseRange.key,
        decimalOrder: { "\($0) COLLATE po_decimal" },
        scaledDecimal: { number, scale in "po_scaled(\(number), \(number: scale))" },
        noLimit: "-1",
        // To undo a part of a statement, SQLite copies each page before changing it, beyond 64 KB into a temporary file:
        // half of the time if the keys of an index are in no order.
        batchClause: " OR FAIL",
        assignedIDClause: "",
        upsert: { key, updated in
            guard !updated.isEmpty else { return " ON CONFLICT DO NOTHING" }
            let assignments = updated.map { "\(name: $0) = excluded.\(name: $0)" as SQL }
            return " ON CONFLICT (\(names: key)) DO UPDATE SET \(list: assignments)"
        },
        matches: { match, text, pattern in
            switch match {
            case .glob: "\(text) GLOB \(pattern)"
            case .regularExpression: "\(text) REGEXP \(pattern)"
            case .anchoredExpression:
                """
                \(text) >= po_pattern_bound(\(pattern), 0) AND \(text) < po_pattern_bound(\(pattern), 1) \
                AND \(text) REGEXP \(pattern)
                """
            case .containsFolded: "po_contains(\(text), \(pattern))"
            case .contains: "instr(\(text), \(pattern)) > 0"
            }
        },
        hasPrefix: { text, first, end in "\(text) >= \(first) AND \(text) < \(end)" },
        hasSuffix: { text, bytes, count in "substr(CAST(\(text) AS BLOB), -\(count)) = \(bytes)" },
        uuidText: { uuidText($0) },
        decimalText: { $0 },
        stored: { value, _ in value },
        text: { function, text in
            switch function {
            case .lowercased: "po_lower(\(text))"
            case .uppercased: "po_upper(\(text))"
            case .folded: "po_fold(\(text))"
            case .unaccented: "po_unaccented(\(text))"
            case .characterCount: "po_count(\(text))"
            }
        },
        textRefusal: { _ in nil },
        byteCount: { "length(\($0))" },
        jsonMember: { document, keys, _ in
            "po_json(\(list: [document] + keys.map { "\(literal: $0)" }))"
        },
        jsonCount: { list in "po_json_count(\(list: [list.document] + list.keys.map { "\(literal: $0)" }))" },
        jsonContains: { list, element in
            "po_json_has(\(list: [list.document, element] + list.keys.map { "\(literal: $0)" }))"
        },
        datePart: datePart,
        secondsOfDate: { "(CAST(strftime('%s', \($0)) AS INTEGER) - 978307200)" },
        divisor: { $0 },
        total: { "total(\($0))" },
        wholeSum: { $0 },
        isAggregate: { name, argumentCount in
            let folded = String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
            return aggregates.contains(folded) || (argumentCount == 1 && ["min", "max"].contains(folded))
        },
        explanation: { "EXPLAIN QUERY PLAN \($0)" },
        search: .sqlite,
        history: HistoryDialect(
            // Every SQLite has this function. `round` would convert the number to a string and back.
            now: "CAST((julianday('now') - 2451910.5) * 86400000.0 + 0.5 AS INTEGER) / 1000.0",
            anyValue: { value, _ in value },
            // A column with a type affinity that differs would make SQLite read the whole history for each query of the
            // view.
            shown: { "+\($0)" },
            differ: { "\($0) IS NOT \($1) OR typeof(\($0)) <> typeof(\($1))" },
            sum: { "\($0) + \($1)" },
            // See `EntrySignature`.
            signature: ("sign('po.author')", "sign('po.transaction')"),
            statementTriggers: nil))

    /// `||` creates a string of arbitrary bytes, which `CAST` leaves unchanged. Byte 6 has the version and four random
    /// bits; byte 8 has the variant and four random bits.
    private static let randomBytes: SQL = """
        CAST(randomblob(6) || substr(X'404142434445464748494A4B4C4D4E4F', 1 + (random() & 15), 1) || randomblob(1) || \
        substr(X'8084888C9094989CA0A4A8ACB0B4B8BC', 1 + (random() & 15), 1) || randomblob(7) AS BLOB)
        """

    private static let randomText: SQL = """
        lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' || \
        substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
        """

    private static func uuidText(_ bytes: SQL) -> SQL {
        let places = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
        let parts = places.map { "substr(hex(\(bytes)), \(number: $0.0), \(number: $0.1))" as SQL }
        // The digits of NULL are an empty string.
        return "CASE WHEN \(bytes) IS NOT NULL THEN lower(\(list: parts, separator: " || '-' || ")) END"
    }

    private static let aggregates: Set<String> = [
        "avg", "count", "group_concat", "string_agg", "sum", "total", "decimal_sum", "median", "percentile",
        "percentile_cont", "percentile_disc", "json_group_array", "json_group_object", "jsonb_group_array",
        "jsonb_group_object", "zipfile",
    ]

    private static func denial(of rule: String) -> SQL {
        SQLLiteral(.text(rule + DeleteTriggerText.denial)).map { "\(literal: $0)" } ?? "'the deletion is denied'"
    }

    private static func rows(_ list: SQL, _ encoding: ListEncoding) -> SQL {
        switch encoding {
        case .plain: "(SELECT value FROM json_each(\(list)))"
        case .tagged: "(SELECT po_value(value) FROM json_each(\(list)))"
        }
    }

    /// The date is converted to integer seconds, because SQLite rounds to milliseconds and may round up.
    private static let datePart: @Sendable (DatePart, SQL, DateZone) -> SQL = { part, date, zone in
        switch zone {
        case .named(let name):
            return "po_date_part(\(literal: SQLLiteral(raw: "'\(part.rawValue)'")), \(date), \(literal: name))"
        case .offset(let offset):
            // Seconds since the year 0, with the fraction truncated; NULL before it, because SQLite's calendar is
            // incorrect there.
            let sinceYear0: SQL = "CAST(\(date) + \(number: 63_145_526_400 + offset) AS INTEGER)"
            // SQLite counts from 1970.
            let seconds: SQL = "nullif(max(\(sinceYear0), -1), -1) - 62167219200"
            let number: SQL = "CAST(strftime(\(format(part)), \(seconds), 'unixepoch') AS INTEGER)"
            return part == .weekday ? "(\(number) + 1)" : "(\(number))"
        }
    }

    private static func format(_ part: DatePart) -> SQL {
        switch part {
        case .year: "'%Y'"
        case .month: "'%m'"
        case .day: "'%d'"
        case .hour: "'%H'"
        case .minute: "'%M'"
        case .second: "'%S'"
        case .weekday: "'%w'"
        case .dayOfYear: "'%j'"
        }
    }
}
