internal import Foundation
package import StoreEngine

/// The JSON form of values that are stored in a single column.
///
/// Conversions in both directions use the stored form, so that objects and rows produce the same JSON, and the column's
/// rules apply to input.
package enum ValueShape: Sendable {
    case bool, integer, real, float, date, decimal, text, uuid, bytes, json, any

    /// Creates the shape of a codec that is neither a codec of links nor of a collection.
    init(_ codec: PropertyCodec) {
        // The kind is checked first, because imports call this for each value and checking conformances is slower than
        // reading most values.
        switch codec.kind {
        case .int, .int64, .optionalInt: self = .integer
        case .double, .optionalDouble: self = .real
        case .bool: self = .bool
        case .date, .optionalDate: self = .date
        case .string, .optionalString: self = .text
        case .other, .reference, .link: self.init(codec.valueType, codec.columnType)
        }
    }

    private init(_ type: Any.Type, _ column: ColumnType) {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        if type is any PersistentValue.Type || type is any CodedValue.Type {
            self.init(column)
        } else if let known = ValueShape.known(type) {
            self = known
        } else if let raw = type as? any RawRepresentable.Type, ValueShape.hasScalarRawValue(raw) {
            self.init(ValueShape.rawType(raw), column)
        } else if CodecFactory.isStoredAsJSON(type) {
            self = .json
        } else {
            self.init(column)
        }
    }

    private init(_ column: ColumnType) {
        switch column {
        case .integer: self = .integer
        case .real: self = .real
        case .text: self = .text
        case .blob: self = .bytes
        case .any: self = .any
        }
    }

    private static func known(_ type: Any.Type) -> ValueShape? {
        switch type {
        case is Bool.Type: .bool
        case is Float.Type: .float
        case is Date.Type: .date
        case is Decimal.Type: .decimal
        case is UUID.Type: .uuid
        default: nil
        }
    }

    private static func rawType<T: RawRepresentable>(_: T.Type) -> Any.Type { T.RawValue.self }

    private static func hasScalarRawValue<T: RawRepresentable>(_: T.Type) -> Bool {
        T.RawValue.self is any ColumnScalar.Type
    }
}

// Conversion from a stored value.
extension ValueShape {
    /// The JSON of a stored value.
    package func json(_ stored: DatabaseValue) throws(ValueFault) -> JSONValue {
        switch (self, stored) {
        case (_, .null): return .null
        case (.bool, .integer(let number)) where number == 0 || number == 1: return .bool(number == 1)
        case (.integer, .integer(let number)), (.real, .integer(let number)): return .number(String(number))
        case (.date, .integer(let number)): return ISODate.json(Date(timeIntervalSinceReferenceDate: Double(number)))
        case (.date, .real(let number)): return ISODate.json(Date(timeIntervalSinceReferenceDate: number))
        case (.integer, .real(let number)), (.real, .real(let number)): return ValueShape.number(number)
        case (.float, .real(let number)):
            let value = Float(number)
            return value.isFinite ? .number("\(value)") : ValueShape.number(number)
        case (.decimal, .text(let text)), (.text, .text(let text)): return .text(text)
        case (.uuid, .blob(let bytes)):
            guard let uuid = UUID(bytes: bytes) else {
                throw .rejected(type: "UUID", reason: "the blob does not have 16 bytes")
            }
            return .text(uuid.uuidString)
        case (.bytes, .blob(let bytes)): return .text(Data(bytes).base64EncodedString())
        case (.json, .blob(let bytes)):
            do throws(JSONReader.Fault) { return try JSONReader.value(of: bytes[...]) } catch {
                throw .rejected(type: "JSON", reason: error.message)
            }
        case (.any, _): return ValueShape.marked(stored)
        default: throw .typeMismatch(expected: columnName, found: stored.storageClass)
        }
    }

    private static func number(_ number: Double) -> JSONValue {
        number.isInfinite ? .text(JSONValue.infinity(isNegative: number < 0)) : .number("\(number)")
    }

    /// In a column of any type, the JSON preserves the storage class: `3` is not `3.0`, and bytes are not a string.
    private static func marked(_ stored: DatabaseValue) -> JSONValue {
        switch stored {
        case .null: .null
        case .integer(let number): .number(String(number))
        case .real(let number):
            number.isInfinite
                ? .object([.init(name: "real", value: ValueShape.number(number))]) : ValueShape.number(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .object([.init(name: "base64", value: .text(Data(bytes).base64EncodedString()))])
        }
    }

    private var columnName: String {
        switch self {
        case .bool, .integer: "INTEGER"
        case .real, .float, .date: "REAL"
        case .decimal, .text: "TEXT"
        case .uuid, .bytes, .json: "BLOB"
        case .any: "ANY"
        }
    }
}

// Conversion to a stored value.
extension ValueShape {
    /// The stored form of a JSON value. The codec decides whether its type accepts the value.
    package func stored(_ json: JSONValue) throws(ValueFault) -> DatabaseValue {
        switch (self, json) {
        case (.json, _): return .blob(JSONWriter.bytes(of: json))
        case (_, .null): return .null
        case (.any, _): return try ValueShape.unmarked(json)
        case (.bool, .bool(let value)): return .integer(value ? 1 : 0)
        case (.bool, .number("0")): return .integer(0)
        case (.bool, .number("1")): return .integer(1)
        case (.integer, .number(let text)): return .integer(try ValueShape.integer(text))
        case (.real, .number(let text)), (.date, .number(let text)): return .real(try ValueShape.double(text))
        case (.real, .text(let text)):
            if let number = ValueShape.infinity(text) { return .real(number) }
        case (.float, .number(let text)):
            guard let value = Float(text), value.isFinite else { throw .outOfRange(type: "Float") }
            return .real(Double(value))
        case (.float, .text(let text)):
            if let number = ValueShape.infinity(text) { return .real(number) }
        case (.date, .text(let text)):
            guard let seconds = ISODate.seconds(text) ?? ValueShape.infinity(text) else {
                throw .rejected(type: "Date", reason: "a date string must have the form 2026-11-22T17:30:00Z")
            }
            return .real(seconds)
        case (.decimal, .number(let text)): return .text(try ValueShape.plainDecimal(text))
        case (.decimal, .text(let text)), (.text, .text(let text)): return .text(text)
        case (.uuid, .text(let text)):
            guard let uuid = UUID(uuidString: text) else {
                throw .rejected(type: "UUID", reason: "the string is not a UUID")
            }
            return .blob(uuid.bytes)
        case (.bytes, .text(let text)):
            guard let data = Data(base64Encoded: text) else {
                throw .rejected(type: "Data", reason: "the string is not Base64")
            }
            return .blob([UInt8](data))
        default: break
        }
        throw .notStorable(reason: "expected \(wanted), not \(json.kind)")
    }

    /// The accepted JSON, for messages.
    private var wanted: String {
        switch self {
        case .bool: "true or false"
        case .integer: "an integer"
        case .real, .float: "a number"
        case .date: "a string with a date, or seconds since 2001,"
        case .decimal: "a number, or a string with a number,"
        case .text: "a string"
        case .uuid: "a string with a UUID"
        case .bytes: "a Base64 string"
        case .json, .any: "another value"
        }
    }

    private static func infinity(_ text: String) -> Double? {
        switch text {
        case JSONValue.infinity(isNegative: false): .infinity
        case JSONValue.infinity(isNegative: true): -.infinity
        default: nil
        }
    }

    private static func double(_ text: String) throws(ValueFault) -> Double {
        guard let number = Double(text), number.isFinite else { throw .outOfRange(type: "Double") }
        return number
    }

    private static func integer(_ text: String) throws(ValueFault) -> Int64 {
        if let number = Int64(text) { return number }
        // 3.0 and 1e3 are integers too. They are parsed digit by digit, because a Double cannot represent every Int64.
        let isNegative = text.hasPrefix("-")
        let parts = text.drop { $0 == "-" }.split(maxSplits: 1, omittingEmptySubsequences: false) {
            $0 == "e" || $0 == "E"
        }
        let halves = parts[0].split(separator: ".", maxSplits: 1)
        let digits = Array(halves.joined().utf8).drop { $0 == UInt8(ascii: "0") }
        guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return 0 }
        let limit = 1 << 40
        let written = parts.count > 1 ? parts[1].drop { $0 == "+" } : "0"
        let exponent = min(max(Int(written) ?? (written.hasPrefix("-") ? -limit : limit), -limit), limit)
        let zeros = exponent - (halves.count > 1 ? halves[1].utf8.count : 0) + (digits.endIndex - 1 - last)
        guard zeros >= 0 else { throw .notStorable(reason: "expected an integer") }
        let significant = digits[...last]
        guard significant.count + zeros <= 19,
            let number = Int64(
                (isNegative ? "-" : "") + String(decoding: significant, as: UTF8.self)
                    + String(repeating: "0", count: zeros))
        else { throw .notStorable(reason: "the number is too large for a column, which holds at most Int64.max") }
        return number
    }

    /// The number without an exponent, because a decimal column stores none.
    private static func plainDecimal(_ text: String) throws(ValueFault) -> String {
        guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) else { return text }
        guard let exponent = Int(text[text.index(after: mark)...].drop { $0 == "+" }),
            (-200...200).contains(exponent)
        else { throw .outOfRange(type: "Decimal") }
        let isNegative = text.hasPrefix("-")
        let parts = text[..<mark].drop { $0 == "-" }.split(separator: ".")
        var digits = parts.joined()
        var point = (parts.first?.count ?? 0) + exponent
        if point <= 0 {
            digits = String(repeating: "0", count: 1 - point) + digits
            point = 1
        }
        if point > digits.count { digits += String(repeating: "0", count: point - digits.count) }
        let place = digits.index(digits.startIndex, offsetBy: point)
        return (isNegative ? "-" : "") + digits[..<place] + "." + digits[place...] + "0"
    }

    private static func unmarked(_ json: JSONValue) throws(ValueFault) -> DatabaseValue {
        switch json {
        case .number(let text):
            if let number = Int64(text) { return .integer(number) }
            return .real(try double(text))
        case .text(let text): return .text(text)
        case .object(let members) where members.count == 1:
            if members[0].name == "base64" { return try ValueShape.bytes.stored(members[0].value) }
            if members[0].name == "real" { return try ValueShape.real.stored(members[0].value) }
        default: break
        }
        throw .notStorable(reason: "expected a number, a string or {\"base64\": …}, not \(json.kind)")
    }
}
