/// A `numeric` in the server's binary form: base-10,000 digits.
struct PostgresNumeric {
    private let groups: [Int16]
    private let weight: Int
    private let sign: UInt16
    private let scale: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        func part(_ place: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: UInt16.self))
        }
        let count = Int(part(0))
        weight = Int(Int16(bitPattern: part(1)))
        sign = part(2)
        scale = Int(part(3))
        groups = (0..<count).map { Int16(bitPattern: part(4 + $0)) }
    }

    /// Whether it is a number.
    var isFinite: Bool { sign == 0 || sign == 0x4000 }

    /// Whether it is a number without decimal places.
    var isWhole: Bool { scale == 0 && isFinite }

    /// The integer; nil if the number has decimal places, or does not fit in 64 bits.
    var whole: Int64? {
        guard isWhole else { return nil }
        var number: Int64 = 0
        guard weight < 5 else { return nil }
        for place in 0...Swift.max(weight, 0) {
            let digit = Int64(place < groups.count && weight >= 0 ? groups[place] : 0)
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
            // The number is built as a negative number, because there is one more negative number than positive.
            let (sum, isBeyond) = product.subtractingReportingOverflow(digit)
            guard !isTooLarge, !isBeyond else { return nil }
            number = sum
        }
        if sign == 0x4000 { return number }
        return number == .min ? nil : -number
    }

    /// The nearest floating-point number.
    var real: Double? {
        switch sign {
        case 0xD000: .infinity
        case 0xF000: -.infinity
        case 0xC000: .nan
        default: Double(text)
        }
    }

    /// Its decimal digits.
    var text: String {
        var text = sign == 0x4000 ? "-" : ""
        if weight < 0 { text += "0" }
        for place in 0..<Swift.max(weight + 1, 0) {
            let digit = String(place < groups.count ? groups[place] : 0)
            text += place == 0 ? digit : String(repeating: "0", count: 4 - digit.count) + digit
        }
        guard scale > 0 else { return text }
        var decimals = ""
        var place = weight + 1
        while decimals.count < scale {
            let digit = String(groups.indices.contains(place) ? groups[place] : 0)
            decimals += String(repeating: "0", count: 4 - digit.count) + digit
            place += 1
        }
        return text + "." + decimals.prefix(scale)
    }

    /// Its decimal digits, without redundant trailing zeros.
    var digits: String {
        let text = text
        guard scale > 0 else { return text }
        let end = text.utf8.lastIndex { $0 != UInt8(ascii: "0") } ?? text.startIndex
        return String(text[...end].last == "." ? text[..<end] : text[...end])
    }

    /// The number of digits between the first and the last nonzero digit.
    var significantDigitCount: Int {
        let all = text.utf8.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        return (all.lastIndex { $0 != 0x30 } ?? all.startIndex - 1) - all.startIndex + 1
    }

    // MARK: The server's form

    /// The binary form of a number with digits, a point and an exponent; nil for another string.
    static func encoded(_ text: some StringProtocol) -> [UInt8]? {
        var rest = Array(text.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        func takeDigits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits
        }
        let whole = takeDigits()
        var decimals: ArraySlice<UInt8> = []
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            decimals = takeDigits()
        }
        guard !whole.isEmpty || !decimals.isEmpty else { return nil }
        var exponent = 0
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            guard let number = Int(String(decoding: rest.dropFirst(), as: UTF8.self)),
                (-9_999...9_999).contains(number)
            else { return nil }
            exponent = number
            rest = []
        }
        // The server's maximum: https://www.postgresql.org/docs/15/datatype-numeric.html.
        guard rest.isEmpty, whole.count + exponent <= 131_072, decimals.count - exponent <= 16_383 else { return nil }
        return encoded(Array(whole + decimals).map { $0 - 0x30 }, point: whole.count + exponent, isNegative)
    }

    /// The binary form of what is no number; nil for another string.
    static func special(_ text: String) -> [UInt8]? {
        let signs: [String: UInt8] = ["NaN": 0xC0, "Infinity": 0xD0, "-Infinity": 0xF0]
        return signs[text].map { [0, 0, 0, 0, $0, 0, 0, 0] }
    }

    /// - Parameter point: The number of digits before the decimal point.
    private static func encoded(_ digits: [UInt8], point: Int, _ isNegative: Bool) -> [UInt8] {
        // The digits are grouped by four from the decimal point.
        let first = Int((Double(point) / 4).rounded(.up))
        var groups: [UInt16] = []
        var place = point - first * 4
        while place < digits.count {
            groups.append(
                (place..<place + 4).reduce(0) { group, place in
                    group * 10 + UInt16(digits.indices.contains(place) ? digits[place] : 0)
                })
            place += 4
        }
        let zeros = groups.prefix { $0 == 0 }.count
        let significant = groups.dropFirst(zeros)
        let count = (significant.lastIndex { $0 != 0 } ?? significant.startIndex - 1) - significant.startIndex + 1
        let fields =
            [
                UInt16(count), UInt16(bitPattern: Int16(count == 0 ? 0 : first - 1 - zeros)),
                isNegative && count > 0 ? 0x4000 : 0, UInt16(Swift.max(0, digits.count - point)),
            ] + significant.prefix(count)
        return fields.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }
}
