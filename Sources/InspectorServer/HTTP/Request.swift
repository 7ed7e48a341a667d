// HTTP: requests and responses, the check of requests, and the connection to libmicrohttpd. It must not know pages.

/// A request, as far as the inspector reads it.
struct Request: Sendable {
    var method = "GET"
    /// The decoded path, without the query.
    var path = "/"
    /// The arguments `q`, `after` and `token`.
    var query: [String: String] = [:]
    var host: String?
    var origin: String?
    /// The value of the cookie `inspector`.
    var cookie: String?
}

/// A response.
struct Response: Sendable, Equatable {
    var status: Int
    var type = "text/plain; charset=utf-8"
    var body: String
    /// Headers in addition to those of every response.
    var headers: [String: String] = [:]

    /// The headers of every response: nothing but the inspector's own style sheet is loaded or run.
    static let common: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    static func refused(_ status: Int, _ reason: String) -> Response { Response(status: status, body: reason + "\n") }
}
