import StoreEngine
import TestSupport
import Testing

/// Short texts are made by hand, and are the standard library's own.
struct ShortTextTests {
    /// What is made of bytes with nothing behind them, so that a sanitizer sees a read too far.
    private static func made(_ bytes: [UInt8]) -> String? {
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        defer { memory.deallocate() }
        memory.initialize(from: bytes, count: bytes.count)
        return ShortText.string(memory, bytes.count)
    }

    private static func hasSameBits(_ a: String, _ b: String) -> Bool {
        withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { a.elementsEqual($0) } }
    }

    @Test(arguments: 0..<16) func `every length is made as the library makes it`(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        for _ in 0..<200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0..<128, using: &random) }
            let text = try #require(Self.made(bytes))
            let own = String(decoding: bytes, as: UTF8.self)
            #expect(text == own && Array(text.utf8) == bytes && text.hashValue == own.hashValue)
            #expect(Self.hasSameBits(text, own), "equal bits are what finds an object unchanged")
            var longer = text
            longer += "ä and a text that is too long to be short"
            #expect(longer.utf8.count == count + 42)
        }
    }

    @Test(arguments: 1..<16) func `what is not ASCII is left to the library`(count: Int) {
        for place in 0..<count {
            var bytes = [UInt8](repeating: 0x41, count: count)
            bytes[place] = 0x80 | UInt8(place)
            #expect(Self.made(bytes) == nil)
        }
    }

    @Test func `texts come back from a database as they are, and broken ones are refused`() throws {
        try withConnection { connection throws in
            for text in ["", "a", "ä", "exactly 15 char", "exactly 16 chars", "fünfzehn Bytes", "\u{0}", "a\u{0}b"] {
                let statement = try connection.prepare(SQL(raw: "SELECT ?"))
                try statement.bind(text, at: 1)
                #expect(try statement.step())
                #expect(try statement.columns[0].text() == text && statement.column(0).text() == text)
                statement.finish()
            }
            let statement = try connection.prepare(SQL(raw: "SELECT CAST(x'61ff62' AS TEXT)"))
            #expect(try statement.step())
            #expect(throws: ValueFault.self) { try statement.columns[0].text() }
            statement.finish()
        }
    }
}
