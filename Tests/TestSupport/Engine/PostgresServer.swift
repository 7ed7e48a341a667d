internal import Foundation
@_spi(Locks) internal import StoreEngine

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The server with the stores of `PO_TEST_ENGINE=postgres`.
enum PostgresServer {
    /// Its address: the value of PO_TEST_POSTGRES, or a server that the first access starts for this process.
    static let address: String = {
        if let address = ProcessInfo.processInfo.environment["PO_TEST_POSTGRES"] { return address }
        // Without a server every test would fail with a long message.
        do { return try start() } catch { fatalError("the PostgreSQL server of the tests did not start: \(error)") }
    }()

    /// The address of a second, otherwise idle server of this process.
    static let quietAddress: String = {
        // Without it the tests that use it cannot run.
        do { return try start() } catch { fatalError("a second PostgreSQL server did not start: \(error)") }
    }()

    /// The folder of the server's programs, ending with a slash.
    static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let installed = ((try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? [])
            .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(versions)/\($0)/bin/" }
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/" }
        return (installed + path).first { FileManager.default.isExecutableFile(atPath: $0 + "initdb") }
    }()

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The inputs of the watching scripts. The system closes them however this process ends.
    private static let lifelines = Locked<[Pipe]>([])

    /// The script that creates a server, and deletes it when its input ends with this process.
    ///
    /// Autovacuum is off, because it commits at arbitrary times, and sessions read objects again after other commits.
    private static let script = """
        cd "$2" && (
            eval "$3" &&
            "$1pg_ctl" --pgdata=data --log=server.log --wait --timeout=600 start --options="-c fsync=off \
            -c full_page_writes=off -c autovacuum=off -c max_connections=300 -c unix_socket_directories='$2' $4"
        ) >start.log 2>&1 && echo started || cat start.log
        cat >/dev/null
        "$1pg_ctl" --pgdata=data --mode=immediate --wait stop >/dev/null 2>&1
        cd / && rm -rf "$2"
        """

    /// Creates an empty data folder.
    private static let initdb = """
        "$1initdb" --pgdata=data --username=po --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync
        """

    /// A server with a certificate for the name `db.example.test`, at `port` of 127.0.0.1.
    static let secure: (port: UInt16, authority: String) = {
        // Without it the tests of certificates cannot run, so a failure ends them with its reason.
        do {
            let port = try freePort()
            // A key, and a certificate of a new authority.
            let make = """
                openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.crt -subj /CN=po &&
                openssl req -newkey rsa:2048 -nodes -keyout data/server.key -out server.csr -subj /CN=db.example.test &&
                openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out data/server.crt &&
                chmod 600 data/server.key
                """
            let address = try start(
                making: "\(initdb) && \(make)", "-c listen_addresses=127.0.0.1 -c port=\(port) -c ssl=on")
            return (port, "\(folder(of: address))/ca.crt")
        } catch { fatalError("a PostgreSQL server with a certificate did not start: \(error)") }
    }()

    /// A free port of this machine.
    private static func freePort() throws -> UInt16 {
        let listener = socket(AF_INET, PostgresProxy.stream, 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 ? getsockname(listener, $0, &size) : -1
            }
        }
        guard result == 0 else { throw Failure(description: String(cString: strerror(errno))) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The folder of a server's socket and data.
    static func folder(of address: String) -> Substring { address.split(separator: " ")[0].dropFirst(5) }

    /// Starts a server. `script` creates its data folder.
    static func start(
        making script: String = initdb, _ options: String = "-c listen_addresses=''"
    ) throws -> String {
        guard let programs else { throw Failure(description: "install it with: apt-get install postgresql") }
        let folder = try makeFolder()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            try user(owning: folder) + ["sh", "-c", PostgresServer.script, "sh", programs, folder, script, options]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        lifelines.withLock { $0.append(input) }
        var answer = ""
        while !answer.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            answer += String(decoding: data, as: UTF8.self)
        }
        guard answer == "started\n" else { throw Failure(description: answer) }
        return "host=\(folder) user=po dbname=postgres"
    }

    /// Creates a folder for a socket.
    ///
    /// It is in `/tmp`, because a socket's path has at most 107 bytes, and the temporary folder's path can be longer.
    static func makeFolder() throws -> String {
        var template = Array("/tmp/po-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: String(cString: strerror(errno))) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Runs `pg_ctl` for a server that `start` has started.
    ///
    /// - Parameter waits: False for a start, whose end Foundation does not notice, because the server inherits the
    ///   descriptor that reports it.
    static func control(_ address: String, _ arguments: [String], waits: Bool = true) throws {
        let folder = String(folder(of: address))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            try user(owning: folder)
            + ["\(programs ?? "")pg_ctl", "--pgdata=\(folder)/data", "--wait", "--timeout=600"] + arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        guard waits else { return }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "pg_ctl \(arguments.joined(separator: " ")) has failed")
        }
    }

    /// The start of the command line for a program that must not run as root. Its user becomes the owner of the folder.
    private static func user(owning folder: String) throws -> [String] {
        guard geteuid() == 0 else { return [] }
        guard let user = getpwnam("postgres") ?? getpwnam("nobody") else {
            throw Failure(description: "PostgreSQL does not run as root, and there is no user postgres or nobody")
        }
        let (id, group) = (user.pointee.pw_uid, user.pointee.pw_gid)
        guard chown(folder, id, group) == 0 else { throw Failure(description: String(cString: strerror(errno))) }
        return ["setpriv", "--reuid=\(id)", "--regid=\(group)", "--clear-groups"]
    }
}
