// Pages: the HTML of the contents of pages. It must not know HTTP.

/// HTML as text, in which a string cannot become markup: strings enter escaped, and markup only as literals.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var text: String

    // The compiler creates a `StaticString` only from a literal.
    init(stringLiteral literal: StaticString) { text = literal.description }
    init(stringInterpolation pieces: StringInterpolation) { text = pieces.text }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: StaticString) { text += literal.description }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ string: String) { text += HTML.escaped(string) }

        mutating func appendInterpolation(_ list: [HTML]) {
            for html in list { text += html.text }
        }
    }

    static func += (html: inout HTML, other: HTML) { html.text += other.text }

    private static func escaped(_ string: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
