// InspectorServer: the pages of a file in a browser on the same machine. It knows pages and HTTP, and must not read
// files itself.

internal import LoopbackHTTP
internal import PersistentInspector
public import PersistentObjects

/// Shows the file of a store in a browser on the same machine, for debugging.
///
/// ```swift
/// let inspector = try Inspector.serve(store)      // prints: Inspector: http://127.0.0.1:49321/?token=…
/// ```
///
/// The pages only read, unless the mode is `editing`. The server ends with `stop()`, or when the object is released.
public final class Inspector: Sendable {
    /// Whether objects can be edited.
    public enum Mode: Sendable {
        /// The pages only read.
        case reading
        /// Forms edit, create and delete objects. The classes of the file are never changed.
        case editing
    }

    /// The address to open in a browser. It contains a secret token, which is valid until the server ends.
    public let address: String
    private let server: LoopbackServer
    private let changes: ChangeFeed

    /// Serves the file of a store, and prints the address.
    ///
    /// - Parameters:
    ///   - store: The store, which can be open.
    ///   - port: The port; 0 is any free port.
    ///   - mode: Whether objects can be edited. Edits go through the program's classes, in a session of the inspector,
    ///     so validations, hooks and delete rules run, and each edit can be undone.
    /// - Throws: `InspectorError` for a store without a file or with an encrypted file, or if the port is taken.
    public static func serve(_ store: Store, port: UInt16 = 0, mode: Mode = .reading) throws -> Inspector {
        guard let path = store.path ?? store.address else {
            throw InspectorError("The store is in memory, so the inspector cannot show it.")
        }
        guard store.encryption.fileKey == nil else { throw InspectorError(InspectorError.encrypted(path)) }
        let inspector = try serve(path, port, mode == .editing ? StoreEditor(store, path: path) : nil)
        // A program that was not meant to serve its store shows it at each start.
        print("Inspector: \(inspector.address)")
        return inspector
    }

    /// Serves a file, or a store on a server.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or the address of the server.
    ///   - port: The port; 0 is any free port.
    ///   - mode: Whether objects can be edited. The program's classes are not known, so only the file's description is
    ///     checked. A file is copied before the first edit, and a store on a server is not.
    /// - Throws: `InspectorError` if the port is taken.
    public static func serve(path: String, port: UInt16 = 0, mode: Mode = .reading) throws -> Inspector {
        try serve(path, port, mode == .editing ? FileEditor(path: path) : nil)
    }

    /// A connection that sends nothing for five seconds ends.
    static let limits = {
        var limits = ServerLimits(bodyMethod: "POST")
        (limits.bodyBytes, limits.idleSeconds, limits.connections) = (1 << 20, 5, 64)
        return limits
    }()

    private static func serve(_ path: String, _ port: UInt16, _ editor: (any InspectorEditor)?) throws -> Inspector {
        guard let server = LoopbackServer(port: port, limits: limits, headers: Response.inspector) else {
            throw InspectorError("Port \(port) of 127.0.0.1 is taken. Choose another port.")
        }
        return Inspector(server, path, editor)
    }

    private init(_ server: LoopbackServer, _ path: String, _ editor: (any InspectorEditor)?) {
        self.server = server
        let access = Access(port: server.port, isWritable: editor != nil)
        address = "http://127.0.0.1:\(server.port)/?token=\(access.token)"
        changes = ChangeFeed(path: path)
        let site = Site(access: access, pages: InspectorPages(path: path, editor: editor), changes: changes)
        changes.start { [weak server] in server?.wake(ChangeFeed.topic) }
        server.start { site.outcome(of: $0) }
    }

    deinit { stop() }

    /// Ends the server.
    public func stop() {
        changes.stop()
        server.stop()
    }
}
