internal import CPostgres
internal import Foundation
internal import StoreEngine

/// A server's address, completed by the environment.
struct PostgresAddress {
    private var settings: [String: String] = [:]

    /// - Throws: `StoreError` if it is not an address.
    init(_ text: String) throws(StoreError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &message) else {
            let reason = message.map { PostgresFailure.line(String(cString: $0)) } ?? "out of memory"
            PQfreemem(message)
            throw StoreError(.cannotOpen, "The address of the server cannot be parsed: \(reason)")
        }
        defer { PQconninfoFree(options) }
        let environment = ProcessInfo.processInfo.environment
        var option = options
        while let name = option.pointee.keyword {
            if let value = option.pointee.val {
                settings[String(cString: name)] = String(cString: value)
            } else if let variable = option.pointee.envvar, let value = environment[String(cString: variable)] {
                settings[String(cString: name)] = value
            }
            option += 1
        }
    }

    /// The library's settings for what the address does not specify.
    var defaults: [(name: String, value: String)] {
        guard settings["sslmode"] == nil, !isOfThisMachine else { return [] }
        var defaults = [(name: "sslmode", value: "verify-full")]
        if settings["sslrootcert"] == nil, let bundle = PostgresAddress.authorities {
            defaults.append((name: "sslrootcert", value: bundle))
        }
        return defaults
    }

    /// Limits for the wait for a server that does not answer, unless the address has limits: two seconds for the
    /// connection, and five seconds for each message.
    var shortWaits: [(name: String, value: String)] {
        [(name: "connect_timeout", value: "2"), (name: "tcp_user_timeout", value: "5000")]
            .filter { settings[$0.name] == nil }
    }

    /// Whether the connection to all named servers stays on this machine.
    var isOfThisMachine: Bool {
        // A service file can name any host, and libpq does not tell which.
        guard settings["service"] == nil else { return false }
        // If there are numeric addresses, libpq connects to these, and uses the names only for certificates.
        let hosts = [settings["host"], settings["hostaddr"]].compactMap(\.self).flatMap { $0.split(separator: ",") }
        return hosts.allSatisfy { host in
            host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1"
                || host.wholeMatch(of: /127(\.[0-9]+){3}/) != nil
        }
    }

    /// The certificate authorities that the system trusts; nil if the user has a list that libpq finds, or if the
    /// system has none.
    private static var authorities: String? {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        guard !FileManager.default.fileExists(atPath: "\(home)/.postgresql/root.crt") else { return nil }
        return ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]
            .first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
