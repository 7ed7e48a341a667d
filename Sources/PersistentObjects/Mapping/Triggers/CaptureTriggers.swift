internal import StoreEngine

/// The triggers on a class's table that capture changes for sync.
///
/// A mark records that a row was inserted or deleted, and which columns changed. It contains no values: a row that still
/// exists has them. Plain SQL, so that programs without this library's functions can still write the table.
struct CaptureTriggers {
    typealias Event = HistoryTriggers.Event
    typealias Column = HistoryTriggers.Column

    let table: String
    private let number: Int
    private let columns: [(column: Column, number: Int)]
    private let counters: [(column: Column, number: Int)]
    /// The column of the keys, which other devices know deleted objects by; nil if there is none.
    private let key: String?

    /// Nil if a column has no number.
    init?(_ table: String, _ columns: [ColumnDescription], _ captured: CapturedTable) {
        self.table = table
        number = captured.number
        var numbered: [(column: Column, number: Int)] = []
        for column in HistoryTriggers.columns(columns) {
            guard let known = captured[column.name] else { return nil }
            numbered.append((column, known.number))
        }
        self.columns = numbered
        counters = numbered.filter { captured[$0.column.name]?.mergeRule == .counter }
        key = numbered.first { Naming.folded($0.column.name) == Property.keyName }?.column.name
    }

    static func name(_ table: String, _ event: Event) -> String { "\(table).sync.\(event.rawValue)" }

    /// The name of a trigger's table when the trigger was created; nil for other triggers.
    static func table(ofTrigger name: String) -> String? {
        for event in Event.allCases {
            let ending = CaptureTriggers.name("", event)
            if name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
        }
        return nil
    }

    /// The statements that create the triggers.
    var definitions: [SQL] {
        let inserted = CaptureTriggers.mark(number, "NEW.\"id\"", "0", CapturedTable.inserted)
        let parts = Set(columns.map { CapturedTable.part($0.number) }).sortedUnspecialized()
        // The masks of one part show by themselves whether a column changed.
        let isChanged: SQL = parts.count > 1 ? " AND (\(HistoryTriggers.isAnyOther(columns.map(\.column))))" : ""
        let changed = parts.map { mark($0) } + counters.map { count($0.column, $0.number) }
        return [
            CaptureTriggers.trigger(.insert, on: table, "INSERT", when: nil, [inserted]),
            CaptureTriggers.trigger(.delete, on: table, "DELETE", when: nil, [deleted]),
            CaptureTriggers.trigger(
                .renumber, on: table, HistoryTriggers.renumbering, when: "OLD.\"id\" IS NOT NEW.\"id\"",
                [deleted, inserted]),
        ]
            + (changed.isEmpty
                ? []
                : [
                    CaptureTriggers.trigger(
                        .update, on: table, "UPDATE", when: "OLD.\"id\" IS NEW.\"id\"\(isChanged)", changed)
                ])
    }

    static func trigger(_ event: Event, on table: String, _ verb: SQL, when condition: SQL?, _ body: [SQL]) -> SQL {
        let condition: SQL = condition.map { " WHEN \($0)" } ?? ""
        return """
            CREATE TRIGGER \(name: name(table, event)) AFTER \(verb) ON \(name: table)\(condition) \
            BEGIN \(list: body, separator: " ") END
            """
    }

    /// Adds bits to a mark.
    static func mark(_ table: Int, _ row: SQL, _ part: SQL, _ mask: Int64) -> SQL {
        """
        INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask") \
        VALUES (\(number: table), \(row), \(part), \(number: Int(mask))) \(addingMask);
        """
    }

    /// The clause that adds the bits of an inserted mark to the mark that is there.
    static let addingMask: SQL = "ON CONFLICT DO UPDATE SET \"mask\" = \"mask\" | excluded.\"mask\""

    /// The clause that adds an inserted amount to the amount that is there.
    static let addingAmount: SQL = "ON CONFLICT DO UPDATE SET \"amount\" = \"amount\" + excluded.\"amount\""

    /// The clause that also records the key of a deleted object, unless a key is recorded. (`INSERT OR REPLACE` can give
    /// the row another key, and the first one is the key that other devices know.)
    static let addingMaskAndKey: SQL = "\(addingMask), \"key\" = coalesce(\"key\", excluded.\"key\")"

    private var deleted: SQL {
        guard let key else { return CaptureTriggers.mark(number, "OLD.\"id\"", "0", CapturedTable.deleted) }
        return """
            INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask", "key") \
            VALUES (\(number: number), OLD."id", 0, \(number: Int(CapturedTable.deleted)), OLD.\(name: key)) \
            \(CaptureTriggers.addingMaskAndKey);
            """
    }

    /// Marks the changed columns of one part. Without the LIMIT, SQLite would merge the two queries and compute the mask
    /// twice.
    private func mark(_ part: Int) -> SQL {
        let bits = columns.filter { CapturedTable.part($0.number) == part }.map { column, number in
            "((\(column.isOther)) << \(number: CapturedTable.shift(number)))" as SQL
        }
        return """
            INSERT INTO \(name: CaptureNames.marks) ("tbl", "row", "part", "mask") \
            SELECT \(number: number), NEW."id", \(number: part), m \
            FROM (SELECT \(list: bits, separator: " | ") AS m LIMIT 1) WHERE m <> 0 \(CaptureTriggers.addingMask);
            """
    }

    /// Adds the difference of a counter, which a mark would lose.
    private func count(_ column: Column, _ number: Int) -> SQL {
        """
        INSERT INTO \(name: CaptureNames.counts) ("tbl", "row", "column", "amount") \
        SELECT \(number: self.number), NEW."id", \(number: number), \
        coalesce(NEW.\(name: column.name), 0) - coalesce(OLD.\(name: column.name), 0) \
        WHERE \(column.isOther) \(CaptureTriggers.addingAmount);
        """
    }
}
