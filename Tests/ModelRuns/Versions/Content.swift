import Foundation

/// The content of a property, independent of its type.
///
/// Values of two versions of a class have equal content if nothing was lost between them. The rules are those of the
/// tables in Docs/ChangingClasses.md, and share no code with the library.
struct Content: CustomStringConvertible, Codable, Sendable {
    enum Kind: String, Codable { case none, value, list, set, dictionary }

    var kind: Kind
    /// The possible readings of each element. A value is its only element.
    var elements: [Readings]
    /// The keys of a dictionary.
    var keys: [Readings] = []
    /// The value as Swift prints it, for reports.
    var text: String

    var description: String { text }

    static let none = Content(kind: .none, elements: [], text: "nil")

    private var hasNothing: Bool { elements.isEmpty }

    /// Whether `other`, of a later version, has the same content. `initial` is the content of a new object of that
    /// version.
    func isKept(in other: Content, initial: Content) -> Bool {
        if hasNothing {
            // If there is no value, the later version has no value either, or its initial value.
            return other.hasNothing || other.text == initial.text
        }
        let isObject = kind == .value && elements[0].isObject && other.kind == .dictionary
        guard elements.count == other.elements.count || isObject else {
            // A list with a single nil may become nil.
            return kind == .list && other.kind == .none && elements.count == 1 && elements[0].isNone
        }
        switch (kind, other.kind) {
        case (.dictionary, .dictionary), (.dictionary, .list), (.list, .dictionary):
            return Content.match(pairs, other.pairs) { $0.key.agree(with: $1.key) && $0.value.agree(with: $1.value) }
        // A structure corresponds to its fields.
        case _ where isObject: return elements[0].agree(with: Readings(fields: other.pairs))
        // The keys would be lost, unless they are those of a list.
        case (.dictionary, _) where !isList: return false
        case (.list, .list): return zip(elements, other.elements).allSatisfy { $0.agree(with: $1) }
        default: return Content.match(elements, other.elements) { $0.agree(with: $1) }
        }
    }

    /// Whether a value is the same after a conversion to `between` and back.
    ///
    /// All bits must be equal, except that a string may have another spelling, and that a set has no order.
    func isSame(as back: Content, between: Content) -> Bool {
        if text == back.text || elements.allSatisfy(\.isNone) { return true }
        guard kind == back.kind, between.kind == .set || elements.allSatisfy({ $0.isText || $0.isNone }) else {
            return false
        }
        if kind == .set || between.kind == .set {
            return Content.match(elements, back.elements) { $0.agree(with: $1) }
        }
        return Content.match(pairs, back.pairs) { $0.key.agree(with: $1.key) && $0.value.agree(with: $1.value) }
    }

    typealias Pair = (key: Readings, value: Readings)

    /// Whether the keys are consecutive numbers from 0.
    private var isList: Bool {
        let indices = elements.indices.map { Readings(number: "\($0)") }
        return !keys.contains(where: \.isText) && Content.match(keys, indices) { $0.agree(with: $1) }
    }

    /// The pairs of keys and values. A list's keys are its indices.
    private var pairs: [Pair] {
        let keys = kind == .dictionary ? keys : elements.indices.map { Readings(number: "\($0)") }
        return Array(zip(keys, elements)).map { (key: $0, value: $1) }
    }

    /// Whether each element of a list agrees with a different element of another list.
    private static func match<T>(_ some: [T], _ others: [T], _ agree: (T, T) -> Bool) -> Bool {
        var left = others
        for one in some {
            guard let place = left.firstIndex(where: { agree(one, $0) }) else { return false }
            left.remove(at: place)
        }
        return left.isEmpty
    }
}

/// The possible readings of a single value, each with a letter for its kind. For example, the string "12" is also the
/// number 12. Two values agree if they have a common reading.
struct Readings: Codable, Sendable {
    private var readings: [String]

    var first: String { readings.first ?? "" }
    var isNone: Bool { readings == ["nil"] }
    /// Whether it is a JSON object.
    var isObject: Bool { first.hasPrefix("j:") }
    /// Whether it is a string, or bytes that may be a string.
    var isText: Bool { first.hasPrefix("t:") || first.hasPrefix("b:") }

    static let none = Readings(readings: ["nil"])

    private init(readings: [String]) { self.readings = readings }

    func agree(with other: Readings) -> Bool { readings.contains { other.readings.contains($0) } }

    init(number: String...) { readings = number.compactMap(Readings.number) }

    init(_ flag: Bool) { readings = flag ? ["t:true", "n:1e0"] : ["t:false", "n:0"] }

    init(_ text: String) {
        readings = ["t:" + text]
        if let number = Readings.number(text) { readings.append(number) }
        readings += Readings.objects(text)
        if let date = Readings.date(text) { readings.append(date) }
        if text.utf8.count == 36 { readings.append("t:" + text.lowercased()) }
    }

    init(_ number: Double) {
        // The readings are its shortest string, and all digits if it is an integer.
        let texts = ["\(number)"] + (Int64(exactly: number).map { ["\($0)"] } ?? [])
        self.init(floating: texts, number.isFinite ? nil : number < 0 ? "-" : "")
    }

    init(_ number: Float) {
        let texts = ["\(number)", "\(Double(number))"] + (Int64(exactly: number).map { ["\($0)"] } ?? [])
        self.init(floating: texts, number.isFinite ? nil : number < 0 ? "-" : "")
    }

    private init(floating texts: [String], _ infinity: String?) {
        readings = texts.compactMap(Readings.number)
        if let infinity { readings += ["t:\(infinity)inf", "t:\(infinity)Infinity"] }
    }

    init(_ bytes: Data) {
        readings = ["b:" + bytes.map { String($0, radix: 16) }.joined(separator: " ")]
        if let text = String(validating: bytes, as: UTF8.self) { readings += Readings(text).readings }
    }

    init(_ uuid: UUID) {
        readings = ["t:" + uuid.uuidString.lowercased(), "t:" + uuid.uuidString]
        readings += [withUnsafeBytes(of: uuid.uuid) { Readings(Data($0)).first }]
    }

    /// Dates agree to the millisecond. The conversion back checks all bits.
    init(_ date: Date) { readings = [Readings.seconds(date.timeIntervalSinceReferenceDate)] }

    /// A JSON object with the fields of `Compound`.
    init(n: Int, s: String, o: Double?) { readings = Readings.objects(n, s, o) }

    /// A JSON object from a dictionary of its fields.
    init(fields: [Content.Pair]) {
        func field(_ name: String, _ kind: String) -> String? {
            let value = fields.first { $0.key.readings.contains("t:" + name) }?.value
            return value?.readings.first { $0.hasPrefix(kind) }
        }
        let text = field("s", "t:") ?? field("s", "n:") ?? ""
        readings = ["j:\(field("n", "n:") ?? "") \(field("o", "n:") ?? "nil") \(text)"]
    }

    /// The text of an object may also be read as a number.
    private static func objects(_ n: Int, _ s: String, _ o: Double?) -> [String] {
        (["t:" + s] + [number(s)].compactMap(\.self)).map {
            "j:\(number("\(n)") ?? "") \(o.flatMap { number("\($0)") } ?? "nil") \($0)"
        }
    }

    private static func objects(_ text: String) -> [String] {
        guard text.hasPrefix("{") else { return [] }
        struct Fields: Decodable { var n: Int, s: String, o: Double? }
        return (try? JSONDecoder().decode(Fields.self, from: Data(text.utf8))).map { objects($0.n, $0.s, $0.o) } ?? []
    }

    private static func seconds(_ seconds: Double) -> String { "d:\((seconds * 1000).rounded() / 1000)" }

    private static func date(_ text: String) -> String? {
        guard text.count >= 10, text.dropFirst(4).first == "-" else { return nil }
        let day = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()
        guard let start = try? day.parse(String(text.prefix(10))).timeIntervalSinceReferenceDate else { return nil }
        let clock = text.dropFirst(11).prefix { $0.isNumber || ":.".contains($0) }
        let parts = clock.split(separator: ":").compactMap { Double($0) }
        let time = zip(parts, [3600.0, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        let zone = text.dropFirst(11 + clock.count)
        let offset = zone.dropFirst().split(separator: ":").compactMap { Double($0) }
        let shift = zip(offset, [3600.0, 60]).reduce(0) { $0 + $1.0 * $1.1 } * (zone.hasPrefix("-") ? -1 : 1)
        return seconds(start + time - shift)
    }

    /// The digits of a decimal number without leading and trailing zeros, and its exponent; nil for other strings.
    private static func number(_ text: String) -> String? {
        var rest = text[...]
        let sign = rest.first == "-" ? "-" : ""
        rest = rest.dropFirst(sign.count)
        let parts = rest.split(separator: "e", omittingEmptySubsequences: false)
        guard let mantissa = parts.first, parts.count <= 2, mantissa.first?.isASCII == true,
            let exponent = parts.count == 2 ? Int(parts[1]) : 0
        else { return nil }
        let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
        guard halves.count <= 2,
            halves.allSatisfy({ half in !half.isEmpty && half.utf8.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        var digits = halves.joined()
        var power = exponent - (halves.count == 2 ? halves[1].count : 0)
        while digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        digits = String(digits.drop { $0 == "0" })
        return digits.isEmpty ? "n:0" : "n:\(sign)\(digits)e\(power)"
    }
}
