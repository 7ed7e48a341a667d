internal import Foundation

/// The extension with which the `sqlite3` tool opens the files of `PO_SEALED=1`.
enum SealedTool {
    /// The arguments with which the tool opens a file.
    static func arguments(_ path: String, commands: [String] = []) throws -> [String] {
        guard TestEngine.isSealed, path.hasPrefix("/") else {
            return ["sqlite3", "-batch"] + commands.flatMap { ["-cmd", $0] } + [path]
        }
        let name = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        let opening = [".load \"\(try library.get())\"", ".open \"file:\(name)?vfs=po-sealed\""]
        return ["sqlite3", "-batch"] + (opening + commands).flatMap { ["-cmd", $0] } + [":memory:"]
    }

    /// The extension, which each process compiles once, because a library of an earlier build may be outdated.
    private static let library = Result {
        let folder = SwiftCompiler.packageFolder
        let vfs = folder.appending(path: "Sources/CSealedFile")
        let target = FileManager.default.temporaryDirectory.appending(path: "po-sealed-\(UUID().uuidString).so")
        let sources =
            try FileManager.default.contentsOfDirectory(at: vfs, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "c" } + [folder.appending(path: "Tests/SealedTool/sealed.c")]
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["clang", "-shared", "-fPIC", "-O1", "-I", vfs.appending(path: "include").path, "-o", target.path]
            + sources.map(\.path) + ["-lsodium"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SQLiteTool.Failure(description: "the extension of sqlite3 cannot be compiled")
        }
        path = target.path
        atexit { path.map { _ = unlink($0) } }
        return target.path
    }

    /// The file that is deleted at the end of the process.
    nonisolated(unsafe) private static var path: String?  // written once, before `atexit`
}
