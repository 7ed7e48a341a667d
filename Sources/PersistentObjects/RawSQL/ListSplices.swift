internal import StoreEngine

/// The lists in raw SQL. If a placeholder follows `IN`, as in `IN (?)` or `IN ?`, the elements of a list are searched
/// instead of the list as one value.
///
/// The list stays one argument, so that the SQL is the same for any number of elements.
struct ListSplices {
    private let source: String
    /// The scan of the text, created for the first list, because most texts have no list.
    private var scan: ListScan?
    /// The encodings of the elements, by argument.
    private var lists: [Int: ListEncoding] = [:]

    init(_ source: String) { self.source = source }

    /// The column that the values of a list are compared with: a name, with dots if it is a path. Nil if the operand is
    /// not a name, or if the list does not follow an `IN`.
    mutating func column(of argument: Int) -> [String]? { scanned().uses[argument]?.column }

    /// The list as one argument; its placeholders are replaced in the text.
    mutating func add(_ values: [DatabaseValue], _ argument: Int) throws(ValueFault) -> DatabaseValue {
        guard let use = scanned().uses[argument], !use.ranges.isEmpty else {
            return .text(try JSONList(values).text)
        }
        // Other uses of the argument expect plain JSON.
        guard use.isListOnly else {
            lists[argument] = .plain
            return .text(try JSONList(values).text)
        }
        let list = ListArgument.json(of: values)
        lists[argument] = list.needsDecoding ? .tagged : .plain
        return .text(list.text)
    }

    private mutating func scanned() -> ListScan {
        if let scan { return scan }
        let made = ListScan(source)
        scan = made
        return made
    }

    /// The statement to run. Without lists it needs no dialect, which takes half a microsecond to copy.
    func sql(_ dialect: @autoclosure () -> Dialect) -> SQL {
        guard let scan, !lists.isEmpty else { return SQL(RawSQL(source)) }
        let dialect = dialect()
        let places = lists.flatMap { argument, encoding in
            (scan.uses[argument]?.ranges ?? []).map { (range: $0, encoding: encoding) }
        }
        var sql = SQL()
        var end = 0
        func text(_ range: Range<Int>) -> SQL { SQL(RawSQL(scan.tokens.text(range))) }
        for (range, encoding) in places.sortedUnspecialized(by: {
            $0.range.whole.lowerBound < $1.range.whole.lowerBound
        }) {
            let list = dialect.listRows(text(range.placeholder), encoding)
            sql.append("\(text(end..<range.whole.lowerBound))\(list)")
            end = range.whole.upperBound
        }
        return sql + text(end..<scan.tokens.bytes.count)
    }
}

/// The placeholders of a text by argument index.
private struct ListScan {
    struct Use {
        /// The placeholders after `IN`.
        var ranges: [(whole: Range<Int>, placeholder: Range<Int>)] = []
        var isListOnly = true
        var column: [String]?
    }

    let tokens: SQLTokens
    private(set) var uses: [Int: Use] = [:]
    private var all: [SQLTokens.Token] = []

    init(_ text: String) {
        tokens = SQLTokens(Array(text.utf8))
        var rest = tokens
        while let token = rest.next() { if token.kind != .space, token.kind != .comment { all.append(token) } }
        var last = 0
        var names: [String: Int] = [:]
        for place in all.indices where all[place].kind == .placeholder {
            record(place, as: number(of: all[place], &last, &names) - 1)
        }
        // With a SELECT in the text, a name may belong to another table.
        if all.indices.contains(where: { isWord("select", at: $0) }) {
            for key in uses.keys { uses[key]?.column = nil }
        }
    }

    /// The number that SQLite assigns: `?7` is the seventh argument, `?` is the argument after the highest so far, and
    /// a repeated name has the same number.
    private func number(of token: SQLTokens.Token, _ last: inout Int, _ names: inout [String: Int]) -> Int {
        let text = tokens.text(token.range)
        if let known = names[text] { return known }
        // SQLite rejects this number, so the placeholder is ignored here.
        let number = text.hasPrefix("?") && text != "?" ? Int(text.dropFirst()) ?? .max : last + 1
        guard number <= 1_000_000 else { return .max }
        last = max(last, number)
        if !text.hasPrefix("?") { names[text] = number }
        return number
    }

    private mutating func record(_ place: Int, as argument: Int) {
        let isInBrackets = place > 0 && all[place - 1].kind == .open && kind(place + 1) == .close
        let before = isInBrackets ? place - 2 : place - 1
        var use = uses[argument] ?? Use()
        defer { uses[argument] = use }
        guard isWord("in", at: before) else {
            use.isListOnly = false
            return
        }
        let placeholder = all[place].range
        let whole =
            isInBrackets ? all[place - 1].range.lowerBound..<all[place + 1].range.upperBound : placeholder
        use.ranges.append((whole, placeholder))
        // If the list is compared with several columns, none of them determines its type.
        use.column = use.ranges.count == 1 ? column(before: isWord("not", at: before - 1) ? before - 1 : before) : nil
    }

    /// The name before a token; nil if the name ends a longer expression.
    private func column(before place: Int) -> [String]? {
        var names: [String] = []
        var place = place - 1
        while place >= 0, let name = tokens.name(all[place]) {
            names.insert(name, at: 0)
            guard kind(place - 1) == .dot else { break }
            place -= 2
        }
        guard place > 0 else { return names.isEmpty ? nil : names }
        switch all[place - 1].kind {
        case .word where ["where", "and", "or", "not", "when", "on", "having"].contains { isWord($0, at: place - 1) },
            .open, .comma:
            return names.isEmpty ? nil : names
        default: return nil
        }
    }

    private func kind(_ place: Int) -> SQLTokens.Kind? { all.indices.contains(place) ? all[place].kind : nil }

    private func isWord(_ word: String, at place: Int) -> Bool {
        kind(place) == .word && tokens.text(all[place].range).lowercased() == word
    }
}
