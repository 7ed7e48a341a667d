/// Functions for lists in JSON documents.
///
/// `po_json_count(document, key, …)` is the number of elements at a path of keys; NULL if there is no list.
/// `po_json_has(document, element, key, …)` is whether an element there is the same JSON as `element`.
///
/// An object is the list of its values. Numbers are compared by value, to the last digit; objects ignoring the order of
/// their keys. A missing list has no elements.
enum JSONElements {
    static let count = EngineFunction(
        "po_json_count", argumentCount: nil, isDeterministic: true, isInnocuous: true
    ) { call in
        guard var reader = try JSONCursor(call.arguments[0]), try reader.enter(call.arguments, from: 1),
            try reader.isAtList()
        else { return }
        var count = 0
        try reader.forEachElement { (reader) throws(FunctionFailure) in
            count += 1
            try reader.skipValue()
            return true
        }
        try call.give(.integer(Int64(count)))
    }

    static let contains = EngineFunction(
        "po_json_has", argumentCount: nil, isDeterministic: true, isInnocuous: true
    ) { call in
        var isFound = false
        if var reader = try JSONCursor(call.arguments[0]), try reader.enter(call.arguments, from: 2),
            try reader.isAtList(), var element = try JSONCursor(call.arguments[1])
        {
            let wanted = try element.node()
            try reader.forEachElement { (reader) throws(FunctionFailure) in
                isFound = try reader.node() == wanted
                return !isFound
            }
        }
        try call.give(.integer(isFound ? 1 : 0))
    }
}

/// A JSON value, for comparison.
private indirect enum JSONNode: Equatable {
    case object([[UInt8]: JSONNode])
    case array([JSONNode])
    case text([UInt8])
    /// The digits without leading and trailing zeros, and the power of ten of the last digit.
    case number(isNegative: Bool, digits: [UInt8], exponent: Int)
    case word([UInt8])
}

extension JSONCursor {
    /// A document; nil for NULL.
    fileprivate init?(_ document: DatabaseValue) throws(FunctionFailure) {
        switch document {
        case .blob(let bytes): self.init(bytes)
        case .text(let text): self.init(Array(text.utf8))
        case .null: return nil
        case .integer, .real: throw FunctionFailure("Expected a JSON document, not a number")
        }
    }

    /// Advances to the value at the keys that are the last arguments; false if it does not exist.
    fileprivate mutating func enter(_ arguments: borrowing SQLArguments, from first: Int) throws -> Bool {
        for place in first..<max(arguments.count, first) {
            guard try enter(arguments.textBytes(place).map { Array($0) } ?? []) else { return false }
        }
        return true
    }

    fileprivate mutating func isAtList() throws(FunctionFailure) -> Bool {
        let first = try next()
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    /// Calls `body` at the start of each element of the current list, until it returns false; it advances past the
    /// element.
    fileprivate mutating func forEachElement(
        _ body: (inout JSONCursor) throws(FunctionFailure) -> Bool
    ) throws(FunctionFailure) {
        let isObject = try next() == UInt8(ascii: "{")
        place += 1
        let end = UInt8(ascii: isObject ? "}" : "]")
        if try next() == end { return place += 1 }
        while true {
            if isObject {
                _ = try text()
                try skip(":")
            }
            guard try body(&self) else { return }
            if try next() == end { return place += 1 }
            try skip(",")
        }
    }

    /// The depth that `JSONDecoder` accepts.
    private static let depth = 512

    /// The whole current value, for comparison.
    fileprivate mutating func node(depth: Int = 0) throws(FunctionFailure) -> JSONNode {
        guard depth < JSONCursor.depth else { throw JSONCursor.malformed }
        switch try next() {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "["):
            var elements: [JSONNode] = []
            try forEachElement { (reader) throws(FunctionFailure) in
                elements.append(try reader.node(depth: depth + 1))
                return true
            }
            return .array(elements)
        case UInt8(ascii: "{"):
            place += 1
            var members: [[UInt8]: JSONNode] = [:]
            while try next() != UInt8(ascii: "}") {
                let name = try text()
                try skip(":")
                members[name] = try node(depth: depth + 1)
                if try next() == UInt8(ascii: ",") { place += 1 }
            }
            place += 1
            return .object(members)
        default:
            let start = place
            try skipValue()
            return try JSONCursor.scalar(bytes[start..<place])
        }
    }

    private static func scalar(_ word: ArraySlice<UInt8>) throws(FunctionFailure) -> JSONNode {
        let text = String(decoding: word, as: UTF8.self)
        if ["true", "false", "null"].contains(text) { return .word(Array(word)) }
        guard Double(text) != nil else { throw malformed }
        let parts = word.split(separator: UInt8(ascii: "e"), omittingEmptySubsequences: false).flatMap {
            $0.split(separator: UInt8(ascii: "E"), omittingEmptySubsequences: false)
        }
        // A power of ten outside `Int32` is compared as it is written.
        guard let power = parts.count > 1 ? Int32(String(decoding: parts[1], as: UTF8.self)) : 0 else {
            return .word(Array(word))
        }
        var exponent = Int(power)
        var digits = parts[0].filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
            exponent -= digits.distance(from: point, to: digits.endIndex) - 1
            digits.remove(at: point)
        }
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        let significant = Array(digits.drop { $0 == UInt8(ascii: "0") })
        guard !significant.isEmpty else { return .number(isNegative: false, digits: [], exponent: 0) }
        return .number(isNegative: word.first == UInt8(ascii: "-"), digits: significant, exponent: exponent)
    }
}
