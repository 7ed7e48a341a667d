/// A list of values as one argument, for `x IN (SELECT value FROM json_each(?))`.
///
/// JSON cannot represent blobs or a NUL in a string, and SQLite rounds its numbers. Lists with such values are passed
/// as tagged strings, for `x IN (SELECT po_value(value) FROM json_each(?))`:
///
/// | element | value |
/// |---|---|
/// | `n` | NULL |
/// | `i-7` | an integer, in decimal |
/// | `r3ff0000000000000` | a real, the bits in hexadecimal |
/// | `tJoe` | a string |
/// | `u4a006f65` | a string with a NUL in it, its UTF-8 in hexadecimal |
/// | `b00ff` | a blob, in hexadecimal |
package enum ListArgument {
    /// The list, and whether its elements must be decoded with `po_value`.
    ///
    /// NaN is rejected by `po_value`, as it is by a binding.
    package static func json(of values: [DatabaseValue]) -> (text: String, needsDecoding: Bool) {
        let isPlain = values.allSatisfy { value in
            switch value {
            case .integer: true
            case .text(let text): !text.utf8.contains(0)
            case .null, .real, .blob: false
            }
        }
        return (json(of: values, isPlain: isPlain), !isPlain)
    }

    /// The list, all of whose elements must be decoded with `po_value`.
    package static func taggedJSON(of values: [DatabaseValue]) -> String { json(of: values, isPlain: false) }

    /// The list with all elements tagged.
    package static func tagged(_ values: [DatabaseValue]) -> String { json(of: values, isPlain: false) }

    private static func json(of values: [DatabaseValue], isPlain: Bool) -> String {
        var json: [UInt8] = [UInt8(ascii: "[")]
        json.reserveCapacity(values.count * (isPlain ? 12 : 20) + 2)
        for (place, value) in values.enumerated() {
            if place > 0 { json.append(UInt8(ascii: ",")) }
            switch value {
            case .integer(let number) where isPlain: JSONWriter.write(integer: number, to: &json)
            case .text(let text) where isPlain: JSONWriter.write(text: text, to: &json)
            default: append(value, to: &json)
            }
        }
        json.append(UInt8(ascii: "]"))
        return String(decoding: json, as: UTF8.self)
    }

    /// The strings and blobs of a list that was created here, without its other elements.
    package static func textsAndBlobs(of json: String, isTagged: Bool) -> [DatabaseValue] {
        // A list that contains numbers is not a list of strings.
        guard let elements = texts(of: json) else { return [] }
        guard isTagged else { return elements.map { .text($0) } }
        return elements.compactMap { element in
            let rest = String(element.dropFirst())
            switch element.first {
            case "t": return .text(rest)
            case "b": return Hexadecimal.bytes(rest.utf8).map { .blob($0) }
            default: return nil
            }
        }
    }

    /// The elements of a list that was created here; nil for another string.
    package static func values(of json: String, isTagged: Bool) -> [DatabaseValue]? {
        guard isTagged else {
            guard let elements = elements(of: json) else { return nil }
            let values = elements.compactMap { value(of: $0) }
            return values.count == elements.count ? values : nil
        }
        if let values = values(ofTagged: json) { return values }
        guard let elements = texts(of: json) else { return nil }
        var values: [DatabaseValue] = []
        for element in elements {
            if element.hasPrefix("t") {
                values.append(.text(String(element.dropFirst())))
            } else if element.hasPrefix("u") {
                guard let bytes = Hexadecimal.bytes(element.utf8.dropFirst()) else { return nil }
                values.append(.text(String(decoding: bytes, as: UTF8.self)))
            } else {
                guard let value = self.values(ofTagged: "[\"\(element)\"]")?.first else { return nil }
                values.append(value)
            }
        }
        return values
    }

    /// The elements of a JSON list; nil for another string.
    private static func elements(of json: String) -> [JSONValue]? {
        guard case .list(let elements) = try? JSONReader.value(of: [UInt8](json.utf8)[...]) else { return nil }
        return elements
    }

    /// The strings of a JSON list; nil for a list with other elements.
    private static func texts(of json: String) -> [String]? {
        guard let elements = elements(of: json) else { return nil }
        let texts = elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return texts.count == elements.count ? texts : nil
    }

    /// An element of an untagged list; nil for an element that such a list does not contain.
    private static func value(of element: JSONValue) -> DatabaseValue? {
        switch element {
        case .null: .null
        case .number(let digits): Int64(digits).map { .integer($0) } ?? Double(digits).map { .real($0) }
        case .text(let text): .text(text)
        case .bool, .list, .object: nil
        }
    }

    /// The elements of a tagged list of numbers, bytes and NULL, whose tags need no escapes; nil for another list.
    package static func values(ofTagged list: String) -> [DatabaseValue]? {
        guard list.hasPrefix("["), list.hasSuffix("]") else { return nil }
        var values: [DatabaseValue] = []
        for element in list.dropFirst().dropLast().split(separator: ",") {
            guard element.count >= 3, element.hasPrefix("\""), element.hasSuffix("\"") else { return nil }
            let rest = element.dropFirst(2).dropLast()
            switch element.dropFirst().first {
            case "n" where rest.isEmpty: values.append(.null)
            case "i":
                guard let number = Int64(rest) else { return nil }
                values.append(.integer(number))
            case "r":
                guard let bits = UInt64(rest, radix: 16) else { return nil }
                values.append(.real(Double(bitPattern: bits)))
            case "b":
                guard let bytes = Hexadecimal.bytes(rest.utf8) else { return nil }
                values.append(.blob(bytes))
            default: return nil
            }
        }
        return values
    }

    /// Appends a tagged element.
    private static func append(_ value: DatabaseValue, to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        switch value {
        case .null: json.append(UInt8(ascii: "n"))
        case .integer(let number):
            json.append(UInt8(ascii: "i"))
            JSONWriter.write(integer: number, to: &json)
        case .real(let number):
            json.append(UInt8(ascii: "r"))
            withUnsafeBytes(of: number.bitPattern.bigEndian) { Hexadecimal.append($0, to: &json) }
        case .text(let text) where !text.utf8.contains(0):
            json.append(UInt8(ascii: "t"))
            JSONWriter.write(contentsOf: text, to: &json)
        case .text(let text):
            json.append(UInt8(ascii: "u"))
            Hexadecimal.append(text.utf8, to: &json)
        case .blob(let bytes):
            json.append(UInt8(ascii: "b"))
            Hexadecimal.append(bytes, to: &json)
        }
        json.append(UInt8(ascii: "\""))
    }

    /// `po_value(element)`: the value. NULL, and a value that is not text, is unchanged.
    static let function = EngineFunction(builtIn: "po_value", argumentCount: 1) { call in
        guard let bytes = try call.arguments.textBytes(0) else { return try call.give(argument: 0) }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
        switch bytes.first {
        case UInt8(ascii: "t"): return call.give(text: rest)
        case UInt8(ascii: "n") where rest.isEmpty: return
        case UInt8(ascii: "i"):
            if let number = Int64(String(decoding: rest, as: UTF8.self)) { return try call.give(.integer(number)) }
        case UInt8(ascii: "r"):
            if let bytes = Hexadecimal.bytes(rest), bytes.count == 8 {
                let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                return try call.give(.real(Double(bitPattern: bits)))
            }
        case UInt8(ascii: "u"):
            if let bytes = Hexadecimal.bytes(rest), let text = String(validating: bytes, as: UTF8.self) {
                return call.give(text)
            }
        case UInt8(ascii: "b"):
            if let bytes = Hexadecimal.bytes(rest) { return try call.give(.blob(bytes)) }
        default: break
        }
        throw FunctionFailure("The value is not an element of a list argument")
    }
}
