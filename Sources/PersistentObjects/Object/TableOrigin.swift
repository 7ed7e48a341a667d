/// The origin of a class's table; see `PersistentObject.origin`.
public struct TableOrigin: Sendable, Hashable {
    let isOwn: Bool
    /// The column of the ids; nil if they are the row numbers that the database assigns.
    let idColumn: String?
    /// Whether the ids are derived from the key columns.
    var isKeyed = false

    /// A table that the library creates and changes with the class.
    public static let own = TableOrigin(isOwn: true, idColumn: nil)

    /// An existing table whose rows have numbers assigned by the database.
    ///
    /// In SQLite these are all tables except `WITHOUT ROWID` tables. If the table has an `INTEGER PRIMARY KEY`, that
    /// column is the row number, regardless of its name.
    ///
    /// - Important: In a table without an `INTEGER PRIMARY KEY`, a `VACUUM` may renumber the rows. Across launches,
    ///   keep such an object's `PersistentID`, which includes its `primaryKey`, instead of its `id`.
    public static let existing = TableOrigin(isOwn: false, idColumn: nil)

    /// An existing table or view whose ids are stored in a column, because a view has no row numbers.
    ///
    /// ```swift
    /// override class var origin: TableOrigin { .existing(id: "AlbumId") }
    /// ```
    ///
    /// Each row must have a unique integer in this column.
    public static func existing(id column: String) -> TableOrigin { TableOrigin(isOwn: false, idColumn: column) }

    /// An existing `WITHOUT ROWID` table or view without row numbers, read-only.
    ///
    /// Its rows are identified by the class's `primaryKey`.
    ///
    /// ```swift
    /// override class var origin: TableOrigin { .existingByKey }
    /// override class var isReadOnly: Bool { true }
    /// override class var primaryKey: [AnyKeyPath] { [\Tile.zoom, \Tile.column, \Tile.row] }
    /// ```
    ///
    /// No two rows may have the same key. The `id` is derived from the key and differs in each run of the program.
    /// Finding rows by `id`, as `refresh()` and references do, reads the whole table; `find(key:)` uses the key's
    /// index.
    public static let existingByKey = TableOrigin(isOwn: false, idColumn: nil, isKeyed: true)
}
