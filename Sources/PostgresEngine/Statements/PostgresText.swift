// Statements: SQL in the server's form, prepared once and run with arguments. It knows the wire, and must not know
// tables.

internal import StoreEngine

/// A statement in PostgreSQL's form: numbered placeholders, and the facts that its words reveal.
///
/// The text is tokenized by PostgreSQL's own rules (https://www.postgresql.org/docs/15/sql-syntax-lexical.html):
/// strings, names and comments are unchanged, and `??` is the operator `?`.
struct PostgresText {
    /// The original text.
    let source: String
    /// The text with `$1` in place of `?`.
    private(set) var sql = ""
    /// The number of arguments.
    private(set) var argumentCount = 0
    /// The number of arguments that are sent. The other arguments are used only by functions of the library.
    private(set) var sentCount = 0
    /// The functions that replace arguments, by the indices of the arguments.
    private(set) var calls: [Int: PostgresCall] = [:]
    /// The positions of placeholders in `sql`, in bytes, with their numbers.
    private(set) var placeholders: [(range: Range<Int>, number: Int)] = []
    /// Whether it contains a semicolon, for example at its end.
    private(set) var hasSemicolon = false
    /// The arguments that are lists, and whether their elements are tagged.
    private(set) var lists: [Int: ListEncoding] = [:]
    /// Its unquoted words in lowercase, in order, which are sufficient to classify it.
    private(set) var words: [String] = []

    /// Its quoted names, without the quotes.
    private(set) var names: [String] = []

    /// Whether it uses the history, whose columns hold values of any type.
    var usesHistory: Bool { (names + words).contains { $0.hasPrefix("po_history_") } }

    /// The number of parameters of a statement, which the protocol counts in 16 bits.
    private static let argumentLimit = 65_535

    /// - Parameter functions: The names of the functions of the library that replace arguments.
    init(_ text: String, functions: Set<String> = []) {
        source = text
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 16)
        var place = 0
        func at(_ offset: Int) -> UInt8? { place + offset < bytes.count ? bytes[place + offset] : nil }
        func copy(to end: Int) {
            out.append(contentsOf: bytes[place..<min(end, bytes.count)])
            place = min(end, bytes.count)
        }
        var last: (number: Int, end: Int)?
        while let byte = at(0) {
            switch byte {
            case UInt8(ascii: "'"): copy(to: PostgresText.endOfQuoted(bytes, place, hasEscapes: false))
            case UInt8(ascii: "\""):
                let end = PostgresText.endOfQuoted(bytes, place, hasEscapes: false)
                let name = String(decoding: bytes[place..<end].dropFirst().dropLast(), as: UTF8.self)
                if functions.contains(name),
                    let (call, number, end) = PostgresCall.parse(name, bytes, at: end, next: argumentCount + 1)
                {
                    calls[number - 1] = call
                    appendPlaceholder(number, to: &out)
                    for case .placeholder(let other) in call.arguments { argumentCount = max(argumentCount, other) }
                    place = end
                    last = (number, place)
                } else {
                    names.append(name.replacing("\"\"", with: "\""))
                    copy(to: end)
                }
            case UInt8(ascii: "-") where at(1) == UInt8(ascii: "-"):
                copy(to: bytes[place...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count)
            case UInt8(ascii: "/") where at(1) == UInt8(ascii: "*"):
                let end = PostgresText.endOfComment(bytes, place)
                // Directly after a placeholder, it marks the argument as a list.
                if let last, last.end == place {
                    switch String(decoding: bytes[place..<end], as: UTF8.self) {
                    case "/*list*/": lists[last.number - 1] = .plain
                    case "/*tagged list*/": lists[last.number - 1] = .tagged
                    default: break
                    }
                }
                copy(to: end)
            case UInt8(ascii: "$"): copy(to: PostgresText.endOfDollars(bytes, place))
            case UInt8(ascii: "?") where at(1) == UInt8(ascii: "?"):
                out.append(byte)
                place += 2
            case UInt8(ascii: "?"):
                place += 1
                let digits = bytes[place...].prefix { (0x30...0x39).contains($0) }
                let number = digits.isEmpty ? argumentCount + 1 : Int(String(decoding: digits, as: UTF8.self)) ?? 0
                // The server rejects a placeholder that is copied unchanged.
                guard (1...PostgresText.argumentLimit).contains(number) else {
                    out.append(byte)
                    break
                }
                appendPlaceholder(number, to: &out)
                place += digits.count
                last = (number, place)
            case _ where PostgresText.beginsWord(byte):
                let word = bytes[place...].prefix { PostgresText.continuesWord($0) }
                let end = word.endIndex
                let text = String(decoding: word, as: UTF8.self).lowercased()
                if text == "e", end < bytes.count, bytes[end] == UInt8(ascii: "'") {
                    copy(to: PostgresText.endOfQuoted(bytes, end, hasEscapes: true))
                } else {
                    words.append(text)
                    copy(to: end)
                }
            default:
                if byte == UInt8(ascii: ";") { hasSemicolon = true }
                out.append(byte)
                place += 1
            }
        }
        sql = String(decoding: out, as: UTF8.self)
    }

    private mutating func appendPlaceholder(_ number: Int, to out: inout [UInt8]) {
        argumentCount = max(argumentCount, number)
        sentCount = max(sentCount, number)
        let start = out.count
        out.append(contentsOf: Array("$\(number)".utf8))
        placeholders.append((start..<out.count, number))
    }

    /// Whether running it cannot change the database, according to its words. Functions may change it nevertheless.
    var isReadOnly: Bool {
        guard let first = words.first, ["select", "with", "values", "table", "show", "explain"].contains(first) else {
            return false
        }
        if first == "explain", words.contains("analyze") || words.contains("analyse") { return false }
        return !words.contains { ["insert", "update", "delete", "merge", "into"].contains($0) }
    }

    /// Whether running it can create or change tables, according to its first word.
    var changesTables: Bool {
        !isReadOnly && !["insert", "update", "delete", "merge", "truncate"].contains(words.first ?? "")
    }

    /// Whether it uses the server's session: its locks and settings.
    var usesSession: Bool {
        words.contains { $0 == "set_config" || $0.hasPrefix("pg_advisory_") || $0.hasPrefix("pg_try_advisory_") }
    }

    /// Whether it can change the server's session for later queries: its settings and temporary tables.
    var changesSession: Bool {
        ["set", "reset", "discard", "do", "call", "load"].contains(words.first ?? "")
            || words.contains { ["set_config", "temp", "temporary"].contains($0) }
    }

    /// Whether it is a query that can be nested in another statement.
    var isQuery: Bool { isReadOnly && !hasSemicolon && (words.first == "select" || words.first == "with") }

    /// The text with its arguments as literals, for statements in which the server accepts none.
    func writtenOut(_ literals: [String]) -> String {
        let bytes = Array(sql.utf8)
        var out: [UInt8] = []
        var place = 0
        for (range, number) in placeholders {
            out += bytes[place..<range.lowerBound] + literals[number - 1].utf8
            place = range.upperBound
        }
        return String(decoding: out + bytes[place...], as: UTF8.self)
    }

    private static func beginsWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        beginsWord(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "$")
    }

    /// The end after the first quote that is not doubled; the end of the text if there is none.
    private static func endOfQuoted(_ bytes: [UInt8], _ start: Int, hasEscapes: Bool) -> Int {
        let quote = bytes[start]
        var place = start + 1
        while place < bytes.count {
            if hasEscapes, bytes[place] == UInt8(ascii: "\\") {
                place += 2
            } else if bytes[place] != quote {
                place += 1
            } else if place + 1 < bytes.count, bytes[place + 1] == quote {
                place += 2
            } else {
                return place + 1
            }
        }
        return bytes.count
    }

    /// The end of a comment, which can contain nested comments.
    private static func endOfComment(_ bytes: [UInt8], _ start: Int) -> Int {
        var depth = 0
        var place = start
        while place + 1 < bytes.count {
            if bytes[place] == UInt8(ascii: "/"), bytes[place + 1] == UInt8(ascii: "*") {
                depth += 1
                place += 2
            } else if bytes[place] == UInt8(ascii: "*"), bytes[place + 1] == UInt8(ascii: "/") {
                depth -= 1
                place += 2
                if depth == 0 { return place }
            } else {
                place += 1
            }
        }
        return bytes.count
    }

    /// The end after a string in `$tag$ … $tag$`, or after the dollar sign if it starts none.
    private static func endOfDollars(_ bytes: [UInt8], _ start: Int) -> Int {
        var end = start + 1
        while end < bytes.count, continuesWord(bytes[end]), bytes[end] != UInt8(ascii: "$") { end += 1 }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "$"),
            end == start + 1 || !(0x30...0x39).contains(bytes[start + 1])
        else { return start + 1 }
        let tag = bytes[start...end]
        var place = end + 1
        while place + tag.count <= bytes.count {
            if bytes[place] == UInt8(ascii: "$"), bytes[place..<place + tag.count].elementsEqual(tag) {
                return place + tag.count
            }
            place += 1
        }
        return bytes.count
    }
}
