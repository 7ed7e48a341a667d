internal import Foundation
@_spi(Locks) internal import StoreEngine
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A proxy between stores and an otherwise idle server, which counts round trips, delays them and cuts connections.
public final class PostgresProxy: Sendable {
    /// The point at which a connection is cut.
    public enum Cut: Sendable, Equatable {
        /// Before the server receives a message that contains these words.
        case before(String)
        /// After the server has received the message, and before its result arrives.
        case after(String)
        /// As `before`, and for all later connections until another cut is set.
        case forGood(String)
    }

    private struct State {
        var tripCount = 0
        var delay: Duration = .zero
        var cut: Cut?
        var cutCount = 0
        /// Words whose messages are held until this number of connections has sent one.
        var hold: (words: String, count: Int)?
        var heldCount = 0
        /// Words that are replaced in messages, with their replacements.
        var replacements: [(words: [UInt8], other: [UInt8])] = []
    }

    private let state = Locked(State())
    private let release = NSCondition()
    private let folder: TemporaryFolder
    private let listener: Int32
    private let server: String
    private static let schemaCount = Locked(0)

    /// Starts to listen, in a separate folder.
    public init() throws {
        folder = try TemporaryFolder()
        server = try PostgresProxy.socketFolder(of: PostgresServer.quietAddress)
        listener = socket(AF_UNIX, PostgresProxy.stream, 0)
        let path = "\(folder.path)/.s.PGSQL.5432"
        guard PostgresProxy.with(path, { bind(listener, $0, $1) }) == 0, listen(listener, 128) == 0 else {
            throw SocketFailure(description: String(cString: strerror(errno)))
        }
        let accepting = listener
        Thread.detachNewThread { [weak self] in
            while case let client = accept(accepting, nil, nil), client >= 0 { self?.serve(client) }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Creates a new schema, whose address is through the proxy.
    public func makeSchema() throws -> Schema {
        let number = PostgresProxy.schemaCount.withLock { count in
            count += 1
            return count
        }
        let schema = Schema(
            name: "p\(number)",
            address: "postgres://po@/postgres?host=\(folder.path)&options=-csearch_path%3Dp\(number)")
        _ = try schema.psql("CREATE SCHEMA p\(number)")
        return schema
    }

    /// A schema for a store.
    public struct Schema: Sendable {
        let name: String
        /// The address of the schema through the proxy.
        public let address: String

        /// The address of the schema without the proxy, for other processes.
        public var directAddress: String {
            get throws {
                let folder = try PostgresProxy.socketFolder(of: PostgresServer.quietAddress)
                return "postgres://po@/postgres?host=\(folder)&options=-csearch_path%3D\(name)"
            }
        }

        /// Runs SQL in the schema without the proxy, and returns the output in the format of the `sqlite3` tool.
        public func psql(_ sql: String) throws -> String {
            try PostgresTool.answer(
                to: "SET search_path = \"\(name)\";\n\(sql)", at: PostgresServer.quietAddress)
        }
    }

    /// The number of round trips that `body` makes.
    ///
    /// A ROLLBACK alone does not count, because its result is not awaited.
    public func trips(_ body: () throws -> Void) rethrows -> Int {
        let before = state.withLock(\.tripCount)
        try body()
        return state.withLock(\.tripCount) - before
    }

    /// Delays each round trip.
    public func setDelay(_ delay: Duration) { state.withLock { $0.delay = delay } }
    /// Cuts the next connection that reaches this point.
    public func setCut(_ cut: Cut?) { state.withLock { $0.cut = cut } }
    /// Holds messages that contain these words until a number of connections has sent one. Then all are forwarded, and
    /// no message is held any more.
    public func hold(_ words: String, until count: Int) { state.withLock { $0.hold = (words, count) } }
    /// Replaces words in all later messages by others of the same length, as if the server understood them in another way.
    public func replace(_ words: String, by other: String) {
        precondition(words.utf8.count == other.utf8.count)
        state.withLock { $0.replacements.append((Array(words.utf8), Array(other.utf8))) }
    }
    /// The number of cuts so far.
    public var cutCount: Int { state.withLock(\.cutCount) }

    private func serve(_ client: Int32) {
        let upstream = socket(AF_UNIX, PostgresProxy.stream, 0)
        guard PostgresProxy.with("\(server)/.s.PGSQL.5432", { connect(upstream, $0, $1) }) == 0 else {
            close(client)
            close(upstream)
            return
        }
        let way = Way()
        let ends = DispatchGroup()
        for isOut in [true, false] {
            ends.enter()
            Thread.detachNewThread { [self] in
                if isOut { forward(client, upstream, way) } else { answer(upstream, client, way) }
                for end in [client, upstream] { shutdown(end, Int32(SHUT_RDWR)) }
                ends.leave()
            }
        }
        Thread.detachNewThread {
            ends.wait()
            close(client)
            close(upstream)
        }
    }

    private final class Way: Sendable {
        /// Whether the last bytes were sent to the server.
        let isOut = Atomic(false)
        /// Whether results are discarded.
        let isMute = Atomic(false)
    }

    private func forward(_ client: Int32, _ upstream: Int32, _ way: Way) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Whether the last bytes completed a request.
        var isWhole = true
        while case let count = recv(client, &buffer, buffer.count, 0), count > 0 {
            var begins = false
            // A ROLLBACK alone is not a round trip.
            if count >= 64 || !PostgresProxy.has("ROLLBACK", buffer[..<count]) {
                let wasOut = way.isOut.exchange(true, ordering: .sequentiallyConsistent)
                // The server may send the first result before the client has sent the last command.
                begins = !wasOut && isWhole
                isWhole = buffer[..<count].suffix(5).elementsEqual(PostgresProxy.sync)
            }
            let (delay, cut) = state.withLock { state in
                if begins { state.tripCount += 1 }
                return (state.delay, state.cut)
            }
            waitForOthers(buffer[..<count])
            // The delay of the round trip.
            if begins, delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
            switch cut {
            case .before(let words) where PostgresProxy.has(words, buffer[..<count]):
                return didCut()
            case .forGood(let words) where PostgresProxy.has(words, buffer[..<count]):
                state.withLock { $0.cut = .forGood("") }
                return
            case .after(let words) where PostgresProxy.has(words, buffer[..<count]):
                way.isMute.store(true, ordering: .sequentiallyConsistent)
                didCut()
            default: break
            }
            replaceWords(in: &buffer, count)
            guard PostgresProxy.write(buffer[..<count], to: upstream) else { return }
        }
    }

    private func answer(_ upstream: Int32, _ client: Int32, _ way: Way) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var end: [UInt8] = []
        while case let count = recv(upstream, &buffer, buffer.count, 0), count > 0 {
            way.isOut.store(false, ordering: .sequentiallyConsistent)
            if way.isMute.load(ordering: .sequentiallyConsistent) {
                // The results are read to the end, because a server that notices a lost client stops its work.
                end = (end + buffer[..<count]).suffix(6)
                if end.starts(with: PostgresProxy.ready) { return }
            } else if !PostgresProxy.write(buffer[..<count], to: client) {
                return
            }
        }
    }

    private func replaceWords(in buffer: inout [UInt8], _ count: Int) {
        for (words, other) in state.withLock(\.replacements) where count >= words.count {
            for start in 0...count - words.count where buffer[start..<start + words.count].elementsEqual(words) {
                buffer.replaceSubrange(start..<start + words.count, with: other)
            }
        }
    }

    /// Waits until enough connections have sent a message that is held.
    private func waitForOthers(_ bytes: ArraySlice<UInt8>) {
        guard let hold = state.withLock(\.hold), PostgresProxy.has(hold.words, bytes) else { return }
        let isLast = state.withLock { state in
            state.heldCount += 1
            if state.heldCount == hold.count { state.hold = nil }
            return state.hold == nil
        }
        release.withLock {
            if isLast { release.broadcast() }
            while state.withLock({ $0.hold != nil }) { release.wait() }
        }
    }

    private func didCut() {
        state.withLock { state in
            state.cut = nil
            state.cutCount += 1
        }
    }

    // MARK: Sockets

    /// The message after which a client waits.
    private static let sync: [UInt8] = [UInt8(ascii: "S"), 0, 0, 0, 4]
    /// The start of the message with which the server reports that it has finished.
    private static let ready: [UInt8] = [UInt8(ascii: "Z"), 0, 0, 0, 5]

    private struct SocketFailure: Error, CustomStringConvertible {
        let description: String
    }

    static let stream: Int32 = {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            Int32(SOCK_STREAM)
        #endif
    }()

    private static func socketFolder(of address: String) throws -> String {
        guard let host = address.split(separator: " ").first(where: { $0.hasPrefix("host=/") }) else {
            throw SocketFailure(description: "PO_TEST_POSTGRES names no socket: host=/folder")
        }
        return String(host.dropFirst(5))
    }

    private static func with<R>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to end: Int32) -> Bool {
        var left = bytes
        while !left.isEmpty {
            let count = left.withUnsafeBytes { send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    private static func has(_ words: String, _ bytes: ArraySlice<UInt8>) -> Bool {
        let wanted = Array(words.utf8)
        return wanted.isEmpty || bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }
}

/// A folder with a short path, as sockets need, which is deleted with the object.
private final class TemporaryFolder: Sendable {
    let path: String

    init() throws { path = try PostgresServer.makeFolder() }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
