internal import Foundation

/// Case folding and case-insensitive comparison of strings, in all scripts.
package enum CaseFolding {
    /// `po_fold(x)`: equal for two strings exactly if Swift's `a.lowercased() == b.lowercased()` is true.
    ///
    /// Unlike with `=`, composed and decomposed `É` are equal; `ß` and `SS` are not. For characters newer than
    /// Foundation's tables (Unicode 15), canonical equivalents may differ.
    static let fold = function("po_fold", onASCII: ASCII.lowercased, onMany: LowercaseTable.lowercased, folded)

    /// `po_lower(x)`: Swift's `lowercased()`.
    static let lower = function("po_lower", onASCII: ASCII.lowercased, onMany: LowercaseTable.lowercased) {
        $0.lowercased()
    }

    /// `po_upper(x)`: Swift's `uppercased()`.
    static let upper = function("po_upper", onASCII: ASCII.uppercased, onMany: { _ in nil }) { $0.uppercased() }

    /// `COLLATE po_nocase`: the order of Swift's `a.lowercased() < b.lowercased()`.
    static let collation = EngineCollation("po_nocase", compare: compare)

    /// The result of `po_fold` for a string.
    package static func folded(_ text: String) -> String {
        let lower = text.lowercased()
        if lower.unicodeScalars.allSatisfy(isInert) { return lower }
        // Composing alone leaves a Hangul syllable and its final separate.
        return lower.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
    }

    /// Whether a string of only such scalars is composed (NFC): fast, and a positive result is exact.
    package static func isInert(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 0x300 { return true }
        return inert.contains { $0.contains(value) }
    }

    /// Cyrillic, Armenian and Hebrew letters, Arabic letters, Vietnamese, punctuation, kana, ideographs, Hangul, emoji.
    static let inert: [ClosedRange<UInt32>] = [
        0x4E00...0x9FFF, 0x0400...0x0482, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FE, 0x1E00...0x1EFF,
        0x038A...0x03FF, 0x2010...0x205E, 0x0620...0x064A, 0x048A...0x052F, 0x05D0...0x05EA, 0x0561...0x0587,
        0x3400...0x4DBF, 0x1F300...0x1FAFF,
    ]

    private static func function(
        _ name: String, onASCII: @escaping @Sendable (UInt8) -> UInt8,
        onMany: @escaping @Sendable (Slice<UnsafeRawBufferPointer>) -> [UInt8]?,
        _ change: @escaping @Sendable (String) -> String
    ) -> EngineFunction {
        EngineFunction(builtIn: name, argumentCount: 1) { call in
            guard let bytes = try call.arguments.textBytes(0) else { return try call.give(argument: 0) }
            guard ASCII.isASCII(bytes) else {
                if let changed = onMany(bytes[...]) { return changed.withUnsafeBytes { call.give(text: $0) } }
                return call.give(change(try call.arguments.text(0) ?? ""))
            }
            guard let first = bytes.firstIndex(where: { onASCII($0) != $0 }) else {
                return try call.give(argument: 0)
            }
            var changed = [UInt8](bytes)
            for index in first..<changed.count { changed[index] = onASCII(changed[index]) }
            changed.withUnsafeBytes { call.give(text: $0) }
        }
    }

    /// Returns a number less than, equal to or greater than 0.
    static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int32 {
        let shared = min(a.count, b.count)
        // The position where the equal bytes end, ignoring the case of ASCII letters. No mark belongs to a character
        // before an ASCII letter, so the rest after the last of them can be compared alone.
        var place = 0
        var start = 0
        while place < shared, ASCII.lowercased(a[place]) == ASCII.lowercased(b[place]) {
            if a[place] < 0x80 { start = place }
            place += 1
        }
        guard place < shared else {
            if a.count == b.count { return 0 }
            // A longer string is greater: no mark makes a lower letter from an ASCII letter.
            let longer = a.count > b.count ? a : b
            let isSplit = place > 0 && longer[place - 1] >= 0x80 && longer[place] >= 0x80
            return isSplit ? compareSlowly(a, b, from: start) : a.count < b.count ? -1 : 1
        }
        // A mark after a letter changes the letter.
        for text in [a, b] where text[place] >= 0x80 || (place + 1 < text.count && text[place + 1] >= 0x80) {
            return compareSlowly(a, b, from: start)
        }
        return ASCII.lowercased(a[place]) < ASCII.lowercased(b[place]) ? -1 : 1
    }

    private static func compareSlowly(
        _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, from start: Int
    ) -> Int32 {
        if let x = LowercaseTable.lowercased(a[start...]), let y = LowercaseTable.lowercased(b[start...]) {
            return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
        }
        let x = String(decoding: a[start...], as: UTF8.self).lowercased()
        let y = String(decoding: b[start...], as: UTF8.self).lowercased()
        return x == y ? 0 : x < y ? -1 : 1
    }
}
