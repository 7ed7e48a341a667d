public import Foundation

/// Compiles programs against the modules that the running tests were built with, and runs them.
public enum SwiftCompiler {
    /// The outcome of a program, such as the compiler.
    public struct Outcome: Sendable {
        /// The exit status; the negative number of the signal if a signal ended the program.
        public var status: Int32
        /// Standard output.
        public var output: String
        /// Standard error.
        public var errors: String

        /// A diagnostic of the compiler.
        public struct Diagnostic: Sendable {
            /// The name of the file.
            public var file: String
            /// The line in the file.
            public var line: Int
            /// `error`, `warning` or `note`.
            public var kind: String
            /// The message.
            public var message: String
        }

        /// The compiler's diagnostics, without the displayed code.
        public var diagnostics: [Diagnostic] {
            errors.split(separator: "\n").compactMap { line in
                let parts = line.split(separator: ":", maxSplits: 4)
                guard parts.count == 5, let number = Int(parts[1]), Int(parts[2]) != nil else { return nil }
                let file = parts[0].split(separator: "/").last.map(String.init) ?? ""
                return Diagnostic(
                    file: file, line: number, kind: parts[3].trimmingCharacters(in: .whitespaces),
                    message: parts[4].trimmingCharacters(in: .whitespaces))
            }
        }
    }

    /// The error if the build does not contain the library's modules.
    public struct BuildNotFound: Error, CustomStringConvertible {
        /// The message, in one line.
        public var description: String { "no PersistentObjects.swiftmodule near \(executables.map(\.path))" }
    }

    /// Compiles files up to the mandatory SIL passes, which diagnose region isolation. Later passes diagnose nothing.
    public static func check(
        _ files: [URL], settings: [String] = swift6, module: String = "Example"
    ) async throws -> Outcome {
        try await compile(["-emit-sil", "-o", "/dev/null", "-parse-as-library"], files, settings, module)
    }

    /// Builds a program from files in Swift 6 mode, linked with the library. A file `main.swift` is top-level code.
    public static func build(_ files: [URL], to program: URL) async throws -> Outcome {
        let isScript = files.contains { $0.lastPathComponent == "main.swift" }
        let kind = isScript ? [] : ["-parse-as-library"]
        let arguments = ["-emit-executable", "-o", program.path, try await sharedLibrary().path] + linker + kind
        return try await compile(arguments, files, swift6, "Example")
    }

    /// The toolchain's linker, which takes two thirds of the time of the system's linker.
    #if os(Linux)
        static let linker = ["-use-ld=lld"]
    #else
        static let linker: [String] = []
    #endif

    /// The settings of a module in Swift 6 mode.
    public static let swift6 = ["-swift-version", "6"]

    private static func compile(
        _ arguments: [String], _ files: [URL], _ settings: [String], _ module: String
    ) async throws -> Outcome {
        // The arguments are in the order of a build: settings, modules, files.
        var all = ["-module-name", module, "-diagnostic-style", "llvm"] + settings + (try libraryModules())
        // One frontend compiles all files.
        all += ["-whole-module-optimization"] + arguments + files.map(\.path)
        return try await swiftc(all)
    }

    /// Runs the compiler when a slot is free.
    public static func swiftc(_ arguments: [String], in folder: URL? = nil) async throws -> Outcome {
        let command = [ProcessInfo.processInfo.environment["SWIFT_EXEC"] ?? "swiftc"] + arguments
        return try await slots.use { try await run(URL(filePath: "/usr/bin/env"), command, in: folder) }
    }

    /// The slots for compilers, as many as there are processors.
    private static let slots = Slots(ProcessInfo.processInfo.activeProcessorCount)

    /// Runs a program to its end.
    public static func run(
        _ program: URL, _ arguments: [String] = [], in folder: URL? = nil, environment: [String: String] = [:]
    ) async throws -> Outcome {
        // The compiler leaves files in its temporary folder, so it gets a separate folder that is deleted.
        let temporary = FileManager.default.temporaryDirectory.appending(path: "po-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: temporary) }
        let files = ["output", "errors"].map { temporary.appending(path: $0) }
        // The output is written to files, because pipes would have to be read while the program runs.
        for file in files { try Data().write(to: file) }
        let handles = try files.map { try FileHandle(forWritingTo: $0) }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TMPDIR": temporary.path(percentEncoded: false)]) { $1 }.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = {
                let status = $0.terminationStatus
                continuation.resume(returning: $0.terminationReason == .exit ? status : -status)
            }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        for handle in handles { try handle.close() }
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Outcome(status: status, output: texts[0], errors: texts[1])
    }
}

// The locations of the package and the build.
extension SwiftCompiler {
    /// The folder of `Package.swift`.
    public static let packageFolder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The flags for the module maps of the system library and of the library's own C module.
    public static let systemLibrary = ["CSQLite", "CSealedFile/include"].flatMap { folder in
        ["-Xcc", "-fmodule-map-file=\(packageFolder.appending(path: "Sources/\(folder)/module.modulemap").path)"]
    }

    /// Whether the build contains the library's modules.
    public static var hasModules: Bool { modules != nil }

    /// The flags for the library's modules in the build.
    public static func libraryModules() throws -> [String] {
        guard let modules else { throw BuildNotFound() }
        let cache = modules.deletingLastPathComponent().appending(path: "ModuleCache")
        return ["-I", modules.path] + systemLibrary + ["-module-cache-path", cache.path]
    }

    /// The object files of targets in the build.
    public static func objects(of targets: [String]) throws -> [String] {
        guard let modules else { throw BuildNotFound() }
        return targets.flatMap { target in
            let folder = modules.deletingLastPathComponent().appending(path: "\(target).build")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "o" }.map(\.path)
        }
    }

    /// The folder with `PersistentObjects.swiftmodule` in the build of the running tests.
    private static let modules: URL? = {
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

    /// The running executable, and the test bundle that a helper loads.
    private static var executables: [URL] {
        let mentioned = CommandLine.arguments.filter { $0.contains(".xctest") && !$0.hasPrefix("-") }
        return [Bundle.main.executableURL].compactMap { $0 } + mentioned.map { URL(filePath: $0) }
    }
}
