// HTTP: requests and responses, the check of requests, and the connection to libmicrohttpd. It must not know pages.

/// A request, as far as the inspector reads it.
struct Request: Sendable {
    var method = "GET"
    /// The decoded path, without the query.
    var path = "/"
    /// The arguments of the address.
    var query: [String: String] = [:]
    /// The fields of a form that was sent.
    var form: [String: String] = [:]
    var host: String?
    var origin: String?
    /// The value of the cookie `inspector`.
    var cookie: String?
    /// Whether the request has waited for a change, and must be answered now.
    var hasWaited = false
}

/// A response.
struct Response: Sendable, Equatable {
    var status: Int
    var type: String
    var body: [UInt8]
    /// Headers in addition to those of every response.
    var headers: [String: String]

    init(
        status: Int, type: String = "text/plain; charset=utf-8", body: [UInt8], headers: [String: String] = [:]
    ) {
        self.status = status
        self.type = type
        self.body = body
        self.headers = headers
    }

    init(status: Int, type: String = "text/plain; charset=utf-8", body: String, headers: [String: String] = [:]) {
        self.init(status: status, type: type, body: Array(body.utf8), headers: headers)
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The headers of every response: nothing but the inspector's own style sheet, script and pictures is loaded or
    /// run.
    static let common: [(String, String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        // Without a referrer, a browser sends no origin with a form.
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        // A connection belongs to a thread, which may answer a slow request when the next request comes.
        ("Connection", "close"),
    ]

    static func refused(_ status: Int, _ reason: String) -> Response { Response(status: status, body: reason + "\n") }

    static func redirection(to path: String) -> Response {
        Response(status: 303, body: "", headers: ["Location": path])
    }
}

/// The fields of a form, as a browser sends them.
enum FormFields {
    static func fields(_ body: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for part in body.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]) else { continue }
            fields[name] = sides.count > 1 ? decoded(sides[1]) : ""
        }
        return fields
    }

    /// Nil if the bytes are not UTF-8.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 3
                continue
            }
            result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
        return String(validating: result, as: UTF8.self)
    }
}
