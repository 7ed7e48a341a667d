internal import StoreEngine

/// A call of a function of the library that replaces an argument by its result before it is sent.
///
/// PostgreSQL cannot call functions of the client. In `"po_seal"(?1, 'Patient', 3, ?2)` the first argument must be a
/// placeholder, and the other arguments are constants or placeholders.
struct PostgresCall {
    /// An argument after the first.
    enum Argument {
        case value(DatabaseValue)
        /// The number of a placeholder, from 1.
        case placeholder(Int)
    }

    let function: String
    let arguments: [Argument]

    /// The functions of a connection that can be called, by their names.
    static func functions(_ options: ConnectionOptions) -> [String: EngineFunction.OfValues] {
        var functions: [String: EngineFunction.OfValues] = [:]
        for function in options.additions.ownFunctions { functions[function.name] = function.ofValues }
        return functions
    }
}

extension PostgresCall {
    /// Parses the parentheses of a call; nil if the text is not such a call.
    ///
    /// - Parameters:
    ///   - text: The bytes of a statement.
    ///   - start: The place after the name.
    ///   - next: The number of a placeholder without a number.
    /// - Returns: The call, the number of its first argument, and the place after the call.
    static func parse(
        _ function: String, _ text: [UInt8], at start: Int, next: Int
    ) -> (call: PostgresCall, number: Int, end: Int)? {
        guard start < text.count, text[start] == UInt8(ascii: "("),
            let end = end(text, from: start)
        else { return nil }
        var parts = text[(start + 1)..<(end - 1)]
        var arguments: [Argument] = []
        while let argument = argument(&parts, next) {
            arguments.append(argument)
            guard parts.first == UInt8(ascii: ",") else { break }
            parts = parts.dropFirst()
        }
        guard parts.isEmpty, case .placeholder(let number)? = arguments.first else { return nil }
        return (PostgresCall(function: function, arguments: Array(arguments.dropFirst())), number, end)
    }

    /// The place after the parenthesis that closes the call. Strings can contain parentheses.
    private static func end(_ text: [UInt8], from start: Int) -> Int? {
        var isInString = false
        for place in start..<text.count {
            if text[place] == UInt8(ascii: "'") { isInString.toggle() }
            if text[place] == UInt8(ascii: ")"), !isInString { return place + 1 }
        }
        return nil
    }

    private static func argument(_ text: inout ArraySlice<UInt8>, _ next: Int) -> Argument? {
        text = text.drop { $0 == UInt8(ascii: " ") }
        if text.first == UInt8(ascii: "'") { return string(&text) }
        let word = text.prefix { $0 != UInt8(ascii: ",") }
        text = text.dropFirst(word.count)
        let spelling = String(decoding: word, as: UTF8.self)
        if spelling == "?" { return .placeholder(next) }
        if spelling.hasPrefix("?") { return Int(spelling.dropFirst()).map { .placeholder($0) } }
        if spelling == "NULL" { return .value(.null) }
        return Int64(spelling).map { .value(.integer($0)) }
    }

    private static func string(_ text: inout ArraySlice<UInt8>) -> Argument? {
        let quote = UInt8(ascii: "'")
        var bytes: [UInt8] = []
        text = text.dropFirst()
        while let byte = text.popFirst() {
            if byte == quote {
                guard text.first == quote else { return .value(.text(String(decoding: bytes, as: UTF8.self))) }
                text = text.dropFirst()
            }
            bytes.append(byte)
        }
        return nil
    }
}
