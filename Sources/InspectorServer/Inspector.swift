// InspectorServer: the pages of a file in a browser on the same machine. It knows pages and HTTP, and must not read
// files itself.

internal import PersistentInspector
public import PersistentObjects

/// Shows the file of a store in a browser on the same machine, for debugging.
///
/// ```swift
/// let inspector = try Inspector.serve(store)
/// print(inspector.address)        // http://127.0.0.1:49321/?token=…
/// ```
///
/// The pages only read. The server ends with `stop()`, or when the object is released.
public final class Inspector: Sendable {
    /// The address to open in a browser. It contains a secret token, which is valid until the server ends.
    public let address: String
    private let daemon: Daemon

    /// Serves the file of a store.
    ///
    /// - Parameters:
    ///   - store: The store, which can be open.
    ///   - port: The port; 0 is any free port.
    /// - Throws: `InspectorError` for a store without a file, or if the port is taken.
    public static func serve(_ store: Store, port: UInt16 = 0) throws -> Inspector {
        guard let path = store.path else {
            throw InspectorError("The store has no file, so the inspector cannot show it.")
        }
        return try serve(path: path, port: port)
    }

    /// Serves a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - port: The port; 0 is any free port.
    /// - Throws: `InspectorError` if the port is taken.
    public static func serve(path: String, port: UInt16 = 0) throws -> Inspector {
        guard let daemon = Daemon(port: port) else {
            throw InspectorError("Port \(port) of 127.0.0.1 is taken. Choose another port.")
        }
        return Inspector(daemon, path)
    }

    private init(_ daemon: Daemon, _ path: String) {
        self.daemon = daemon
        let access = Access(port: daemon.port)
        address = "http://127.0.0.1:\(daemon.port)/?token=\(access.token)"
        let site = Site(access: access, pages: InspectorPages(path: path))
        daemon.start { site.response(to: $0) }
    }

    /// Ends the server.
    public func stop() { daemon.stop() }
}
