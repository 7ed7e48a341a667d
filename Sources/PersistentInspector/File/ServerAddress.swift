internal import PersistentObjects

/// The address of a store on a server, in place of the path of a file.
enum ServerAddress {
    static func isAddress(_ path: String) -> Bool { path.hasPrefix("postgres://") || path.hasPrefix("postgresql://") }

    /// The address without its password and its settings, which can contain a password.
    static func shown(_ path: String) -> String {
        guard isAddress(path), let start = path.firstRange(of: "://")?.upperBound else { return path }
        let rest = path[start...].prefix { $0 != "?" && $0 != "#" }
        guard let at = rest.lastIndex(of: "@") else { return String(path[..<start] + rest) }
        let user = rest[..<at].prefix { $0 != ":" }
        return String(path[..<start] + user + rest[at...])
    }

    /// Throws for a path that is an address.
    static func refuse(_ path: String, _ reason: String) throws {
        guard isAddress(path) else { return }
        throw InspectorError("\(shown(path)) is a store on a server. \(reason)")
    }
}
