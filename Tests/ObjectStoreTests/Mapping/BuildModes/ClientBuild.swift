import Foundation
import Testing

@testable import PersistentObjects

/// Builds small programs with `swiftc` and runs them: what a compiler's flags do to a client is seen in no other way.
struct ClientBuild: ~Copyable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "po-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return path(name)
    }

    /// Runs `swiftc`; throws what it said where it fails.
    func compile(_ arguments: [String]) throws {
        let compiler = ProcessInfo.processInfo.environment["SWIFT_EXEC"] ?? "swiftc"
        let result = try run("/usr/bin/env", [compiler, "-suppress-warnings"] + arguments)
        guard result.status == 0 else { throw Failure(description: result.output) }
    }

    /// Runs a program that was built, and gives what it wrote.
    func run(_ name: String) throws -> String {
        let result = try run(path(name), [])
        guard result.status == 0 else { throw Failure(description: "status \(result.status): \(result.output)") }
        return result.output
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let log = folder.appending(path: "log-\(UUID().uuidString).txt")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // The compiler leaves things in the temporary folder: it gets one that goes away.
        let settings = ["SWIFT_BACKTRACE": "enable=no", "TMPDIR": folder.path]
        process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: log), as: UTF8.self))
    }
}

// Where the build is that the running tests belong to.
extension ClientBuild {
    static let packageFolder: URL = {
        var folder = URL(filePath: #filePath)
        while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    /// Flags that find the module map of the system library.
    static var systemLibrary: [String] {
        ["-Xcc", "-fmodule-map-file=\(packageFolder.appending(path: "Sources/CSQLite/module.modulemap").path)"]
    }

    /// The folder that has `Modules` and the object files; nil where the tests were built in another way.
    static let buildFolder: URL? = {
        let mentioned = CommandLine.arguments.filter { $0.contains(".xctest") && !$0.hasPrefix("-") }
        let executables = [Bundle.main.executableURL].compactMap { $0 } + mentioned.map { URL(filePath: $0) }
        for executable in executables {
            var folder = executable.deletingLastPathComponent().standardizedFileURL
            while folder.path != "/" {
                let module = folder.appending(path: "Modules/PersistentObjects.swiftmodule")
                if FileManager.default.fileExists(atPath: module.path) { return folder }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// Flags that compile against the library as it was built, and link it.
    static func library(_ build: URL) throws -> [String] {
        var objects: [String] = []
        for target in ["PersistentObjects", "StoreEngine"] {
            let files = FileManager.default.enumerator(
                at: build.appending(path: "\(target).build"), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "o" { objects.append(file.path) }
        }
        return ["-I", build.appending(path: "Modules").path] + systemLibrary + objects + ["-lsqlite3"]
    }

    /// Whether a plain client can be linked with the objects of this build.
    static var isPossible: Bool { buildFolder != nil && !Sanitizer.isActive }
}
