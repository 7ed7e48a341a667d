internal import StoreEngine

/// One table while a plan is being made: its state in the file, and the plan's decisions so far.
///
/// The plans of a hierarchy's classes share this object, so that a column is added only once.
final class PlannedTable {
    /// The table's future name.
    let name: String
    /// The table in the file, possibly under another name; nil if it is to be created.
    let found: TableDescription?
    /// The columns that a plan has inspected, folded.
    var seenColumns: Set<String> = []
    /// The folded names of the columns that are dropped or renamed because another property needs the name.
    var clearedColumns: Set<String> = []
    /// The tables of its collections in the file, by the folded suffixes of their names; nil until a plan has read
    /// them.
    var collections: [String: TableDescription]?
    /// The indexes that exist at this point of the plan, folded.
    var indexes: Set<String>
    /// The indexes that the plan creates, or whose order it has compared, folded.
    var currentIndexes: Set<String> = []
    /// The file's indexes.
    let foundIndexes: [IndexDescription]
    /// The folded names of the tables that columns refer to, by the folded names of the columns.
    let foreignKeys: [String: String]
    /// Temporary names, by folded name, of columns whose names another property needs before their values are read.
    var namesMeanwhile: [String: String] = [:]
    /// Whether a column is dropped or recreated. No trigger may mention the table during that time.
    var isRebuilt = false

    init(_ name: String, found: TableDescription?, _ inspector: SchemaInspector) throws {
        self.name = name
        self.found = found
        foundIndexes = try found.map { try inspector.indexes(of: $0.name) } ?? []
        // An index keeps its name when its table is renamed. The library's indexes are recreated, because their names
        // start with the table's name.
        let isRenamed = found.map { Naming.folded($0.name) != Naming.folded(name) } ?? false
        indexes = isRenamed ? [] : Set(foundIndexes.map { Naming.folded($0.name) })
        foreignKeys = try found.map { try inspector.foreignKeys(of: $0.name) } ?? [:]
    }

    /// Whether the file has the table, so that it may have rows in which a new column needs values.
    var isThere: Bool { found != nil }

    /// The name of a column of the file until its values are read.
    func nameMeanwhile(of column: String) -> String { namesMeanwhile[Naming.folded(column)] ?? column }

    /// The table's name in the file.
    var foundName: String { found?.name ?? name }
}
