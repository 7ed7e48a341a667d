internal import StoreEngine

/// One table while a plan is made: what the file has, and what the plan has decided already.
///
/// The plans of a hierarchy's classes share it, so that what one adds the next does not add again.
final class PlannedTable {
    /// What it will be called.
    let name: String
    /// As the file has it, perhaps under another name; nil where it is to be made.
    let found: TableDescription?
    /// The columns that a plan has looked at, folded.
    var seenColumns: Set<String> = []
    /// The columns that make way for others, folded.
    var clearedColumns: Set<String> = []
    /// The tables of its collections in the file, by what their names end in, folded; nil until a plan has asked for them.
    var collections: [String: TableDescription]?
    /// The indexes that are there when the plan has been run so far, folded.
    var indexes: Set<String>
    /// The file's indexes.
    let foundIndexes: [IndexDescription]
    /// The tables that columns refer to, both folded.
    let foreignKeys: [String: String]
    /// Columns that another property needs the name of while their values are still to be read: their names meanwhile, by
    /// the folded ones.
    var namesMeanwhile: [String: String] = [:]
    /// Whether a column goes or comes anew, so that nothing may mention it meanwhile.
    var isRebuilt = false

    init(_ name: String, found: TableDescription?, _ inspector: SchemaInspector) throws {
        self.name = name
        self.found = found
        foundIndexes = try found.map { try inspector.indexes(of: $0.name) } ?? []
        // With its table an index keeps its own name: ours begin with the table's, so they are made again.
        let isRenamed = found.map { Naming.folded($0.name) != Naming.folded(name) } ?? false
        indexes = isRenamed ? [] : Set(foundIndexes.map { Naming.folded($0.name) })
        foreignKeys = try found.map { try inspector.foreignKeys(of: $0.name) } ?? [:]
    }

    /// Whether it has rows that a new column must have values in.
    var isThere: Bool { found != nil }

    /// What a column of the file is called until its values are read.
    func nameMeanwhile(of column: String) -> String { namesMeanwhile[Naming.folded(column)] ?? column }

    /// What it is called in the file.
    var foundName: String { found?.name ?? name }
}
