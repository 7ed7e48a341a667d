internal import StoreEngine

/// The places in an entry of the history, each with the old and the new value of one column.
///
/// Invariant: the column of a place never changes while an entry of the table has a value there. A place therefore stays
/// with its column after the column is dropped, and a renamed column keeps its place. Columns without a place have rows
/// in `HistoryNames.extras`.
struct HistorySlots {
    /// The number of places. Each takes two bytes in an entry that does not use it.
    static let count = 12

    /// The smallest id of a value in `HistoryNames.extras`, as the view shows it: larger than any id of a value in an
    /// entry, so that the values of an entry are in the order of the columns.
    static let firstExtraID: SQL = "4611686018427387904"

    /// By the folded name of a column. Only the last of equal names is used for new entries.
    private var ordinals: [String: Int] = [:]
    /// The number of places that columns have, including dropped columns.
    private var used = 0

    /// Every column has its values in `HistoryNames.extras`.
    static let none = HistorySlots(recorded: [])

    /// The places that a file records, in order.
    init(recorded: [(ordinal: Int, column: String)]) {
        for (ordinal, column) in recorded {
            ordinals[Naming.folded(column)] = ordinal
            used = max(used, ordinal)
        }
    }

    /// Gives a column the next place, and returns it.
    mutating func add(_ column: String) -> Int {
        used += 1
        ordinals[Naming.folded(column)] = used
        return used
    }

    /// The columns that have no place and could get one.
    func missing(_ columns: [HistoryTriggers.Column]) -> [HistoryTriggers.Column] {
        Array(columns.filter { self[$0.name] == nil }.prefix(max(HistorySlots.count - used, 0)))
    }

    /// The place of a column, from 1; nil if it has none.
    subscript(column: String) -> Int? { ordinals[Naming.folded(column)] }

    static func old(_ ordinal: Int) -> SQL { "\(name: "old\(ordinal)")" }
    static func new(_ ordinal: Int) -> SQL { "\(name: "new\(ordinal)")" }

    /// The definitions of the columns for all places.
    static func definitions(_ dialect: Dialect) -> [SQL] {
        let type = dialect.declaredType(.any)
        return (1...count).flatMap { ["\(old($0)) \(type)" as SQL, "\(new($0)) \(type)" as SQL] }
    }

    /// The values in the places of entries, with the columns of `HistoryNames.values`.
    static func values(_ dialect: Dialect) -> SQL {
        func value(_ side: (Int) -> SQL) -> SQL {
            let cases = (1...count).map { "WHEN \(number: $0) THEN e.\(side($0))" as SQL }
            return "CASE c.\"slot\" \(list: cases, separator: " ") END"
        }
        return """
            SELECT "id", "entry_id", "column", "old", "new" FROM (SELECT e."id" * 32 + c."slot" AS "id", \
            e."id" AS "entry_id", c."column" AS "column", \(value(old)) AS "old", \(value(new)) AS "new" \
            FROM \(name: HistoryNames.entries) AS e JOIN \(name: HistoryNames.columns) AS c ON c."table" = e."table") AS places \
            WHERE \(dialect.history.differ("\"old\"", "\"new\""))
            """
    }

    /// The values outside entries, with the columns of `HistoryNames.values`.
    ///
    /// It has the form of `values`.
    static func extras(_ dialect: Dialect) -> SQL {
        let (old, new) = (dialect.history.shown("x.\"old\""), dialect.history.shown("x.\"new\""))
        return """
            SELECT "id", "entry_id", "column", "old", "new" FROM (SELECT x."id" + \(firstExtraID) AS "id", \
            x."entry_id" AS "entry_id", x."column" AS "column", \(old) AS "old", \(new) AS "new" \
            FROM \(name: HistoryNames.extras) AS x) AS extras
            """
    }

    /// The ids of values that a statement selects, each with the number that it is derived from as `?1` (and `?2`).
    enum Selection { case one, range, list }

    /// The values with given ids, as a table: a condition on the ids of the view would read the whole history.
    static func rows(_ selection: Selection, as alias: String, _ dialect: Dialect) -> SQL {
        func isSelected(_ column: SQL, _ derived: (SQL) -> SQL) -> SQL {
            switch selection {
            case .one: "\(column) = \(derived("?1"))"
            case .range: "\(column) BETWEEN \(derived("?1")) AND \(derived("?2"))"
            case .list: "\(column) IN (SELECT \(derived("\"value\"")) FROM \(dialect.listTable("?1", "list")))"
            }
        }
        return """
            (SELECT * FROM (\(values(dialect))) AS packed WHERE \(isSelected("\"id\"") { $0 }) \
            AND \(isSelected("\"entry_id\"") { "\($0) / 32" }) \
            UNION ALL SELECT "id" + \(firstExtraID), "entry_id", "column", "old", "new" \
            FROM \(name: HistoryNames.extras) WHERE \(isSelected("\"id\"") { "\($0) - \(firstExtraID)" })) \
            AS \(name: alias)
            """
    }

    /// Moves the values of some entries to `HistoryNames.extras`, where they can be changed for each entry.
    ///
    /// - Parameter entries: The condition of the entries.
    static func unpacking(_ entries: SQL, _ dialect: Dialect) -> [SQL] {
        let cleared = (1...count).flatMap { ["\(old($0)) = NULL" as SQL, "\(new($0)) = NULL" as SQL] }
        return [
            """
            INSERT INTO \(name: HistoryNames.extras) ("entry_id", "column", "old", "new") \
            SELECT "entry_id", "column", "old", "new" FROM (\(values(dialect))) AS packed \
            WHERE "entry_id" IN (SELECT "id" FROM \(name: HistoryNames.entries) WHERE \(entries)) ORDER BY "id"
            """,
            "UPDATE \(name: HistoryNames.entries) SET \(list: cleared) WHERE \(entries)",
        ]
    }
}
