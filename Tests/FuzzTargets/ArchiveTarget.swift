import CSQLite
import Foundation
import PersistentObjects
import PersistentObjectsTesting
import PersistentTransfer

/// Archives and property lists in files of SQLitePersistentObject. They are imported as values or reported.
struct ArchiveTarget {
    final class Note: PersistentObject {
        override class var tableName: String { "archived_note" }
        var text = ""
        var number = 0
        var list: [String] = []
        var marks: [String: Double] = [:]
        var dates: [Date] = []
        var data = Data()
        var whole: Fuzzed.Address?
    }

    private let file: TemporaryStore

    init() throws { file = try TemporaryStore() }

    /// The first byte selects the columns that contain the rest.
    func run(_ bytes: [UInt8]) throws {
        let path = file.folder.appending(path: "\(UUID().uuidString).sqlite3").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try make(path, bytes.first ?? 0, Array(bytes.dropFirst()))
        let store = try Store.inMemory(configuration: .fuzzed())
        do {
            let report = try store.importSQLitePersistentObject(from: path, Note.self)
            let count = try store.withSession { _ throws in
                for note in try Note.all() { _ = try note.json }
                return try Note.count()
            }
            _ = "\(report)"
            guard count == 1 || !report.skipped.isEmpty else { throw FuzzFinding("a row is missing in \(report)") }
        } catch { try FuzzErrors.check(error) }
    }

    private func make(_ path: String, _ columns: UInt8, _ bytes: [UInt8]) throws {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(path, &database) == SQLITE_OK else { throw FuzzFinding("the file cannot be made") }
        sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", nil, nil, nil)
        let hex = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        let values = (0..<7).map { columns >> $0 & 1 == 1 ? "x'\(hex)'" : "NULL" }.joined(separator: ", ")
        let sql = """
            CREATE TABLE note (pk INTEGER PRIMARY KEY, text TEXT, number INTEGER, list BLOB, marks BLOB, dates BLOB,
            data BLOB, whole BLOB);
            INSERT INTO note VALUES (1, \(values));
            """
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
            throw FuzzFinding("the row cannot be made")
        }
    }
}
