internal import PersistentObjects
internal import StoreEngine

/// The bytes of each table and its indexes, the largest first.
enum Sizes {
    static func run(_ call: CommandCall) throws -> Bool {
        // It reads every page of the file, so it has no time limit.
        let file = try call.file(isLimited: false)
        guard let sizes = try file.connection.upkeep().tableSizes() else {
            throw InspectorError("This build of SQLite cannot measure tables, because it lacks the table dbstat.")
        }
        let owners = Dictionary(file.sortedClasses.map { ($0.table, $0.name) }) { first, _ in first }
        var table = TextTable(["table", "class", "rows", "indexes", "bytes"], numbers: [2, 3, 4])
        let sorted = sizes.sorted { a, b in
            let (first, second) = (a.value.rows + a.value.indexes, b.value.rows + b.value.indexes)
            return first == second ? a.key < b.key : first > second
        }
        for (name, size) in sorted {
            table.add([
                name, owners[name] ?? "", Bounds.grouped(size.rows), Bounds.grouped(size.indexes),
                Bounds.grouped(size.rows + size.indexes),
            ])
        }
        try call.write(table.lines)
        return false
    }
}
