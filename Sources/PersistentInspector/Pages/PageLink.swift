/// The addresses of pages.
package enum PageLink {
    /// The path with these parts, and a query.
    package static func path(_ parts: String..., query: KeyValuePairs<String, String> = [:]) -> String {
        address(parts, query.map { ($0.key, $0.value) })
    }

    package static func address(_ parts: [String], _ query: [(String, String)]) -> String {
        "/" + parts.map(encoded).joined(separator: "/")
            + (query.isEmpty ? "" : "?" + query.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&"))
    }

    static func encoded(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        return text.utf8.map { byte in
            if isPlain(byte) { return String(Unicode.Scalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Whether a byte needs no escape: a letter or digit of ASCII, or one of `-_.~`.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func object(_ className: String, _ id: Int64) -> String { path("object", className, "\(id)") }
}
