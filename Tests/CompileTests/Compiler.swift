import Foundation

/// Runs the compiler on clients, against the modules that the running tests were built with.
struct Compiler {
    /// What the compiler said.
    struct Outcome: Sendable {
        var status: Int32
        var output: String

        var succeeded: Bool { status == 0 }

        /// The texts of all errors, without their places.
        var errors: [String] {
            output.split(separator: "\n").compactMap { line in
                guard let label = line.firstRange(of: "error: ") else { return nil }
                let place = line[..<label.lowerBound]
                return place.isEmpty || place.hasSuffix(": ") ? String(line[label.upperBound...]) : nil
            }
        }
    }

    struct ModulesNotFound: Error, CustomStringConvertible {
        var description: String { "no PersistentObjects.swiftmodule near \(Compiler.executables.map(\.path))" }
    }

    /// Compiles a client as far as the mandatory SIL passes: region isolation is diagnosed there, and what comes after
    /// them has no diagnostics to give. The order of the flags is that of a build: settings, modules, files.
    static func compile(_ client: Client, in configuration: Configuration, strictly: Bool) async throws -> Outcome {
        guard let modules = modulesFolder else { throw ModulesNotFound() }
        let moduleMap = packageFolder.appending(path: "Sources/CSQLite/module.modulemap")
        var arguments = ["-emit-sil", "-o", "/dev/null", "-parse-as-library", "-module-name", "Client"]
        arguments += ["-diagnostic-style", "llvm"] + configuration.flags
        if strictly { arguments += ["-warnings-as-errors"] }
        arguments += ["-I", modules.path, "-Xcc", "-fmodule-map-file=\(moduleMap.path)"]
        arguments += ["-module-cache-path", moduleCache(of: modules).path]
        // One frontend for all files.
        arguments += ["-whole-module-optimization"] + client.files.map(\.path)
        return try await slots.use { [arguments] in try await run(arguments) }
    }

    /// At most two compilers at once, however many tests wait.
    private static let slots = Slots(2)

    private static func run(_ arguments: [String]) async throws -> Outcome {
        let outputFile = FileManager.default.temporaryDirectory.appending(path: "compile-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: outputFile) }
        try Data().write(to: outputFile)
        // Into a file, not a pipe: nobody has to empty it while the compiler runs.
        let handle = try FileHandle(forWritingTo: outputFile)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [ProcessInfo.processInfo.environment["SWIFT_EXEC"] ?? "swiftc"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handle
        process.standardError = handle
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        try handle.close()
        return Outcome(status: status, output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self))
    }
}

// MARK: - Where things are

extension Compiler {
    /// The folder with `PersistentObjects.swiftmodule`, in the build that the running tests belong to.
    private static let modulesFolder: URL? = {
        for executable in executables {
            var folder = executable.deletingLastPathComponent().standardizedFileURL
            while folder.path != "/" {
                for candidate in [folder.appending(path: "Modules"), folder] {
                    let module = candidate.appending(path: "PersistentObjects.swiftmodule")
                    if FileManager.default.fileExists(atPath: module.path) { return candidate }
                }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// The running executable, and the test bundle that a helper was told to load.
    private static var executables: [URL] {
        let mentioned = CommandLine.arguments.filter { $0.contains(".xctest") && !$0.hasPrefix("-") }
        return [Bundle.main.executableURL].compactMap { $0 } + mentioned.map { URL(filePath: $0) }
    }

    /// The cache of the build itself has the modules of C already.
    private static func moduleCache(of modules: URL) -> URL {
        modules.deletingLastPathComponent().appending(path: "ModuleCache")
    }

    private static let packageFolder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Lets a number of tasks in at once, the others in the order they came.
private actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func use<R: Sendable>(_ work: @Sendable () async throws -> R) async throws -> R {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
