#if Inspector
    import Foundation
    import Testing

    #if canImport(Glibc)
        import Glibc
    #endif

    struct NoConnection: Error {}

    /// Sends bytes to a port of 127.0.0.1, and returns what is received until the connection ends.
    func exchange(_ bytes: [UInt8], port: UInt16, ends: Bool = true) throws -> String {
        let socket = try connection(sending: bytes, port: port)
        defer { close(socket) }
        if ends { shutdown(socket, Int32(SHUT_WR)) }
        return received(socket)
    }

    func connection(sending bytes: [UInt8], port: UInt16) throws -> Int32 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            throw NoConnection()
        }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        return socket
    }

    func received(_ socket: Int32) -> String {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            // A connection that does not end is a failure, and one that is reset is not.
            if count < 0 { #expect(errno != EAGAIN) }
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return String(decoding: received, as: UTF8.self)
    }

    func get(_ path: String, _ headers: [String], port: UInt16) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n".utf8)
            + headers.flatMap { Array("\($0)\r\n".utf8) } + Array("\r\n".utf8)
    }
#endif
