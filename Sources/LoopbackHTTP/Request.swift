// LoopbackHTTP: requests and responses of a server on this machine, their limits, and libmicrohttpd, which it alone
// calls. It must not know what the paths mean.

/// A request.
package struct Request: Sendable {
    package var method = "GET"
    /// The decoded path, without the query.
    package var path = "/"
    /// The arguments of the address; the first of each name.
    package var query: [String: String] = [:]
    /// The headers, by their names in lowercase; the first of each name.
    package var headers: [String: String] = [:]
    package var body: [UInt8] = []
    /// Whether it has waited as long as a request may, and must be answered now.
    package var isLate = false
    /// Whether it has waited and was woken.
    package var hasWaited = false

    package init(method: String = "GET", path: String = "/", query: [String: String] = [:]) {
        (self.method, self.path, self.query) = (method, path, query)
    }
}

/// A response to a request.
package struct Response: Sendable, Equatable {
    package var status: Int
    package var type: String
    package var body: [UInt8]
    /// Headers in addition to those of every response.
    package var headers: [String: String]

    package init(
        status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8] = [], headers: [String: String] = [:]
    ) {
        (self.status, self.type, self.body, self.headers) = (status, type, body, headers)
    }

    /// A response with text.
    package init(
        status: Int, type: String = "text/plain; charset=utf-8", text: String, headers: [String: String] = [:]
    ) {
        self.init(status: status, type: type, body: Array(text.utf8), headers: headers)
    }

    /// The refusal of a request, with its reason as a line of text.
    package static func refused(_ status: Int, _ reason: String) -> Response {
        Response(status: status, text: "\(reason)\n")
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The headers of every response. A connection belongs to a thread, which may answer a slow request when the next
    /// request arrives, so each request has its own connection.
    package static let common = [
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
    ]
}

/// What a handler does with a request.
package enum Outcome: Sendable {
    case answered(Response)
    /// The request waits for news of a topic, at most some seconds. The handler is called again then.
    case waits(topic: String, seconds: Int)
}
