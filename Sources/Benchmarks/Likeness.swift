import Foundation
import PersistentObjects

/// Compares the tables and the settings of both sides.
enum Likeness {
    /// The compared settings of a connection, which cost time and which SQLite can return as tables.
    private static let settings = ["journal_mode", "synchronous", "cache_size", "foreign_keys", "page_size"]

    /// The queries for the compared properties of a table, which run on a hand-written connection for both sides.
    private static func shape(_ table: String) -> [(String, String)] {
        [
            (
                "columns",
                """
                SELECT group_concat(name || ' ' || type || iif("notnull", ' NOT NULL', '') || iif(pk, ' KEY', ''), ', ')
                FROM pragma_table_xinfo('\(table)')
                """
            ),
            ("STRICT", "SELECT strict FROM pragma_table_list('\(table)') WHERE schema = 'main'"),
            ("AUTOINCREMENT", "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema WHERE name = '\(table)'"),
            ("CHECK", "SELECT sql LIKE '%CHECK%(%' FROM sqlite_schema WHERE name = '\(table)'"),
            (
                "indexes",
                """
                SELECT group_concat(part.name || iif(list."unique", ' UNIQUE', ''), ', ')
                FROM pragma_index_list('\(table)') AS list, pragma_index_info(list.name) AS part
                """
            ),
            ("triggers", "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '\(table)'"),
        ]
    }

    /// A line for each difference.
    static func differences(_ fixture: Fixture, ours: Trial, floor: Trial) throws -> [String] {
        let shapes = fixture.tables.flatMap { table in shape(table).map { ("\(table): \($0)", $1) } }
        let oursShape = try ours.onDatabase { database in try shapes.map { try database.text($0.1) ?? "nothing" } }
        let floorShape = try floor.onDatabase { database in try shapes.map { try database.text($0.1) ?? "nothing" } }
        let unlikeShapes = zip(shapes.map(\.0), zip(oursShape, floorShape))
            .filter { $1.0 != $1.1 }
            .map { "\($0) differ: ours \($1.0), floor \($1.1)" }
        return try unlikeShapes + (fixture == .players ? unlikeSettings(ours, floor) : [])
    }

    private static func unlikeSettings(_ ours: Trial, _ floor: Trial) throws -> [String] {
        let values = try floor.onDatabase { database in
            try settings.map { ($0, try database.text("PRAGMA \($0)") ?? "") }
        }
        // The settings are queried with a finder, which runs on the session's connection.
        return try ours.inSession { _ in
            try values.filter { name, value in
                let question = "WHERE (SELECT CAST(\(name) AS TEXT) FROM pragma_\(name)) = ?"
                return try Player.countByCriteria(question, value) == 0
            }
        }.map { "\($0) differs: floor \($1), ours not" }
    }
}
