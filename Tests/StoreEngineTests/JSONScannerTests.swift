import Testing

@_spi(JSON) @testable import StoreEngine

/// The grammar shared by all readers of JSON.
struct JSONScannerTests {
    @Test(arguments: [
        ("0", 1), ("-0", 2), ("10.50e-3", 8), ("9007199254740993.0", 18), ("1E+5,", 4), ("01", 1), ("7 ", 1),
    ])
    func `skipping a number skips all of it`(text: String, end: Int) {
        var scan = JSONScanner(Array(text.utf8))
        #expect(scan.skipNumber() && scan.at == end)
    }

    @Test(arguments: [("", 0), ("-", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.x", 2), ("1e", 2), ("1e+", 3), ("a", 0)])
    func `skipping an invalid number stops at the invalid character`(text: String, end: Int) {
        var scan = JSONScanner(Array(text.utf8))
        #expect(!scan.skipNumber() && scan.at == end)
    }

    @Test func `plain text ends at a quote, a backslash, a control character or the end of input`() {
        for (text, end, isASCII) in [
            ("ab\"c", 2, true), ("é\\n", 2, false), ("a\u{1}", 1, true), ("abc", 3, true), ("", 0, true),
            ("a\u{7f}", 2, true),
        ] {
            var scan = JSONScanner(Array(text.utf8))
            #expect(scan.skipPlainText() == isASCII && scan.at == end, "\(text)")
        }
    }

    @Test func `a code unit consists of four hexadecimal digits without a sign`() {
        for (text, unit) in [("00e9", 0xe9), ("FfFf", 0xffff), ("12345", 0x1234)] {
            var scan = JSONScanner(Array(text.utf8))
            #expect(scan.takeCodeUnit().map { Int($0) } == unit && scan.at == 4, "\(text)")
        }
        for text in ["", "123", "+123", "12g4", "-001", " 123", "\u{e9}12"] {
            var scan = JSONScanner(Array(text.utf8))
            #expect(scan.takeCodeUnit() == nil && scan.at == 0, "\(text)")
        }
    }

    @Test func `a word is taken whole or not at all`() {
        var scan = JSONScanner(Array("truefals".utf8))
        #expect(!scan.take(word: "false") && scan.at == 0 && scan.take(word: "true") && scan.at == 4)
        #expect(!scan.take(word: "false") && scan.at == 4 && scan.byte == UInt8(ascii: "f") && !scan.isAtEnd)
    }
}
