/// Where in the order of `COLLATE NOCASE` the texts are that `po_fold` makes one of.
///
/// SQLite's own collation knows the letters of ASCII only, but every program
/// has it, so an index can use it. What it finds is looked at with `po_fold`
/// again; so it has to find too much rather than too little: a text is looked
/// for by what it begins with, up to the first character that another one than
/// a letter of ASCII could have become.
enum CaseRange {
    /// `po_case_bound(folded, bound, isPrefix)`: the bounds of two ranges, from 0 to 3. Of each the second is the first
    /// text behind it, or what is behind all texts.
    static let function = EngineFunction(builtIn: "po_case_bound", argumentCount: 3) { call in
        guard let folded = try call.arguments.textBytes(0), let number = try call.arguments.integer(1) else { return }
        let bounds = try CaseRange.bounds(of: folded, isPrefix: call.arguments.integer(2) == 1)
        guard let bound = bounds[Int(number & 3)] else { return try call.give(.blob([0xFF])) }
        bound.withUnsafeBytes { call.give(text: $0) }
    }

    /// What an index has.
    static let key: @Sendable (SQL) -> SQL = { "\($0) COLLATE NOCASE" }

    /// That a text is in one of the ranges.
    static let condition: @Sendable (SQL, SQL, Bool) -> SQL = { column, text, isPrefix in
        func bound(_ number: Int) -> SQL { "po_case_bound(\(text), \(number: number), \(number: isPrefix ? 1 : 0))" }
        let key = key(column)
        return """
            (\(key) >= \(bound(0)) AND \(key) < \(bound(1)) OR \(key) >= \(bound(2)) AND \(key) < \(bound(3)))
            """
    }

    /// The bounds for a folded text; nil behind all texts.
    ///
    /// Three characters fold to one of ASCII that are none themselves: the
    /// sign for kelvin, the Greek question mark and the Greek grave accent. Of
    /// these the first is looked for too, in a range of its own; at the others,
    /// and at a second k, the search ends. A letter of ASCII with a mark behind
    /// it may have been one character.
    static func bounds(of folded: some Collection<UInt8>, isPrefix: Bool) -> [[UInt8]?] {
        var start: [UInt8] = []
        var k: Int?
        var isWhole = true
        for byte in folded {
            let letter = ASCII.lowercased(byte)
            let isSecondK = letter == UInt8(ascii: "k") && k != nil
            if byte >= 0x80 || isSecondK || letter == UInt8(ascii: ";") || letter == UInt8(ascii: "`") {
                isWhole = false
                if byte >= 0x80 { _ = start.popLast() }
                break
            }
            if letter == UInt8(ascii: "k") { k = start.count }
            start.append(letter)
        }
        if isWhole, isPrefix {
            // What follows may be a mark.
            _ = start.popLast()
            isWhole = false
        }
        let first: [[UInt8]?] = isWhole ? [start, start + [0]] : [start, end(of: start)]
        guard let k, k < start.count else { return first + [[], []] }
        let kelvin = Array(start[..<k]) + Array("\u{212A}".utf8)
        return first + [kelvin, Array(start[..<k]) + Array("\u{212B}".utf8)]
    }

    /// The first text behind those with a beginning: in the collation's order there are no capital letters.
    private static func end(of start: [UInt8]) -> [UInt8]? {
        guard let last = start.last else { return nil }
        let next: [UInt8] =
            switch last {
            case UInt8(ascii: "@"): [UInt8(ascii: "[")]
            case 0x7F: Array("\u{80}".utf8)
            default: [last + 1]
            }
        return Array(start.dropLast()) + next
    }
}
