import Foundation
import PersistentObjects
import StoreEngine
import TestSupport
import Testing

@testable import PersistentInspector

/// Commands leave the file, its log and its folder as they are.
@Suite(.ownThreads) struct UnchangedFileTests {
    private static let commands: [[String]] = [
        ["summary"], ["classes"], ["classes", "Worker"], ["classes", "--dot"], ["classes", "--sql"],
        ["show", "Worker", "3", "--depth", "3"], ["find", "Worker.findByEmployerNameIgnoreCase(\"ACME\")"],
        ["find", "Worker.findByAge(20)", "--plan"], ["sql", "SELECT * FROM worker"], ["sizes"], ["check"], ["history"],
        ["watch", "--seconds", "1"], ["edit", "Worker", "3", "age=7"],
    ]

    /// The names, bytes and times of the files in a folder. The index of a log is shared memory, and is only listed.
    private struct FolderState: Equatable {
        var names: [String]
        var contents: [String: Data] = [:]
        var times: [String: Date] = [:]

        init(_ folder: URL) throws {
            let path = folder.path(percentEncoded: false)
            names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            for name in names where !name.hasSuffix("-shm") {
                let file = folder.appending(path: name)
                contents[name] = try Data(contentsOf: file)
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
                times[name] = attributes[.modificationDate] as? Date
            }
        }
    }

    /// Runs every command, and compares the folder before and after each.
    private func expectUnchanged(
        _ path: String, in folder: URL, except left: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try FolderState(folder)
        for command in UnchangedFileTests.commands where !left.contains(command[0]) {
            _ = try Inspection([path] + command)
            let after = try FolderState(folder)
            #expect(after.names == before.names, "\(command)", sourceLocation: sourceLocation)
            #expect(after == before, "\(command)", sourceLocation: sourceLocation)
        }
        #expect(try Inspection("diff", path, path).status == 0)
        #expect(try FolderState(folder) == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: [JournalMode.wal, .rollback])
    func `a file that no program has open stays unchanged`(_ journal: JournalMode) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: journal)).close()
        try expectUnchanged(file.path, in: file.folder)
    }

    @Test(arguments: [true, false])
    func `a log that a killed process has left stays, and its commits are read`(hasIndex: Bool) throws {
        let (source, copy) = (try TemporaryStore(), try TemporaryStore())
        let store = try makeStore(source, .init(lostEdits: .ignore))
        for end in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
            try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
        }
        store.close()
        #expect(try Data(contentsOf: URL(filePath: copy.path + "-wal")).count > 0)
        try expectUnchanged(copy.path, in: copy.folder)
        #expect(try Inspection(copy.path, "find", "Worker.countByAgeGreaterThan(0)").lines == ["12"])
    }

    @Test func `a log next to the file that a symbolic link refers to stays, too`() throws {
        let (source, copy, links) = (try TemporaryStore(), try TemporaryStore(), try TemporaryStore())
        let store = try makeStore(source, .init(lostEdits: .ignore))
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
        }
        store.close()
        try FileManager.default.createSymbolicLink(atPath: links.path, withDestinationPath: copy.path)
        try expectUnchanged(links.path, in: copy.folder)
        #expect(try Inspection(links.path, "find", "Worker.countByAgeGreaterThan(0)").lines == ["12"])
        _ = try Inspection(links.path, "edit", "Worker", "3", "age=40", "--yes")
        #expect(
            try Inspection(copy.path, "sql", "SELECT age FROM worker WHERE id = 3", "--csv").lines == ["age", "40"])
    }

    @Test func `an empty log without an index stays`() throws {
        let file = try TemporaryStore()
        try makeStore(file).close()
        try Data().write(to: URL(filePath: file.path + "-wal"))
        try expectUnchanged(file.path, in: file.folder)
    }

    @Test func `a file is read while this process has it open`() throws {
        let file = try TemporaryStore()
        let store = try makeStore(file)
        // Otherwise the store may do it meanwhile, when it is idle.
        try store.checkpoint()
        try expectUnchanged(file.path, in: file.folder)
        try store.withSession { session in
            let firm = Firm()
            firm.name = "Later"
            try session.save(firm)
        }
        #expect(try Inspection(file.path, "find", "Firm.listOrderById()").text.contains("Later"))
        store.close()
    }

    @Test(arguments: [JournalMode.wal, .rollback])
    func `a file is read while another process writes`(_ journal: JournalMode) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: journal)).close()
        let other = try SQLiteProcess(file.path)
        try other.run("BEGIN IMMEDIATE; INSERT INTO firm (name) VALUES ('Uncommitted');")
        // A rollback journal exists while the transaction is open.
        try expectUnchanged(file.path, in: file.folder)
        #expect(try Inspection(file.path, "find", "Firm.countByIdGreaterThan(0)").lines == ["2"])
        try other.run("COMMIT;")
        #expect(try Inspection(file.path, "find", "Firm.countByIdGreaterThan(0)").lines == ["3"])
        try other.quit()
        #expect(try file.isSound)
    }

    @Test(.enabled(if: FileAccess.canRemoveWriting), arguments: [JournalMode.wal, .rollback])
    func `a file in a folder that cannot be written is read`(_ journal: JournalMode) throws {
        let file = try TemporaryStore()
        try makeStore(file, .init(journal: journal)).close()
        try FileAccess.withoutWriting(file.folder.path(percentEncoded: false)) {
            try FileAccess.withoutWriting(file.path) { try expectUnchanged(file.path, in: file.folder) }
        }
    }

    @Test func `the journal of an interrupted transaction is reported and not rolled back`() throws {
        let (source, copy) = (try TemporaryStore(), try TemporaryStore())
        try makeStore(source, .init(journal: .rollback)).close()
        let other = try SQLiteProcess(source.path)
        // A small cache makes SQLite write pages before the commit, after the journal.
        try other.run("PRAGMA cache_size = 1; BEGIN; UPDATE worker SET nickname = hex(randomblob(4000));")
        for end in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
        }
        try other.run("ROLLBACK;")
        try other.quit()
        let before = try FolderState(copy.folder)
        #expect(refusal(copy.path).contains("has the journal of an interrupted transaction"))
        #expect(try FolderState(copy.folder) == before)
    }
}
