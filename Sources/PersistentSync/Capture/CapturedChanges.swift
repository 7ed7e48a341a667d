// Capture: converts what triggers captured to states. It knows states and the file's captured changes, and must not
// know batches.

internal import PersistentObjects
internal import StoreEngine

/// The captured changes of the tables of known classes.
struct CapturedChanges {
    /// What happened to a row.
    struct Row {
        var isInserted = false
        var isDeleted = false
        /// The names of the changed columns, in lowercase.
        var columns: Set<String> = []
        /// The key of the first object that was deleted.
        var key: DatabaseValue?
    }

    /// An entry of an array's element.
    struct Entry {
        let id: ElementID
        let isChanged: Bool
    }

    /// The rows that were inserted and not deleted, by table in lowercase: most of many changes.
    private(set) var inserted: [String: [Int64]] = [:]
    /// All other rows, by table in lowercase, then by row.
    private(set) var rows: [String: [Int64: Row]] = [:]
    /// The keys of changed elements by table and owner; for arrays, 0.
    private(set) var elements: [String: [Int64: [DatabaseValue]]] = [:]
    /// The changes of counters by table, row and column.
    private(set) var counts: [String: [Int64: [String: DatabaseValue]]] = [:]
    /// The removed elements of arrays by table and owner.
    private(set) var gone: [String: [Int64: Set<ElementID>]] = [:]
    /// The numbers of the tables, by name in lowercase.
    private(set) var numbers: [String: Int64] = [:]
    private let connection: any Connection

    var isEmpty: Bool { inserted.isEmpty && rows.isEmpty && elements.isEmpty && counts.isEmpty && gone.isEmpty }

    /// The tables of classes and of their collections, in lowercase.
    static func tables(of shapes: [SyncedShape]) -> Set<String> {
        Set(shapes.flatMap { [$0.table] + $0.collections.map(\.table) }.map { $0.lowercased() })
    }

    init(_ shapes: [SyncedShape], _ connection: any Connection) throws {
        self.connection = connection
        let tables = CapturedChanges.tables(of: shapes)
        var names: [Int64: (table: String, isRows: Bool)] = [:]
        for row in try connection.rows("SELECT \"number\", \"name\", \"kind\" FROM \(name: CaptureNames.tables)") {
            guard let number = row[0].integer, let name = row[1].text?.lowercased(), tables.contains(name) else {
                continue
            }
            names[number] = (name, row[2].text == "rows")
            numbers[name] = number
        }
        var columns: [Int64: [Int64: String]] = [:]
        for row in try connection.rows("SELECT \"tbl\", \"number\", \"name\" FROM \(name: CaptureNames.columns)") {
            guard let table = row[0].integer, let number = row[1].integer, let name = row[2].text else { continue }
            columns[table, default: [:]][number] = name.lowercased()
        }
        try readMarks(names, columns)
        for row in try connection.rows(
            "SELECT \"tbl\", \"row\", \"column\", \"amount\" FROM \(name: CaptureNames.counts)")
        {
            guard let table = row[0].integer, let name = names[table]?.table, let id = row[1].integer,
                let number = row[2].integer, let column = columns[table]?[number]
            else { continue }
            counts[name, default: [:]][id, default: [:]][column] = row[3]
        }
        for row in try connection.rows("SELECT \"tbl\", \"owner\", \"place\" FROM \(name: CaptureNames.gone)") {
            guard let table = row[0].integer, let name = names[table]?.table, let owner = row[1].integer,
                let id = ElementID(stored: row[2])
            else { continue }
            gone[name, default: [:]][owner, default: []].insert(id)
        }
    }

    private mutating func readMarks(
        _ names: [Int64: (table: String, isRows: Bool)], _ columns: [Int64: [Int64: String]]
    ) throws {
        let sql: SQL = "SELECT \"tbl\", \"row\", \"part\", \"mask\", \"key\" FROM \(name: CaptureNames.marks)"
        let divided = columns.filter { $0.value.keys.contains { $0 >= 60 } }
        let connection = connection
        try connection.forEachRow(of: sql) { values in
            guard let table = values[0].integer, let (name, isRows) = names[table], let id = values[1].integer,
                let mask = values[3].integer
            else { return }
            guard isRows else {
                elements[name, default: [:]][id, default: []].append(values[2])
                return
            }
            // A row with more columns can have several marks.
            if mask & 3 == 1, values[4] == .null, divided[table] == nil {
                inserted[name, default: []].append(id)
                return
            }
            var row = rows[name]?[id] ?? Row()
            if mask & 1 != 0 { row.isInserted = true }
            if mask & 2 != 0 { row.isDeleted = true }
            let first = (values[2].integer ?? 0) * 60
            var rest = UInt64(bitPattern: mask) >> 2
            while rest != 0 {
                let bit = Int64(rest.trailingZeroBitCount)
                if bit < 60, let column = columns[table]?[first + bit] { row.columns.insert(column) }
                rest &= rest - 1
            }
            if values[4] != .null { row.key = values[4] }
            rows[name, default: [:]][id] = row
        }
    }

    /// Forgets the changes, but not the tables.
    mutating func drop() { (inserted, rows, elements, counts, gone) = ([:], [:], [:], [:], [:]) }

    /// Deletes the changes, which are part of the states now, except those of some rows.
    func clear(except kept: [String: Set<Int64>]) throws {
        for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
            for table in [CaptureNames.marks, CaptureNames.counts] {
                guard let rows = kept[name], !rows.isEmpty else {
                    try connection.run("DELETE FROM \(name: table) WHERE \"tbl\" = ?", [.integer(number)])
                    continue
                }
                try connection.run(
                    """
                    DELETE FROM \(name: table) WHERE "tbl" = ? AND "row" NOT IN (SELECT value FROM json_each(?))
                    """, [.integer(number), .text("[\(rows.sorted().map(String.init).joined(separator: ","))]")])
            }
            try connection.run("DELETE FROM \(name: CaptureNames.gone) WHERE \"tbl\" = ?", [.integer(number)])
        }
    }

    /// The entries of one array by position.
    func entries(of owner: Int64, in table: String) throws -> [Int64: Entry] {
        guard let number = numbers[table.lowercased()] else { return [:] }
        let sql: SQL = """
            SELECT "position", "place", "changed" FROM \(name: CaptureNames.places) WHERE "tbl" = ? AND "owner" = ?
            """
        var entries: [Int64: Entry] = [:]
        for row in try connection.rows(sql, [.integer(number), .integer(owner)]) {
            guard let position = row[0].integer, let id = ElementID(stored: row[1]) else { continue }
            entries[position] = Entry(id: id, isChanged: row[2].integer == 1)
        }
        return entries
    }

    /// Replaces the entries of one array.
    func setEntries(_ ids: [(position: Int64, id: ElementID)], of owner: Int64, in table: String) throws {
        guard let number = numbers[table.lowercased()] else { return }
        try connection.run(
            "DELETE FROM \(name: CaptureNames.places) WHERE \"tbl\" = ? AND \"owner\" = ?",
            [.integer(number), .integer(owner)])
        let insert: SQL = """
            INSERT INTO \(name: CaptureNames.places) ("tbl", "owner", "position", "id", "place") VALUES (?, ?, ?, ?, ?)
            """
        for (index, part) in ids.enumerated() {
            try connection.run(
                insert,
                [
                    .integer(number), .integer(owner), .integer(part.position), .integer(Int64(index + 1)),
                    part.id.stored,
                ])
        }
    }
}

extension ElementID {
    /// The device and the number, 24 bytes.
    var stored: DatabaseValue {
        .blob(device.number.bytes + (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64((7 - $0) * 8)) })
    }

    init?(stored: DatabaseValue) {
        guard case .blob(let bytes) = stored, bytes.count == 24, let device = UInt128(Array(bytes[..<16])) else {
            return nil
        }
        self.init(DeviceID(device), bytes[16...].reduce(0) { $0 << 8 | Int64($1) })
    }
}
