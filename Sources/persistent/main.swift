import Foundation
import PersistentInspector

/// The reader of the output has ended, such as `head`.
struct OutputEnded: Error {}

// Such a reader must not kill the program before it has closed the file.
signal(SIGPIPE, SIG_IGN)
do {
    let command = try InspectorCommand(Array(CommandLine.arguments.dropFirst()))
    let status = try command.run { line in
        do { try FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8)) } catch { throw OutputEnded() }
    }
    exit(status)
} catch is OutputEnded {
    exit(2)
} catch {
    // This failure cannot be reported anywhere; the exit status still shows it.
    try? FileHandle.standardError.write(contentsOf: Data("persistent: \(error)\n".utf8))
    exit(2)
}
