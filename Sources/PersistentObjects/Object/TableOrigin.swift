/// Whose a class's table is: see `PersistentObject.origin`.
public struct TableOrigin: Sendable, Hashable {
    let isOwn: Bool
    /// The column of the ids; nil where they are the numbers that the database itself gives rows.
    let idColumn: String?
    /// Whether the ids are made of the columns of the key.
    var isKeyed = false

    /// The library's own, which it makes and changes with the class.
    public static let own = TableOrigin(isOwn: true, idColumn: nil)

    /// A table that is there already, whose rows have numbers of the database's own: in SQLite all tables but those
    /// `WITHOUT ROWID`. Where one has an `INTEGER PRIMARY KEY`, whatever its name, that is the number.
    ///
    /// - Important: In a table without an `INTEGER PRIMARY KEY` a `VACUUM` may
    ///   number the rows anew. Keep such an object's `PersistentID`, which has
    ///   its `primaryKey`, and not its `id` across launches.
    public static let existing = TableOrigin(isOwn: false, idColumn: nil)

    /// A table or view that is there already, whose ids stand in a column: a view has no numbers of its own.
    ///
    /// ```swift
    /// override class var origin: TableOrigin { .existing(id: "AlbumId") }
    /// ```
    ///
    /// Each row must have a whole number there that no other row has.
    public static func existing(id column: String) -> TableOrigin { TableOrigin(isOwn: false, idColumn: column) }

    /// A table `WITHOUT ROWID` or a view whose rows have no numbers at all, for reading only: its rows are known by the
    /// class's `primaryKey`.
    ///
    /// ```swift
    /// override class var origin: TableOrigin { .existingByKey }
    /// override class var isReadOnly: Bool { true }
    /// override class var primaryKey: [AnyKeyPath] { [\Tile.zoom, \Tile.column, \Tile.row] }
    /// ```
    ///
    /// No two rows may have the same key. The `id` is made of the key, in each run of the program another one. To find
    /// rows by it, as `refresh()` and references do, reads the whole table; `find(key:)` uses its index.
    public static let existingByKey = TableOrigin(isOwn: false, idColumn: nil, isKeyed: true)
}
