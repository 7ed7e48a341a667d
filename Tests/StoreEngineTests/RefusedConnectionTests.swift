import Foundation
import StoreEngine
import TestSupport
import Testing

/// Errors of a connection because of the state of its file, or because of other users of the file.
@Suite struct RefusedConnectionTests {
    private func connect(
        _ file: TemporaryStore, _ settings: FileSettings = FileSettings(), busyTimeout: Int32 = 5000
    ) throws -> SQLiteConnection {
        try openConnection(.file(path: file.path), ConnectionOptions(busyTimeout: busyTimeout, file: settings))
    }

    @Test func `a file in UTF-16 is rejected, and the error explains how to copy it`() throws {
        let file = try TemporaryStore()
        _ = try file.sqlite("PRAGMA encoding = 'UTF-16le'; CREATE TABLE other (x)")
        let error = #expect(throws: StoreError.self) { _ = try connect(file) }
        expect(error?.code, .foreignFile)
        expect(
            error?.message.contains(
                "The file's strings are encoded in UTF-16le, and a store requires UTF-8. Copy it with: "), true)
    }

    @Test func `switching to a rollback journal while another connection uses the log throws`() throws {
        let file = try TemporaryStore()
        let other = try connect(file)
        try other.execute("CREATE TABLE t (x)")
        let error = #expect(throws: StoreError.self) {
            _ = try connect(file, FileSettings(journal: .rollback), busyTimeout: 20)
        }
        expect(error?.code, .busy, "\(String(describing: error))")
        try other.execute("INSERT INTO t VALUES (1)")
        withExtendedLifetime(other) {}
    }

    @Test func `reading a value that is not valid UTF-8 throws`() throws {
        let connection = try connect(try TemporaryStore())
        let error = #expect(throws: StoreError.self) { _ = try connection.value("SELECT CAST(x'ff' AS TEXT)") }
        expect(error?.message.contains("UTF-8"), true, "\(String(describing: error))")
    }

    private struct UnreadChanges: RecordedChanges {
        var byteCount: Int { 0 }
    }

    private struct OtherChanges: RowChanges {
        var byteCount: Int { 0 }
        func inverted() throws(StoreError) -> any RowChanges { self }
        func rows() throws -> [ChangedRow] { [] }
    }

    @Test func `applying changes recorded by another engine throws`() throws {
        let connection = try connect(try TemporaryStore())
        let error = #expect(throws: StoreError.self) { try connection.apply([OtherChanges()]) }
        #expect(error?.code == .misuse && error?.message == "The changes were recorded by another engine")
        let unread = #expect(throws: StoreError.self) {
            _ = try connection.makeRecorder().read(UnreadChanges())
        }
        #expect(unread?.message == error?.message)
    }

    @Test func `matching a regular expression ends if the task is cancelled`() async throws {
        let pattern = try WholePattern("(a+)+b")
        let text = String(repeating: "a", count: 60)
        await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(throws: CancellationError.self) { try pattern.matches(text) }
        }.value
    }

    @Test func `a copy does not replace a folder created at its path in the meantime`() throws {
        let file = try TemporaryStore()
        let connection = try connect(file)
        try connection.execute("CREATE TABLE t (x)")
        let path = file.folder.appending(path: "copy.sqlite").path
        let request = CopyRequest(path: path, replaces: true, permissions: 0o600)
        var isMade = false
        let error = #expect(throws: StoreError.self) {
            try connection.upkeep().copy(request) { _ in
                guard !isMade else { return }
                isMade = true
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
        }
        expect(error?.message.contains(path), true, "\(String(describing: error))")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path)
        expect(names.filter { $0.contains("copy") }, ["copy.sqlite"], "\(names)")
    }
}
