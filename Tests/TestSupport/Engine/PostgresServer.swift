internal import Foundation
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The server that has the stores of `PO_TEST_ENGINE=postgres`.
enum PostgresServer {
    /// Where it is: what PO_TEST_POSTGRES says, or a server of this process's own, which the first call starts.
    static let address: String = {
        if let address = ProcessInfo.processInfo.environment["PO_TEST_POSTGRES"] { return address }
        // Without a server no test can say anything, and each would say so at length.
        do { return try start() } catch { fatalError("the PostgreSQL server of the tests did not start: \(error)") }
    }()

    /// One that has nothing else to do: a second server of this process's own.
    static let quietAddress: String = {
        // As above.
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

    /// The watchers' ends of life: this process holds them open, and whichever way it ends, the system closes them.
    private static let lifelines = Mutex<[Pipe]>([])

    /// What makes the server and, at the end of this process, removes it; its input ends when this process does.
    private static let script = """
        cd "$2" && (
            "$1initdb" --pgdata=data --username=po --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync &&
            "$1pg_ctl" --pgdata=data --log=server.log --wait start --options="-c fsync=off -c full_page_writes=off \
            -c max_connections=300 -c listen_addresses='' -c unix_socket_directories='$2'"
        ) >start.log 2>&1 && echo started || cat start.log
        cat >/dev/null
        "$1pg_ctl" --pgdata=data --mode=immediate --wait stop >/dev/null 2>&1
        cd / && rm -rf "$2"
        """

    private static func start() throws -> String {
        guard let programs else { throw Failure(description: "install it with: apt-get install postgresql") }
        // The path of a socket is short, so the folder is where paths are.
        var template = Array("/tmp/po-postgres-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: String(cString: strerror(errno))) }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = try user(owning: folder) + ["sh", "-c", script, "sh", programs, folder]
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

    /// What begins the command line of a program that must not be root's, who gets the folder too.
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
