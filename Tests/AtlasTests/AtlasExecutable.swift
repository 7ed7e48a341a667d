import Foundation

/// The program from the same build as these tests.
enum AtlasExecutable {
    struct NotFound: Error, CustomStringConvertible {
        let start: [String]
        var description: String { "there is no executable atlas above \(start.joined(separator: " or "))" }
    }

    /// The output of one run, and its exit status.
    struct Run {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Searches the parent folders of the test bundle for the product.
    static func find() throws -> URL {
        let starts = [Bundle.main.executableURL, Bundle(for: Anchor.self).bundleURL].compactMap { $0 }
        for start in starts {
            var folder = start.resolvingSymlinksInPath()
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let file = folder.appendingPathComponent("atlas")
                if isProgram(file) { return file }
            }
        }
        throw NotFound(start: starts.map(\.path))
    }

    /// Runs any program to its end, with its output in pipes.
    static func run(_ program: URL, _ arguments: [String], in folder: URL) throws -> Run {
        let (output, errors) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // The pipes can be read one after the other, because the output to standard error fits in a pipe.
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        let complained = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Run(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: String(decoding: printed, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    private static func isProgram(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
            && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: file.path)
    }

    private final class Anchor {}
}
