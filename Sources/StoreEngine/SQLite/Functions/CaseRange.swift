/// The ranges in the order of `COLLATE NOCASE` that contain all strings with a given result of `po_fold`.
///
/// SQLite's own collation folds only ASCII letters, but every program has it, so an index can use it. Its results are
/// checked with `po_fold` again, so it must find too many rows rather than too few: a string is looked up by its prefix
/// up to the first character that could result from folding a character that is not an ASCII letter.
enum CaseRange {
    /// `po_case_bound(folded, bound, isPrefix)`: the bounds of two ranges, from 0 to 3. The second bound of each is the
    /// first string after it, or a value after all strings.
    static let function = EngineFunction(builtIn: "po_case_bound", argumentCount: 3) { call in
        guard let folded = try call.arguments.textBytes(0), let number = try call.arguments.integer(1) else { return }
        let bounds = try CaseRange.bounds(of: folded, isPrefix: call.arguments.integer(2) == 1)
        guard let bound = bounds[Int(number & 3)] else { return try call.give(.blob([0xFF])) }
        bound.withUnsafeBytes { call.give(text: $0) }
    }

    /// The index expression.
    static let key: @Sendable (SQL) -> SQL = { "\($0) COLLATE NOCASE" }

    /// The condition that a string is in one of the ranges.
    static let condition: @Sendable (SQL, SQL, Bool) -> SQL = { column, text, isPrefix in
        func bound(_ number: Int) -> SQL { "po_case_bound(\(text), \(number: number), \(number: isPrefix ? 1 : 0))" }
        let key = key(column)
        return """
            (\(key) >= \(bound(0)) AND \(key) < \(bound(1)) OR \(key) >= \(bound(2)) AND \(key) < \(bound(3)))
            """
    }

    /// The bounds for a folded string; nil after all strings.
    ///
    /// Three non-ASCII characters fold to ASCII characters: the Kelvin sign, the Greek question mark and the Greek
    /// grave accent. The first is also looked up, in a separate range; at the others, and at a second k, the prefix
    /// ends. An ASCII letter followed by a mark may have been one character.
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
            // The following character may be a mark.
            _ = start.popLast()
            isWhole = false
        }
        let first: [[UInt8]?] = isWhole ? [start, start + [0]] : [start, end(of: start)]
        guard let k, k < start.count else { return first + [[], []] }
        let kelvin = Array(start[..<k]) + Array("\u{212A}".utf8)
        return first + [kelvin, Array(start[..<k]) + Array("\u{212B}".utf8)]
    }

    /// The first string after those with a prefix: in the collation's order there are no uppercase letters.
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
