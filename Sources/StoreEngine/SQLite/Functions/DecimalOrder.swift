/// `COLLATE po_decimal`: decimal strings in numeric order, exactly, with any number of digits.
///
/// `1.5` and `01.50` are equal, as are `-0` and `0`. A string that is not a number sorts after all numbers, and among
/// such strings by its bytes.
enum DecimalOrder {
    static let collation = EngineCollation("po_decimal", compare: compare)

    /// Returns a number less than, equal to or greater than 0.
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
        switch (Digits(a), Digits(b)) {
        case (let a?, let b?): a.compared(to: b)
        case (_?, nil): -1
        case (nil, _?): 1
        case (nil, nil): bytes(a[...], b[...])
        }
    }

    private static func bytes(
        _ a: Slice<UnsafeRawBufferPointer>, _ b: Slice<UnsafeRawBufferPointer>
    ) -> Int32 { a.lexicographicallyPrecedes(b) ? -1 : b.lexicographicallyPrecedes(a) ? 1 : 0 }

    /// The digits of a number, without redundant zeros.
    private struct Digits {
        /// -1, 0 or 1.
        private let sign: Int32
        private let whole: Slice<UnsafeRawBufferPointer>
        private let fraction: Slice<UnsafeRawBufferPointer>

        init?(_ text: UnsafeRawBufferPointer) {
            var rest = text[...]
            let isNegative = rest.first == UInt8(ascii: "-")
            if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            let point = rest.firstIndex(of: UInt8(ascii: ".")) ?? rest.endIndex
            let (before, after) = (rest[..<point], rest[point...].dropFirst())
            guard !before.isEmpty || !after.isEmpty, before.allSatisfy(Digits.isDigit), after.allSatisfy(Digits.isDigit)
            else { return nil }
            whole = before.drop { $0 == UInt8(ascii: "0") }
            fraction = after[..<((after.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 }) ?? after.startIndex)]
            sign = whole.isEmpty && fraction.isEmpty ? 0 : isNegative ? -1 : 1
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

        func compared(to other: Digits) -> Int32 {
            guard sign == other.sign else { return sign < other.sign ? -1 : 1 }
            return sign * comparedDigits(to: other)
        }

        /// The number with more digits before the point is greater.
        private func comparedDigits(to other: Digits) -> Int32 {
            if whole.count != other.whole.count { return whole.count < other.whole.count ? -1 : 1 }
            let order = DecimalOrder.bytes(whole, other.whole)
            return order != 0 ? order : DecimalOrder.bytes(fraction, other.fraction)
        }
    }
}
