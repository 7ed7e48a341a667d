internal import StoreEngine

/// The positions of the order and the limit in criteria, outside parentheses.
struct CriteriaEnd {
    /// Whether the text contains an order.
    private(set) var isOrdered = false
    private let tokens: SQLTokens
    /// The position of LIMIT; nil if there is no limit.
    private var limit: Int?
    /// The position after the last token that is neither space, comment nor semicolon.
    private var end = 0

    init(_ text: String) {
        tokens = SQLTokens(Array(text.utf8))
        var rest = tokens
        var depth = 0
        while let token = rest.next() {
            switch token.kind {
            case .space, .comment, .semicolon: continue
            case .open: depth += 1
            case .close: depth -= 1
            case .word where depth == 0:
                switch tokens.name(token).map(Naming.folded) {
                case "order": isOrdered = true
                case "limit": limit = token.range.lowerBound
                default: break
                }
            default: break
            }
            end = token.range.upperBound
        }
    }

    /// The text with an order by id if it selects only some rows, or if `always` is true, and has no order, because the
    /// selected rows must not depend on indexes.
    func ordered(always: Bool) -> String {
        guard !isOrdered, always || limit != nil else { return tokens.text(0..<tokens.bytes.count) }
        let place = limit ?? end
        // The first column is the id. With a limit, SQLite need not sort all rows to find the first.
        let order = limit == nil ? " ORDER BY 1 LIMIT 1 " : " ORDER BY 1 "
        return tokens.text(0..<place) + order + tokens.text(place..<tokens.bytes.count)
    }
}
