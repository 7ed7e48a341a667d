import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The captured changes of a file, read and emptied by another program.
struct SyncFile {
    let file: TemporaryStore

    /// A line for each mark: the table and row, `+` for an insertion, `-` for a deletion, and the changed columns. The
    /// elements of sets and dictionaries have their part in brackets.
    func marks() throws -> [String] {
        try lines(
            """
            SELECT t.name || '#' || m.row || iif(t.kind IN ('set', 'dictionary'), ' [' || m.part || ']', '') \
            || iif(m.mask & 1, ' +', '') || iif(m.mask & 2, ' -', '') || coalesce((SELECT ' ' || group_concat(name) \
            FROM (SELECT name FROM po_sync_column c WHERE c.tbl = m.tbl \
            AND c.number / 60 = iif(t.kind = 'rows', m.part, 0) \
            AND (m.mask >> (2 + c.number % 60)) & 1 ORDER BY name)), '') \
            FROM po_sync_mark m JOIN po_sync_table t ON t.number = m.tbl ORDER BY t.name, m.row, m.part
            """)
    }

    /// The marks, which are empty afterwards.
    func takeMarks() throws -> [String] {
        let found = try marks()
        _ = try file.sqlite("DELETE FROM po_sync_mark; DELETE FROM po_sync_count")
        return found
    }

    /// The known elements of an array: the value, the id, and `*` if the value changed.
    func places(_ table: String) throws -> [String] {
        try lines(
            """
            SELECT e.value || ':' || p.id || iif(p.changed, '*', '') FROM po_sync_place p \
            JOIN po_sync_table t ON t.number = p.tbl AND t.name = '\(table)' \
            JOIN "\(table)" e ON e.owner_id = p.owner AND e.position = p.position ORDER BY p.owner, p.position
            """)
    }

    /// The deleted elements of all arrays: the value and the id.
    func gone() throws -> [String] { try lines("SELECT value || ':' || id FROM po_sync_gone ORDER BY id") }

    /// The sums of the counters: the column, the row and the amount.
    func counts() throws -> [String] {
        try lines(
            """
            SELECT c.name || '#' || n.row || ' ' || n.amount FROM po_sync_count n \
            JOIN po_sync_column c ON c.tbl = n.tbl AND c.number = n."column" ORDER BY 1
            """)
    }

    /// Does what a round does with the changes: all elements of an array become known, and everything else is emptied.
    func absorb(_ tables: String...) throws {
        let arrays = tables.map { table in
            """
            INSERT INTO po_sync_place (tbl, owner, position, id) SELECT t.number, e.owner_id, e.position, \
            (SELECT coalesce(max(id), 0) FROM (SELECT id FROM po_sync_place UNION SELECT id FROM po_sync_gone)) \
            + row_number() OVER (ORDER BY e.owner_id, e.position) FROM "\(table)" e \
            JOIN po_sync_table t ON t.name = '\(table)' WHERE NOT EXISTS (SELECT 1 FROM po_sync_place p \
            WHERE p.tbl = t.number AND p.owner = e.owner_id AND p.position = e.position)
            """
        }
        let emptying = ["mark", "gone", "count"].map { "DELETE FROM po_sync_\($0)" }
        _ = try file.sqlite(
            (arrays + emptying + ["UPDATE po_sync_place SET changed = 0"]).joined(separator: "; "))
    }

    func lines(_ sql: String) throws -> [String] {
        try file.sqlite(sql).split(separator: "\n").map(String.init)
    }
}

/// The classes for the tests of capture.
enum SyncModel {
    final class Team: PersistentObject {
        override class var tableName: String { "sync_team" }
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = ""
        @Inverse(\Player.team, onDelete: .cascade) var players: [Player]
    }

    final class Player: PersistentObject {
        override class var tableName: String { "sync_player" }
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = ""
        var age: Int?
        weak var team: Team?
        var tags: [String] = []
        var codes: Set<Int> = []
        var scores: [String: Int] = [:]
        var rivals: Set<Player> = []
        @Merged(.counter) var stars = 0
        @Merged(.counter) @Column(scale: 2) var money: Decimal = 0
        @Merged(.counter) var weight = 0.0
        @Merged(.max) var best: Date?
    }

    static func withSession(_ body: (Session, SyncFile) throws -> Void) throws {
        try withTemporarySession { session, file in
            try session.store.prepare(Team.self, Player.self)
            try body(session, SyncFile(file: file))
        }
    }
}
