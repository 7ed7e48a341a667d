// Printing: values, rows and classes as text, CSV, JSON and DOT. It knows descriptions, and must not read files.

internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Values of columns as people read them.
enum ValueText {
    /// A value by its Swift type, complete.
    ///
    /// - Parameter type: The type of the property; nil if it is not known.
    static func text(_ value: DatabaseValue, type: String?, isJSON: Bool = false) -> String {
        switch (value, type) {
        case (.null, _): return "nil"
        case (.real(let seconds), "Date"):
            return date(seconds) ?? "\(seconds)"
        case (.integer(let number), "Bool") where number == 0 || number == 1: return number == 1 ? "true" : "false"
        case (.integer(let number), let type?) where type.hasPrefix("Decimal("):
            return scaled(number, Int(type.dropFirst("Decimal(".count).dropLast()) ?? 0)
        case (.integer(let number), _): return "\(number)"
        case (.real(let number), _): return "\(number)"
        case (.text(let text), _): return text
        case (.blob(let bytes), "UUID") where bytes.count == 16: return uuid(bytes)
        case (.blob(let bytes), _):
            if isJSON, let text = String(validating: bytes, as: UTF8.self) { return text }
            return "x'\(hexadecimal(bytes))'"
        }
    }

    /// A value as one cell of a table: on one line and shortened.
    static func cell(_ value: DatabaseValue, type: String?, isJSON: Bool = false) -> String {
        if case .blob(let bytes) = value, !isJSON, type != "UUID" || bytes.count != 16 {
            let shown = hexadecimal(Array(bytes.prefix(16)))
            return bytes.count > 16 ? "x'\(shown)…' (\(Bounds.grouped(bytes.count)) bytes)" : "x'\(shown)'"
        }
        return VisibleText.of(text(value, type: type, isJSON: isJSON), Bounds.characters)
    }

    /// A value as one cell of a list of properties, where strings have quotation marks.
    static func quoted(_ value: DatabaseValue, type: String?, isJSON: Bool = false) -> String {
        let cell = cell(value, type: type, isJSON: isJSON)
        if case .text = value { return "\"\(cell)\"" }
        return cell
    }

    /// A value as JSON. Bytes are in Base64.
    static func json(_ value: DatabaseValue, type: String?, isJSON: Bool = false) -> JSONValue {
        switch (value, type) {
        case (.null, _): return .null
        case (.integer(let number), "Bool") where number == 0 || number == 1: return .bool(number == 1)
        case (.integer(let number), let type?) where type.hasPrefix("Decimal("):
            return .number(scaled(number, Int(type.dropFirst("Decimal(".count).dropLast()) ?? 0))
        case (.integer(let number), _): return .number("\(number)")
        case (.real(let seconds), "Date"): return date(seconds).map { .text($0) } ?? number(seconds)
        case (.real(let number), _): return self.number(number)
        case (.text(let text), _): return .text(text)
        case (.blob(let bytes), "UUID") where bytes.count == 16: return .text(uuid(bytes))
        case (.blob(let bytes), _):
            if isJSON, let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
            return .text(Data(bytes).base64EncodedString())
        }
    }

    /// JSON has no infinity.
    private static func number(_ number: Double) -> JSONValue {
        number.isFinite ? .number("\(number)") : .text("\(number)")
    }

    /// A time in UTC; nil if the year does not have four digits.
    static func date(_ seconds: Double) -> String? {
        if case .text(let text) = ISODate.json(Date(timeIntervalSinceReferenceDate: seconds)), seconds.isFinite {
            return text
        }
        return nil
    }

    private static func scaled(_ number: Int64, _ digits: Int) -> String {
        guard digits > 0 else { return "\(number)" }
        var text = String(number.magnitude)
        if text.count <= digits { text = String(repeating: "0", count: digits + 1 - text.count) + text }
        return (number < 0 ? "-" : "") + text.dropLast(digits) + "." + text.suffix(digits)
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        let digits = Array(hexadecimal(bytes))
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
        return parts.joined(separator: "-")
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        Hexadecimal.text(bytes).uppercased()
    }
}

extension PropertyDescription {
    /// Whether its column has JSON.
    var isJSON: Bool { kind == .value && !isEncrypted }

    /// The type as Swift writes it.
    var spelledType: String {
        var name = type
        let parts = parts.map { part in
            part.hasPrefix("Optional<") ? part.dropFirst("Optional<".count).dropLast() + "?" : part
        }
        switch kind {
        case .array where parts.count == 1: name = "[\(parts[0])]"
        case .set where parts.count == 1: name = "Set<\(parts[0])>"
        case .dictionary where parts.count == 2: name = "[\(parts[0]): \(parts[1])]"
        case .inverse where type.hasPrefix("Array<"): name = "[\(type.dropFirst("Array<".count).dropLast())]"
        default: break
        }
        guard isOptional else { return name }
        // The raw type of an enumeration follows its name.
        guard let colon = name.firstRange(of: ": "), kind == .scalar else { return name + "?" }
        return name[..<colon.lowerBound] + "?" + name[colon.lowerBound...]
    }
}
