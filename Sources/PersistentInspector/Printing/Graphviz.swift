internal import Foundation

/// The program `dot`, which draws diagrams, if it is installed.
enum Graphviz {
    private static let time = 5.0

    static var path: String? {
        // A relative folder of `PATH` could have any program.
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return folders.filter { $0.hasPrefix("/") }.map { "\($0)/dot" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The drawing as SVG; nil if `dot` is not installed, or cannot draw it in 5 seconds.
    static func svg(of lines: [String]) throws -> String? {
        guard let path else { return nil }
        let folder = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let (input, output) = (folder.appending(path: "in.dot"), folder.appending(path: "out.svg"))
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["-Tsvg", "-o", output.path, input.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = Date().addingTimeInterval(time)
        // Foundation has no wait with a limit.
        while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.005) }
        guard !process.isRunning else {
            process.terminate()
            return nil
        }
        guard process.terminationStatus == 0, let data = try? Data(contentsOf: output) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }
}
