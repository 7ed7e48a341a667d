// Commands: the output of each command. It knows files and the forms of output, and must not parse options.

internal import PersistentObjects
internal import StoreEngine

/// The format, the sizes and the classes of a file.
enum Summary {
    static func run(_ call: CommandCall) throws -> Bool {
        let file = try call.file()
        var table = TextTable([file.isOnServer ? "server" : "file", file.path])
        switch file.origin {
        case .store where file.isOnServer: table.add(["format", "store of PersistentObjects on PostgreSQL"])
        case .undescribedStore where file.isOnServer: table.add(["format", "PostgreSQL database"])
        case .store, .undescribedStore: table.add(["format", "store of PersistentObjects, format \(file.format)"])
        case .foreign: table.add(["format", "SQLite database of another program"])
        }
        for fact in try facts(of: file) { table.add(fact) }
        if let change = try lastChange(in: file) { table.add(["changed", change]) }
        try call.write(table.lines)
        try call.write("")
        guard file.origin == .store else {
            try call.write(file.noDescription)
            return false
        }
        var classes = TextTable(["class", "table", "objects"], numbers: [2])
        for aClass in file.sortedClasses {
            classes.add([aClass.name, aClass.table, Bounds.shown(try file.count(of: aClass))])
        }
        try call.write(classes.lines)
        return false
    }

    private static func facts(of file: InspectedFile) throws -> [[String]] {
        if file.isOnServer {
            let sizes = try Sizes.sorted(in: file)
            let size = sizes.reduce(0) { $0 + $1.rows + $1.indexes }
            return [["size", "\(Bounds.grouped(size)) bytes, \(Bounds.grouped(sizes.count)) tables"]]
        }
        let facts = try file.connection.upkeep().facts()
        let journal =
            switch facts.journal {
            case .wal: "write-ahead log, \(Bounds.grouped(facts.logSize)) bytes"
            case .rollback: "rollback journal"
            case nil: "none"
            }
        let free = facts.freePageCount > 0 ? ", \(Bounds.grouped(facts.freePageCount)) of them free" : ""
        return [
            [
                "size",
                "\(Bounds.grouped(facts.fileSize)) bytes, \(Bounds.grouped(facts.pageCount)) pages of "
                    + "\(Bounds.grouped(facts.pageSize)) bytes\(free)",
            ],
            ["journal", journal],
        ]
    }

    private static func lastChange(in file: InspectedFile) throws -> String? {
        guard let last = try SchemaHistory.entries(of: file, limit: 1).entries.last else { return nil }
        return "\(last.time) by \(last.app), library version \(last.library)"
            + (last.className.map { ", class \($0)" } ?? "")
    }
}
