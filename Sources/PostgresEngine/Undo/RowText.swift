/// A row in the server's text: `(1,Smith,"a, b",)`. A field with nothing in it is NULL.
///
/// https://www.postgresql.org/docs/15/rowtypes.html#ROWTYPES-IO-SYNTAX
enum RowText {
    static let (start, end) = (UInt8(ascii: "("), UInt8(ascii: ")"))
    static let comma = UInt8(ascii: ",")
    private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

    /// Finds the fields of the row that begins at a place, and returns the place after the row.
    static func findFields(
        _ bytes: [UInt8], from start: Int, into fields: inout [Range<Int>]
    ) -> Int {
        fields.removeAll(keepingCapacity: true)
        var place = start + 1
        while place < bytes.count {
            let begin = place
            var isQuoted = false
            while place < bytes.count {
                let byte = bytes[place]
                if byte == quote {
                    isQuoted.toggle()
                } else if isQuoted {
                    if byte == backslash { place += 1 }
                } else if byte == comma || byte == end {
                    break
                }
                place += 1
            }
            guard place < bytes.count else { break }
            fields.append(begin..<place)
            place += 1
            if bytes[place - 1] == end { return place }
        }
        return bytes.count
    }

    /// Calls `body` with the fields of each of some rows, which follow one another.
    static func forEach(
        _ bytes: [UInt8], _ body: (_ row: Range<Int>, _ fields: [Range<Int>]) -> Void
    ) {
        var fields: [Range<Int>] = []
        var place = 0
        while place < bytes.count {
            let start = place
            place = findFields(bytes, from: start, into: &fields)
            body(start..<place, fields)
        }
    }

    /// The rows as strings.
    static func strings(_ bytes: [UInt8]) -> [String] {
        var strings: [String] = []
        forEach(bytes) { row, _ in strings.append(String(decoding: bytes[row], as: UTF8.self)) }
        return strings
    }
}
