internal import Foundation

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
        // ASCII only: the set of Foundation contains all letters.
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    static func object(_ className: String, _ id: Int64) -> String { path("object", className, "\(id)") }
}
