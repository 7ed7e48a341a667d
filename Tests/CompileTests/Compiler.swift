import Foundation
import TestSupport

/// Runs the compiler on clients, with the modules that the running tests were built with.
struct Compiler {
    /// The output of the compiler.
    struct Outcome: Sendable {
        var status: Int32
        var output: String

        var succeeded: Bool { status == 0 }

        /// The messages of all errors, without their locations.
        var errors: [String] { placedErrors.map(\.text) }

        /// The messages of the errors in one file.
        func errors(in file: String) -> [String] { placedErrors.filter { $0.file == file }.map(\.text) }

        /// The outcome as if the compiler had read only this file.
        func part(of file: String) -> Outcome {
            let own = errors(in: file)
            let lines = own.map { "\(file): error: \($0)" }
            return Outcome(status: own.isEmpty ? 0 : status, output: lines.joined(separator: "\n"))
        }

        /// The errors with the names of their files. An error in code that a macro generated belongs to the file
        /// named by the notes after it.
        private var placedErrors: [(file: String?, text: String)] {
            var found: [(file: String?, text: String)] = []
            for line in output.split(separator: "\n") {
                guard let label = line.firstRange(of: #/(?:^|: )(?:error|warning|note): /#) else { continue }
                let file = line[..<label.lowerBound].split(separator: ":").first
                    .flatMap { $0.split(separator: "/").last }.map(String.init)
                if let last = found.last, let macro = last.file, macro.contains("macro"), let file,
                    line[label].contains("note"), !file.contains("macro")
                {
                    found[found.count - 1].file = file
                } else if line[label].contains("error") {
                    found.append((file, String(line[label.upperBound...])))
                }
            }
            return found
        }
    }

    /// Compiles clients as one module, `hidden` from each other or unchanged.
    static func compile(
        _ clients: [Client], in configuration: Configuration, strictly: Bool, hidden: Bool
    ) async throws -> Outcome {
        let settings = configuration.flags + (strictly ? ["-warnings-as-errors"] : [])
        let folder = FileManager.default.temporaryDirectory.appending(path: "clients-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files = try clients.map { client in
            guard hidden else { return client.file }
            let copy = folder.appending(path: client.fileName)
            try client.hiddenSource.write(to: copy, atomically: false, encoding: .utf8)
            return copy
        }
        if clients.contains(where: { ![.mustCompile, .publicFace].contains($0.kind) }) { files.append(Client.prelude) }
        let ended = try await SwiftCompiler.check(files, settings: settings, module: "Client")
        return Outcome(status: ended.status, output: ended.output + ended.errors)
    }
}
