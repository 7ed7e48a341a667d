/// The names of types in messages, as a program spells them.
package enum TypeSpelling {
    /// The name of a type: `Int?` and `[String: Int]`, which Swift's descriptions call `Optional<Int>` and
    /// `Dictionary<String, Int>`.
    package static func of(_ type: Any.Type) -> String {
        var rest = Array("\(type)".unicodeScalars)[...]
        let name = name(&rest)
        // A description in another form is unchanged.
        return rest.isEmpty ? name : "\(type)"
    }

    /// The name of a value's type; `nil` for nil.
    package static func ofValue(_ value: Any?) -> String {
        guard let value else { return "nil" }
        return of(type(of: value))
    }

    /// Reads a name up to an unmatched comma or bracket.
    private static func name(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        var text = ""
        var word = ""
        var depth = 0
        while let next = rest.first {
            if next == ">", word.hasSuffix("-") {
                // The arrow of a function is not a bracket.
            } else if next == "<" {
                rest.removeFirst()
                word = spelled(word, arguments(&rest))
                continue
            } else if next == ">" || depth == 0 && (next == "," || next == ")") {
                break
            } else if next == "(" || next == ")" {
                depth += next == "(" ? 1 : -1
            }
            rest.removeFirst()
            if next == " " || next == "(" || next == ")" || next == "," {
                text += word + String(next)
                word = ""
            } else {
                word.unicodeScalars.append(next)
            }
        }
        return text + word
    }

    /// The arguments of a generic type, after `<` and with `>`.
    private static func arguments(_ rest: inout ArraySlice<Unicode.Scalar>) -> [String] {
        var arguments: [String] = []
        while !rest.isEmpty {
            arguments.append(name(&rest))
            guard rest.popFirst() == "," else { break }
            if rest.first == " " { rest.removeFirst() }
        }
        return arguments
    }

    private static func spelled(_ name: String, _ arguments: [String]) -> String {
        switch (name, arguments.count) {
        case ("Optional", 1): arguments[0].contains(" ") ? optional(arguments[0]) : "\(arguments[0])?"
        case ("Array", 1): "[\(arguments[0])]"
        case ("Dictionary", 2): "[\(arguments[0]): \(arguments[1])]"
        default: "\(name)<\(arguments.joined(separator: ", "))>"
        }
    }

    /// A question mark after a function or a composition would apply only to its last type.
    private static func optional(_ name: String) -> String {
        name.contains("->") || name.contains("&") ? "(\(name))?" : "\(name)?"
    }
}
