import Foundation
import TestSupport

/// Builds small programs with `swiftc` and runs them, to test how compiler flags affect a client.
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

    /// Runs `swiftc`, and throws its output if it fails.
    func compile(_ arguments: [String]) async throws {
        let ended = try await SwiftCompiler.swiftc(["-suppress-warnings"] + arguments, in: folder)
        guard ended.status == 0 else { throw Failure(description: ended.output + ended.errors) }
    }

    /// Runs a built program, and returns its output.
    func run(_ name: String) async throws -> String {
        let ended = try await SwiftCompiler.run(
            URL(filePath: path(name)), in: folder, environment: ["SWIFT_BACKTRACE": "enable=no"])
        let printed = ended.output + ended.errors
        guard ended.status == 0 else { throw Failure(description: "status \(ended.status): \(printed)") }
        return printed
    }

    /// Flags that compile against the built library and link it.
    static func library() throws -> [String] {
        try SwiftCompiler.libraryModules()
            + SwiftCompiler.objects(of: ["PersistentObjects", "StoreEngine", "CSealedFile"]) + ["-lsqlite3"]
    }

    /// Whether a plain client can be linked with the objects of this build.
    static var isPossible: Bool { SwiftCompiler.hasModules && !Sanitizer.isActive }
}
