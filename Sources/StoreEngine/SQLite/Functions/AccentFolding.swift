internal import Foundation

/// Removal of accents from strings.
package enum AccentFolding {
    /// The Unicode blocks with the marks of alphabets. Marks of other scripts (Hebrew, Arabic and Hindi vowels, voiced
    /// kana) change the word, and are kept.
    package static let marks: [ClosedRange<UInt32>] = [
        0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    /// `po_unaccented(x)`: the result of `unaccented`.
    static let function = EngineFunction(builtIn: "po_unaccented", argumentCount: 1) { call in
        guard let bytes = try call.arguments.textBytes(0), !ASCII.isASCII(bytes) else {
            return try call.give(argument: 0)
        }
        call.give(unaccented(try call.arguments.text(0) ?? ""))
    }

    /// A string whose letters have no accents: `Müller` becomes `Muller`. Letters that are not a base letter plus a
    /// mark, such as ø, ł and ß, are kept. The result is composed (NFC).
    package static func unaccented(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var bare = String.UnicodeScalarView()
        bare.append(
            contentsOf: text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { scalar in
                !marks.contains { $0.contains(scalar.value) }
            })
        return String(bare).precomposedStringWithCanonicalMapping
    }
}
