import Foundation
import PersistentInspector

#if Inspector
    import InspectorServer

    /// Serves a file until the program is interrupted: `persistent FILE serve [--port N] [--write]`. Returns if this is another
    /// command.
    func serve(_ arguments: [String]) throws {
        guard arguments.count >= 2, arguments[1] == "serve" else { return }
        var port: UInt16? = 0
        var mode = Inspector.Mode.reading
        var rest = arguments[2...]
        while let option = rest.popFirst() {
            switch option {
            case "--write": mode = .editing
            case "--port": port = rest.popFirst().flatMap { UInt16($0) }
            default: throw UsageError()
            }
        }
        guard let port else { throw UsageError() }
        // A file that cannot be read is reported now.
        try InspectorCommand([arguments[0], "summary"]).run { _ in }
        let inspector = try Inspector.serve(path: arguments[0], port: port, mode: mode)
        print("\(inspector.address)\nPress Control-C to stop")
        fflush(nil)
        // The server has its own thread, and a signal ends the program.
        while true { Thread.sleep(forTimeInterval: 3600) }
    }

    struct UsageError: Error, CustomStringConvertible {
        let description = "Usage: persistent FILE serve [--port N] [--write]."
    }
#endif

/// The reader of the output has ended, such as `head`.
struct OutputEnded: Error {}

// Such a reader must not kill the program before it has closed the file.
signal(SIGPIPE, SIG_IGN)
do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    #if Inspector
        try serve(arguments)
    #endif
    let status = try InspectorCommand(arguments).run { line in
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
