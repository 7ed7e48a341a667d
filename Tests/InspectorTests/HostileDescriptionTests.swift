import Foundation
import PersistentObjects
import TestSupport
import Testing

/// Descriptions that a damaged or hostile file can have. Every command ends with output or an error.
@Suite(.ownThreads) struct HostileDescriptionTests {
    private static let changes = [
        "UPDATE po_property SET name = 'age'", "UPDATE po_property SET name = 'id'",
        "UPDATE po_property SET name = 'key'",
        "UPDATE po_property SET name = ''", "UPDATE po_property SET name = name || char(0) || '\"'",
        "UPDATE po_property SET column_name = 'age'", "UPDATE po_property SET column_name = 'id'",
        "UPDATE po_property SET column_name = NULL", "UPDATE po_property SET kind = 'inverse'",
        "UPDATE po_property SET kind = 'reference', target = 'Worker'", "UPDATE po_property SET kind = 'array'",
        "UPDATE po_property SET kind = 'dictionary'", "UPDATE po_property SET kind = 'x'",
        "UPDATE po_property SET type = ''", "UPDATE po_property SET type = 'Array<'",
        "UPDATE po_property SET type = 'Optional<>'", "UPDATE po_property SET type = 'Decimal(99999999999999999999)'",
        "UPDATE po_property SET type = 'Decimal(-3)'", "UPDATE po_property SET type = 'Decimal()'",
        "UPDATE po_property SET type = 'Dictionary<Dictionary<Int, Int>, Array<Int>>'",
        "UPDATE po_property SET type = 'A: B: C'", "UPDATE po_property SET type = 'UUID'",
        "UPDATE po_property SET type = 'Date'", "UPDATE po_property SET type = 'Bool'",
        "UPDATE po_property SET target = 'Nowhere'", "UPDATE po_property SET target = NULL",
        "UPDATE po_property SET target = 'Land'", "UPDATE po_property SET inverse = '\\'",
        "UPDATE po_property SET inverse = '\\Worker.age'", "UPDATE po_property SET inverse = '\\Worker.badge'",
        "UPDATE po_property SET cases = char(9)", "UPDATE po_property SET flags = 30",
        "UPDATE po_property SET flags = -1",
        "UPDATE po_property SET is_optional = 1 - is_optional", "DELETE FROM po_property",
        "UPDATE po_class SET superclass = id", "UPDATE po_class SET superclass = 1",
        "UPDATE po_class SET superclass = (id % 7) + 1", "UPDATE po_class SET superclass = 99",
        "UPDATE po_class SET table_name = 'worker'", "UPDATE po_class SET table_name = 'sqlite_schema'",
        "UPDATE po_class SET table_name = 'nowhere'", "UPDATE po_class SET table_name = 'po_class'",
        "UPDATE po_class SET table_name = ''", "UPDATE po_class SET identity = 'uuid'",
        "UPDATE po_class SET identity = 'string'", "UPDATE po_class SET identity = 'x'",
        "UPDATE po_class SET name = 'Class ' || id", "DELETE FROM po_class",
        "UPDATE po_history SET sql = char(27) || '[2J', app = char(10), time = 9e999, class = ''",
        "ALTER TABLE po_property DROP COLUMN cases", "ALTER TABLE po_class DROP COLUMN identity",
        "DROP TABLE po_property", "DROP TABLE po_history",
        "DROP TABLE badge; CREATE VIEW badge AS SELECT 1 AS id, x'FF' AS code, 'x' AS owner_id",
    ]

    @Test(arguments: Scale.cases(changes)) func `every command ends with output or an error`(_ change: String) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: .rollback)).close()
        let other = file.folder.appending(path: "other.sqlite").path(percentEncoded: false)
        try FileManager.default.copyItem(atPath: file.path, toPath: other)
        _ = try SQLiteTool.run(file.path, "PRAGMA foreign_keys = OFF; \(change);")
        var commands = [
            ["summary"], ["classes"], ["classes", "Worker"], ["classes", "--dot"], ["classes", "--sql"],
            ["classes", "--json"], ["show", "Worker", "4", "--depth", "3"], ["show", "Land", "AT"],
            ["show", "Badge", "1"],
            ["show", "Ball", "2"], ["find", "Worker.findByAge(20)"], ["find", "Worker.findByEmployerStaffAge(20)"],
            ["find", "Land.all()"], ["find", "Ball.all()"], ["find", "Badge.findByOwnerAge(20)"], ["history"],
            ["edit", "Worker", "3", "age=1", "employer=1"], ["sizes"],
        ]
        commands.append(["check"])
        for command in commands {
            for line in output([file.path] + command) {
                #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(command)")
            }
        }
        if !change.contains("RECURSIVE") {
            _ = output(["diff", file.path, other]) + output(["diff", other, file.path])
        }
    }

    private func output(_ words: [String]) -> [String] {
        do { return try Inspection(words).lines } catch { return ["\(error)"] }
    }
}
