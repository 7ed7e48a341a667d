/// The entries of `sqlite_schema` at one version of the schema.
///
/// It is a class because it is kept and grows. It has no connection, which would otherwise keep itself alive.
final class SchemaEntries {
    typealias Entry = (type: String, name: String, table: String, text: String?, row: Int64)

    /// The entries on a table, including the table itself, by type and name; by the table's folded name.
    private(set) var entries: [[UInt8]: [Entry]] = [:]
    /// Tables and views by folded names.
    private(set) var tables: [[UInt8]: Entry] = [:]
    /// Sorted by folded name.
    private(set) var triggers: [(key: [UInt8], trigger: TriggerDescription)] = []
    /// The columns of all ordinary tables; nil until they are requested.
    var columns: [[UInt8]: [ColumnDescription]]?
    /// The row of the latest entry.
    private var lastRow: Int64 = 0

    private static let terms: SQL = "type, name, tbl_name, sql, rowid"

    init(_ connection: SQLiteConnection) throws(StoreError) {
        add(try connection.rows("SELECT \(Self.terms) FROM sqlite_schema ORDER BY type, name"))
    }

    /// Adds what was created since an earlier version of the schema; false if something else may have happened, too.
    ///
    /// Each statement that changes the schema increases its version, and new entries are the last rows. So if there are
    /// as many new entries as versions, nothing was changed or dropped.
    func add(versions: Int64, _ connection: SQLiteConnection) throws(StoreError) -> Bool {
        guard versions > 0 else { return false }
        let new: SQL = "SELECT \(Self.terms) FROM sqlite_schema WHERE rowid > ?1 ORDER BY type, name"
        let statement = try connection.statement(new)
        defer { statement.finish() }
        statement.beginBinding()
        do throws(ValueFault) { try statement.bind(lastRow, at: 1) } catch { throw .value(error).at(sql: new.text) }
        return Int64(add(try connection.rows(of: statement))) == versions
    }

    /// Adds entries, which are sorted by type and name, and returns how many of them are the result of a `CREATE`.
    @discardableResult
    private func add(_ rows: [[DatabaseValue]]) -> Int {
        var count = 0
        let hadTriggers = triggers.count
        for row in rows {
            guard let type = row[0].text, let name = row[1].text, let table = row[2].text,
                case .integer(let number) = row[4]
            else { continue }
            let entry: Entry = (type, name, table, row[3].text, number)
            lastRow = max(lastRow, number)
            // Indexes of constraints have no text, and SQLite creates its own tables as a part of another statement.
            if entry.text != nil, !name.hasPrefix("sqlite_") { count += 1 }
            SchemaEntries.add(entry, to: &entries[Self.folded(table), default: []])
            switch type {
            case "table", "view": tables[Self.folded(name)] = entry
            case "trigger":
                guard let text = entry.text else { continue }
                triggers.append((Self.folded(name), TriggerDescription(name: name, table: table, text: text)))
            default: continue
            }
        }
        if triggers.count > hadTriggers { triggers.sort { $0.key.lexicographicallyPrecedes($1.key) } }
        return count
    }

    private static func add(_ entry: Entry, to entries: inout [Entry]) {
        func isBefore(_ one: Entry, _ other: Entry) -> Bool {
            one.type == other.type
                ? one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
                : one.type.utf8.lexicographicallyPrecedes(other.type.utf8)
        }
        var place = entries.endIndex
        while place > 0, isBefore(entry, entries[place - 1]) { place -= 1 }
        entries.insert(entry, at: place)
    }

    /// SQLite ignores the case of ASCII letters, and nothing else: the two forms of an é, which are equal as `String`s,
    /// differ.
    static func folded(_ name: String) -> [UInt8] {
        name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
    }
}
