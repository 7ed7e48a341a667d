#if PostgreSQL
    import PersistentObjects
    import TestSupport
    import Testing

    private final class Tile: PersistentObject {
        override class var tableName: String { "tile" }
        var name = ""
        var number = 0
    }

    /// Undo of statements that change no rows, one row and many rows.
    @Suite(.onPostgres("SQLite records changes itself")) struct ServerUndoSizeTests {
        @Test(arguments: [0, 1, 100, 101, 250])
        func `a statement is undone and redone, however many rows it changes`(_ count: Int) throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try store.withSession { session in
                let tiles = (0..<300).map { number in
                    let tile = Tile()
                    (tile.name, tile.number) = ("}\n\u{1E}\u{1F}\"\(number)", number)
                    return tile
                }
                try session.save(tiles)
                func rows() throws -> [String] {
                    try session.rows("SELECT tile::text FROM tile ORDER BY id").map { try $0.value(0) }
                }
                let before = try rows()
                session.recordsUndo = true
                for statement in [
                    "UPDATE tile SET number = -number - 1, name = 'x' || name WHERE id <= ?",
                    "DELETE FROM tile WHERE id <= ?",
                    "INSERT INTO tile (name, number) SELECT name, number FROM tile WHERE id <= ?",
                ] {
                    try session.execute(statement, count)
                    let after = try rows()
                    #expect((after == before) == (count == 0))
                    #expect(try session.undo() == (count > 0))
                    #expect(try rows() == before)
                    #expect(try session.redo() == (count > 0))
                    #expect(try rows() == after)
                    #expect(try session.undo() == (count > 0))
                    #expect(try rows() == before)
                }
            }
        }
    }
#endif
