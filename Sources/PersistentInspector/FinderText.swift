internal import PersistentObjects

/// A call of a finder as it is written on the command line: `Person.findByLastNameAndAge("Smith", 39)`.
///
/// A value is a number, a string in double or single quotation marks, `true`, `false`, `nil`, `.case` of an
/// enumeration, a list `[1, 2]`, or a range `1...5`, `1..<5`, `1...`, `...5` or `..<5`.
struct FinderText: Equatable {
    let className: String
    let name: String
    let arguments: [DescribedLiteral]

    init(_ text: String) throws {
        var reader = Reader(text)
        guard let className = reader.name(), reader.take("."), let name = reader.name(), reader.take("(") else {
            throw InspectorError("A finder is written as CLASS.FINDER(VALUES), such as Person.findByAge(39).")
        }
        self.className = className
        self.name = name
        arguments = try reader.values(until: ")")
        guard reader.isAtEnd else { throw reader.error("nothing can follow the closing parenthesis") }
    }

    /// A single value, such as the new value of a property.
    static func value(_ text: String) throws -> DescribedLiteral {
        var reader = Reader(text)
        let value = try reader.value()
        guard reader.isAtEnd else { throw reader.error("a single value is expected") }
        return value
    }
}

extension FinderText {
    /// The literal for the text of a form, in which a string needs no quotation marks.
    static func literal(_ text: String, _ property: PropertyDescription?) -> DescribedLiteral {
        let isText = property?.columnType == "TEXT" || property?.columnType == "BLOB"
        return isText ? .text(text) : (try? value(text)) ?? .text(text)
    }

    /// A literal as it is written.
    static func text(_ literal: DescribedLiteral) -> String {
        switch literal {
        case .null: return "nil"
        case .bool(let value): return "\(value)"
        case .integer(let number): return "\(number)"
        case .number(let text): return text
        case .text(let text):
            let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\"\(escaped)\""
        case .list(let elements): return "[\(elements.map(text).joined(separator: ", "))]"
        case .range(let lower, let upper, let includesUpper):
            return (lower.map(text) ?? "") + (includesUpper ? "..." : "..<")
                + (upper.map(text) ?? "")
        }
    }
}

/// Reads a call from its start to its end.
private struct Reader {
    private let characters: [Character]
    private var place = 0
    private var depth = 0

    init(_ text: String) { characters = Array(text) }

    var isAtEnd: Bool {
        mutating get {
            skipSpaces()
            return place == characters.count
        }
    }

    private var next: Character? { place < characters.count ? characters[place] : nil }

    private mutating func skipSpaces() { while next?.isWhitespace == true { place += 1 } }

    mutating func take(_ text: String) -> Bool {
        skipSpaces()
        let wanted = Array(text)
        guard characters[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    func error(_ reason: String) -> InspectorError {
        let rest = String(characters[min(place, characters.count)...].prefix(20))
        return InspectorError("The values cannot be read at \(rest.isEmpty ? "the end" : "\"\(rest)\""): \(reason).")
    }

    mutating func name() -> String? {
        skipSpaces()
        let start = place
        while let character = next, character.isLetter || character.isNumber || character == "_" { place += 1 }
        return place > start ? String(characters[start..<place]) : nil
    }

    mutating func values(until end: String) throws -> [DescribedLiteral] {
        depth += 1
        defer { depth -= 1 }
        guard depth < 20 else { throw error("lists are nested too deeply") }
        var values: [DescribedLiteral] = []
        if take(end) { return values }
        repeat { values.append(try value()) } while take(",")
        guard take(end) else { throw error("\(end) or a comma is expected") }
        return values
    }

    mutating func value() throws -> DescribedLiteral {
        if take("...") { return .range(lower: nil, upper: try single(), includesUpper: true) }
        if take("..<") { return .range(lower: nil, upper: try single(), includesUpper: false) }
        let first = try single()
        if take("..<") { return .range(lower: first, upper: try single(), includesUpper: false) }
        guard take("...") else { return first }
        skipSpaces()
        let isOpen = next == nil || next == "," || next == ")" || next == "]"
        return .range(lower: first, upper: isOpen ? nil : try single(), includesUpper: true)
    }

    private mutating func single() throws -> DescribedLiteral {
        skipSpaces()
        guard let first = next else { throw error("a value is missing") }
        switch first {
        case "[":
            place += 1
            return .list(try values(until: "]"))
        case "\"", "'": return .text(try string(first))
        case ".":
            place += 1
            guard let name = name() else { throw error("a case of an enumeration is expected") }
            return .text(name)
        case "-", "0"..."9": return try number()
        default:
            switch name() {
            case "nil": return .null
            case "true": return .bool(true)
            case "false": return .bool(false)
            default:
                throw error("a value is a number, a string in quotation marks, true, false, nil, a list or a range")
            }
        }
    }

    private mutating func string(_ quote: Character) throws -> String {
        place += 1
        var text = ""
        while let character = next {
            place += 1
            if character == quote { return text }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = next else { break }
            place += 1
            switch escaped {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "\\", "\"", "'": text.append(escaped)
            default: throw error("\\\(escaped) is not an escape sequence")
            }
        }
        throw error("the string has no end")
    }

    private mutating func number() throws -> DescribedLiteral {
        let start = place
        if next == "-" { place += 1 }
        while let character = next {
            if character.isASCII, character.isNumber || character == "e" || character == "E" || character == "_" {
                place += 1
            } else if character == ".", place + 1 < characters.count, characters[place + 1].isNumber {
                place += 1
            } else if character == "-" || character == "+", characters[place - 1] == "e" || characters[place - 1] == "E"
            {
                place += 1
            } else {
                break
            }
        }
        let text = String(characters[start..<place].filter { $0 != "_" })
        if let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text) else { throw error("\(text) is not a number") }
        guard number.isFinite else { throw error("\(text) is larger than any number that can be stored") }
        return .number(text)
    }
}
