import Foundation
import PersistentObjects
import TestSupport
import Testing

/// The program `persistent` from the same build as these tests.
struct ProgramTests {
    private struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    private func run(_ shell: String, _ arguments: [String], in folder: URL) throws -> Run {
        let (output, errors) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", shell, try BuiltProgram.url("persistent").path] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            status: process.terminationStatus, output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    @Test func `the program prints results, findings and errors with their exit statuses`() throws {
        let file = try TemporaryStore()
        try makeStore(file).close()
        func persistent(_ arguments: String...) throws -> Run { try run("\"$0\" \"$@\"", arguments, in: file.folder) }
        let count = try persistent("store.sqlite", "find", "Worker.countByIsActiveTrue()")
        #expect(count.status == 0 && count.output == "6\n" && count.errors.isEmpty)
        #expect(try persistent("--help").output.hasPrefix("usage: persistent FILE"))
        let error = try persistent("nowhere.sqlite")
        #expect(error.status == 2 && error.output.isEmpty)
        #expect(error.errors == "persistent: nowhere.sqlite does not exist.\n")
        _ = try SQLiteTool.run(file.path, "UPDATE worker SET is_active = 7 WHERE id = 1")
        let check = try persistent("store.sqlite", "check")
        #expect(check.status == 1 && check.output.hasSuffix("1 problem\n"))
    }

    @Test func `a reader of the output that ends early leaves no file behind`() throws {
        let file = try TemporaryStore()
        try makeStore(file).close()
        let head = try run("\"$0\" \"$@\" | head -n 1", ["store.sqlite", "history"], in: file.folder)
        #expect(head.status == 0 && head.errors.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: file.folder.path) == ["store.sqlite"])
    }
}
