internal import Foundation

/// Texts without regard to accents.
package enum AccentFolding {
    /// The blocks of Unicode with the marks of alphabets. Those of other scripts (vowels of Hebrew, Arabic and Hindi, the
    /// voiced sounds of kana) make other words, and stay.
    package static let marks: [ClosedRange<UInt32>] = [
        0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
    ]

    /// `po_unaccented(x)`: the text as `unaccented` makes it.
    static let function = EngineFunction(builtIn: "po_unaccented", argumentCount: 1) { call in
        guard let bytes = try call.arguments.textBytes(0), !ASCII.isASCII(bytes) else {
            return try call.give(argument: 0)
        }
        call.give(unaccented(try call.arguments.text(0) ?? ""))
    }

    /// A text whose letters have no accents: `Müller` becomes `Muller`. Letters that are none with a mark, as ø, ł and ß,
    /// stay. What is left is composed (NFC).
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
