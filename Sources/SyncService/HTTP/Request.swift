// HTTP: requests and answers, their limits, and the connection to libmicrohttpd. It must not know entries and accounts.

/// A request, as far as the service reads it.
struct Request: Sendable {
    var method = "GET"
    /// The decoded path, without the query.
    var path = "/"
    /// The arguments of the address.
    var query: [String: String] = [:]
    /// The token of the header `Authorization`.
    var token: String?
    /// The headers with the signature of the device, in the order of their names.
    var signature: [String?] = []
    /// The header `Range`.
    var range: String?
    var body: [UInt8] = []
    /// Whether it has waited as long as a request may, and must be answered now.
    var isLate = false
}

/// An answer to a request.
struct Response: Sendable, Equatable {
    var status: Int
    var type = "text/plain; charset=utf-8"
    var body: [UInt8] = []
    /// Headers in addition to those of every answer.
    var headers: [String: String] = [:]

    /// The headers of every answer. A connection belongs to a thread, which may answer a slow request when the next request
    /// arrives, so each request has its own connection.
    static let common = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close")]

    static func text(_ status: Int, _ reason: String) -> Response {
        Response(status: status, body: Array("\(reason)\n".utf8))
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// What a handler does with a request.
enum Outcome: Sendable {
    case answered(Response)
    /// The request waits for news of a topic, at most some seconds. The handler is called again then.
    case waits(topic: String, seconds: Int)
}
