internal import PersistentObjects
internal import StoreEngine

/// The bytes of each table and its indexes, the largest first.
enum Sizes {
    struct Size {
        let table: String
        let className: String?
        let rows: Int
        let indexes: Int
    }

    static func run(_ call: CommandCall) throws -> Bool {
        // It reads every page of the file, so it has no time limit.
        let file = try call.file(isLimited: false)
        var table = TextTable(["table", "class", "rows", "indexes", "bytes"], numbers: [2, 3, 4])
        for size in try sorted(in: file) {
            table.add([
                size.table, size.className ?? "", Bounds.grouped(size.rows), Bounds.grouped(size.indexes),
                Bounds.grouped(size.rows + size.indexes),
            ])
        }
        try call.write(table.lines)
        return false
    }

    static func sorted(in file: InspectedFile) throws -> [Size] {
        guard let sizes = try file.tableSizes() else {
            throw InspectorError("This build of SQLite cannot measure tables, because it lacks the table dbstat.")
        }
        let owners = Dictionary(file.sortedClasses.map { ($0.table, $0.name) }) { first, _ in first }
        let found = sizes.map { name, size in
            Size(table: name, className: owners[name], rows: size.rows, indexes: size.indexes)
        }
        return found.sorted { a, b in
            let (first, second) = (a.rows + a.indexes, b.rows + b.indexes)
            return first == second ? a.table < b.table : first > second
        }
    }
}

extension InspectedFile {
    /// The sizes of each table and its indexes in bytes; nil if the engine cannot measure them.
    func tableSizes() throws -> [String: TableSize]? {
        guard isOnServer else { return try connection.upkeep().tableSizes() }
        let found = try rows(
            """
            SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) FROM pg_class AS c \
            WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
            """)
        var sizes: [String: TableSize] = [:]
        for row in found.rows {
            var size = TableSize()
            (size.rows, size.indexes) = (Int(row[1].integer ?? 0), Int(row[2].integer ?? 0))
            sizes[row[0].text ?? ""] = size
        }
        return sizes
    }
}
