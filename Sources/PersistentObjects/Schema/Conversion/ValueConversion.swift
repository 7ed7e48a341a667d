internal import Foundation
internal import StoreEngine

/// Converts the values of a column of another type to a property's type exactly, or throws the reason for the failure.
struct ValueConversion: Sendable {
    /// The meaning of the column's values.
    let source: ValueMeaning
    private let target: PropertyCodec
    private let meaning: ValueMeaning

    init(from source: ValueMeaning, to target: PropertyCodec) {
        self.source = source
        self.target = target
        meaning = ValueMeaning(target)
    }

    /// The value for the property's column; NULL is unchanged.
    func callAsFunction(_ value: DatabaseValue) throws(ValueFault) -> DatabaseValue {
        if case .null = value { return .null }
        let candidates = try candidates(try Meant(value, source))
        var fault: ValueFault?
        for candidate in candidates {
            // An enumeration or a small integer type does not accept every value of its column.
            guard let refused = target.fault(of: candidate) ?? inexactness(of: candidate) else { return candidate }
            fault = fault ?? refused
        }
        throw fault ?? .rejected(type: targetName, reason: "there is no exact conversion from \(source)")
    }

    /// The type in messages.
    var typeName: String { target.isKey ? targetName : TypeSpelling.of(target.valueType) }

    /// Whether a stored number gets another meaning: a scale counts its unit, and a date its epoch.
    var changesNumbers: Bool {
        if case .scaled(let digits) = target.format { return source != .scaled(digits) }
        if case .scaled = source { return true }
        return source != meaning && (source == .date || meaning == .date)
    }

    /// The recorded form of a former value. A value that the property's type cannot hold becomes a string, which the
    /// type refuses when the value is read, instead of a number with another meaning.
    func recorded(_ value: DatabaseValue) -> DatabaseValue {
        if let converted = try? self(value) { return converted }
        if let text = (try? Meant(value, source))?.text { return .text(text) }
        if case .blob = value { return value }
        // A date before the year 1 has no string.
        return .blob(Array(value.shown.utf8))
    }

    private var targetType: Any.Type {
        (target.valueType as? any OptionalType.Type)?.wrapped ?? target.valueType
    }

    /// A key that is a UUID is a string in Swift.
    private var targetName: String { target.isKey && meaning == .uuid ? "UUID" : TypeSpelling.of(targetType) }

    /// The error for a value that a type accepts and returns changed. A `URL` escapes disallowed characters, and a
    /// `Float` rounds most numbers.
    private func inexactness(of value: DatabaseValue) -> ValueFault? {
        switch value {
        case .text(let text)
        where targetType == URL.self && URL(string: text)?.absoluteString.hasSameUTF8(as: text) == false:
            return .rejected(type: targetName, reason: "a URL encodes the string differently")
        case .real(let number) where targetType == Float.self && !number.isNaN && Double(Float(number)) != number:
            return .rejected(type: targetName, reason: "it cannot represent the number exactly")
        default: return nil
        }
    }

    /// The possible meanings, the most likely first.
    private func candidates(_ value: Meant) throws(ValueFault) -> [DatabaseValue] {
        let found: DatabaseValue? =
            switch meaning {
            case .integer: value.integer.map { .integer($0) }
            case .real: value.real.map { .real($0) }
            case .bool: value.bool.map { .integer($0 ? 1 : 0) }
            case .date: value.date.map { .real($0.timeIntervalSinceReferenceDate) }
            // Generated keys are lowercase.
            case .text: value.text.map { .text(target.isKey && source == .uuid ? $0.lowercased() : $0) }
            case .decimal, .scaled:
                try value.decimal.map { (text) throws(ValueFault) in try target.recoded(.text(text)) }
            case .uuid: value.uuid.map { .blob($0) }
            case .bytes: value.bytes.map { .blob($0) }
            case .any: value.stored
            case .json: nil
            }
        if meaning == .json { return value.documents.map { .blob([UInt8]($0)) } }
        guard let found else { throw .rejected(type: targetName, reason: value.refusal(of: meaning)) }
        return [found]
    }
}

/// A column's value with its meaning.
private struct Meant {
    let stored: DatabaseValue
    private let meaning: ValueMeaning
    /// The content of a JSON document that is a single value: a string, a number, a Boolean.
    private let fragment: Any?

    init(_ value: DatabaseValue, _ meaning: ValueMeaning) throws(ValueFault) {
        if case .scaled(let digits) = meaning, case .integer(let number) = value {
            stored = .text(ScaledDecimal.text(of: number, scale: digits))
            self.meaning = .decimal
        } else {
            stored = value
            self.meaning = meaning
        }
        guard meaning == .json || meaning == .bytes, case .blob(let bytes) = value else {
            fragment = nil
            return
        }
        // A blob that is exactly one JSON value in quotes or digits is not JSON by chance.
        fragment = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    }

    /// The Boolean in a JSON document; Foundation represents numbers and Booleans with the same class.
    private var truth: Bool? {
        guard let number = fragment as? NSNumber else { return fragment as? Bool }
        return String(cString: number.objCType) == "c" || number === (true as NSNumber)
            || number === (false as NSNumber)
            ? number.boolValue : nil
    }

    /// The digits of a number as written in a JSON document.
    private var digits: String? {
        guard fragment is NSNumber || fragment is Int || fragment is Double, truth == nil,
            case .blob(let bytes) = stored
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let digits = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return meaning == .bytes && digits != text ? nil : digits
    }

    /// A string that can be a number: a stored string, or a number in a JSON document.
    private var numeral: Numeral? {
        if case .text(let text) = stored { return Numeral(text) }
        if let digits { return Numeral(digits) }
        return meaning == .bytes ? nil : (fragment as? String).flatMap { Numeral($0) }
    }

    var integer: Int64? {
        switch (stored, meaning) {
        case (.integer(let number), _): number
        case (.real(let number), .real), (.real(let number), .any): Int64(exactly: number)
        // Bytes are a number only if they are exactly the number's digits.
        case (_, .bytes): numeral?.integer
        default: truth.map { $0 ? 1 : 0 } ?? numeral?.integer
        }
    }

    var real: Double? {
        switch (stored, meaning) {
        case (.real(let number), .real), (.real(let number), .any): number
        case (_, .bool): nil
        case (.integer(let number), _): Double(exactly: number)
        default: numeral?.real
        }
    }

    var bool: Bool? {
        switch stored {
        case .integer(let number): number == 0 ? false : number == 1 ? true : nil
        case .text(let text): Bool(text)
        default: truth
        }
    }

    // `real` and `integer` are not dates, because a number does not state its epoch and unit.
    var date: Date? {
        switch (stored, meaning) {
        case (.real(let seconds), .date): Date(timeIntervalSinceReferenceDate: seconds)
        case (.text(let text), _): moment(text)
        // JSONEncoder writes dates as seconds since 2001.
        case (.blob, .json): (fragment as? String).flatMap { moment($0) } ?? seconds
        default: nil
        }
    }

    /// A string is a date if it includes a time and a zone.
    private func moment(_ text: String) -> Date? {
        DateText.seconds(text, isWhole: true).map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    private var seconds: Date? {
        digits.flatMap { Double($0) }.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    var text: String? {
        switch (stored, meaning) {
        case (.text(let text), _): text
        case (.integer(let number), .bool): number == 0 ? "false" : number == 1 ? "true" : nil
        case (.integer(let number), _): String(number)
        // A date before the year 1 has no string, as in Foundation.
        case (.real(let seconds), .date) where seconds < -63_113_904_000: nil
        case (.real(let seconds), .date):
            DateText.text(
                Date(timeIntervalSinceReferenceDate: seconds), separator: "T", suffix: "Z", isExact: true)
        case (.real(let number), _): number.description
        case (.blob(let bytes), .uuid): UUID(bytes: bytes)?.uuidString
        case (.blob(let bytes), .json): fragment as? String ?? String(validating: bytes, as: UTF8.self)
        case (.blob(let bytes), _): String(validating: bytes, as: UTF8.self)
        case (.null, _): nil
        }
    }

    /// The value in the stored form of `Decimal`.
    var decimal: String? {
        switch (stored, meaning) {
        case (_, .bool), (.real, .date): nil
        case (.text(let text), .decimal): text
        case (.integer(let number), _): String(number)
        case (.real(let number), _): Numeral(number.description)?.decimal
        default: numeral?.decimal
        }
    }

    var uuid: [UInt8]? {
        switch (stored, meaning) {
        case (.text(let text), _): UUID(uuidString: text)?.bytes
        case (.blob(let bytes), .uuid): bytes
        case (.blob, .json): (fragment as? String).flatMap { UUID(uuidString: $0)?.bytes }
        case (.blob(let bytes), _): bytes.count == 16 ? bytes : nil
        default: nil
        }
    }

    var bytes: [UInt8]? {
        switch (stored, meaning) {
        case (.blob(let bytes), _): bytes
        case (.text, .decimal): nil
        case (.text(let text), _): Array(text.utf8)
        default: nil
        }
    }

    /// The documents for `JSONDecoder`.
    var documents: [Data] {
        switch (stored, meaning) {
        case (.blob(let bytes), .uuid): UUID(bytes: bytes).map { [Meant.json($0.uuidString)] } ?? []
        case (.blob(let bytes), .json): [Data(bytes)]
        case (.blob(let bytes), _): [Data(bytes), Meant.json(Data(bytes).base64EncodedString())]
        case (.text(let text), .decimal): [Data(text.utf8)]
        // The string itself as a document is second, because a type that accepts any string means the JSON string.
        case (.text(let text), _): [Meant.json(text), Data(text.utf8)]
        case (.integer(let number), .bool):
            number == 0 || number == 1 ? [Data((number == 1 ? "true" : "false").utf8)] : []
        case (.integer(let number), _): [Data(String(number).utf8)]
        case (.real(let number), _): number.isFinite ? [Data(number.description.utf8)] : []
        case (.null, _): []
        }
    }

    private static func json(_ text: String) -> Data {
        (try? JSONEncoder().encode(text)) ?? Data()
    }

    func refusal(of wanted: ValueMeaning) -> String {
        switch (meaning, wanted) {
        case (.real, .date), (.integer, .date), (.date, .real), (.date, .integer):
            "a number does not state its epoch. Declare a conversion"
        case (.text, .integer), (.text, .real), (.text, .decimal):
            "the string is not a number that it can represent exactly"
        case (.real, .integer), (.decimal, .integer): "the number has a fraction or is too large"
        case (.integer, .real), (.decimal, .real): "the number has more digits than it can represent"
        case (.text, .date): "the string is not an ISO 8601 date with a time zone, such as 2026-11-22T17:06:31Z"
        case (.text, .uuid): "the string is not a UUID"
        default: "there is no exact conversion from \(meaning)"
        }
    }
}
