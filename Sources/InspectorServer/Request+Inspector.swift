internal import LoopbackHTTP

// What the inspector reads of a request.
extension Request {
    var host: String? { headers["host"] }
    var origin: String? { headers["origin"] }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let cookies = (headers["cookie"] ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return cookies.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The fields of a form that was sent.
    var form: [String: String] {
        let isForm = headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded") ?? false
        return isForm && method == "POST" ? FormFields.fields(body) : [:]
    }
}

extension Response {
    /// The headers of the inspector's responses: nothing but its own style sheet, script and pictures is loaded or run.
    static let inspector = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        // Without a referrer, a browser sends no origin with a form.
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    static func redirection(to path: String) -> Response { Response(status: 303, headers: ["Location": path]) }
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
