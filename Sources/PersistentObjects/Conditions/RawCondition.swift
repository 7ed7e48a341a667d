internal import StoreEngine

/// A condition in raw SQL, `age > ?`, as a part of a query.
///
/// It is tokenized before it becomes part of a statement. Only names of the class's properties or columns, literals,
/// operators, the words in `keywords`, function calls and placeholders are accepted.
///
/// It is a class, so that a word of a condition stays small.
final class RawCondition: Hashable, Sendable {
    let text: String
    /// For each argument, nil if it is not a list, otherwise whether the list is tagged.
    let lists: [Bool?]
    /// The scope of the objects whose properties it names.
    let scope: Int

    init(_ text: String, lists: [Bool?], scope: Int = 0) {
        self.text = text
        self.lists = lists
        self.scope = scope
    }

    /// The condition with the objects of another scope.
    func rescoped(to scope: Int) -> RawCondition { RawCondition(text, lists: lists, scope: scope) }

    static func == (a: RawCondition, b: RawCondition) -> Bool {
        a.text == b.text && a.lists == b.lists && a.scope == b.scope
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(scope)
        hasher.combine(lists)
    }

    /// Keywords, which keep their meaning even if a property has the same name. Quoted names are not keywords.
    private static let keywords: Set<String> = [
        "and", "or", "not", "is", "null", "in", "like", "between", "escape", "case", "when", "then", "else", "end",
        "true",
        "false", "isnull", "notnull", "cast", "as", "glob", "regexp",
    ]
    /// The types that `CAST` accepts.
    private static let types: Set<String> = ["integer", "bigint", "real", "text", "blob", "numeric"]
    private static let operators = Set("=<>!+-*/%|&~".utf8)

    /// A piece of the text.
    private enum Piece {
        case name([String])
        case word(String)
        case function(String)
        /// An argument, by its index.
        case argument(Int)
        /// `IN` and the argument after it.
        case list(Int)
        case raw(Range<Int>)
    }

    /// The condition as SQL.
    ///
    /// - Parameters:
    ///   - arguments: The SQL of the placeholders.
    /// - column: Returns the SQL of the property that a path of names leads to.
    /// - compared: Is called with the index of each argument, after the property that it is compared with.
    func written(
        _ dialect: Dialect, _ arguments: [SQL], column: ([String]) throws -> SQL, compared: (Int) -> Void
    ) throws -> SQL {
        let tokens = SQLTokens(Array(text.utf8))
        let pieces = try pieces(tokens)
        let count = pieces.reduce(0) { count, piece in
            switch piece {
            case .argument, .list: count + 1
            default: count
            }
        }
        guard count == arguments.count else {
            throw fault(
                "it has \(count) placeholder\(count == 1 ? "" : "s"), but the call has \(arguments.count) "
                    + "argument\(arguments.count == 1 ? "" : "s")")
        }
        var sql = SQL()
        for piece in pieces {
            switch piece {
            case .name(let names): sql.append(try column(names))
            // The word is one of the keywords or types above, so it is safe as raw SQL.
            case .word(let word): sql.append(SQL(RawSQL(word.uppercased())))
            case .function(let name):
                guard !dialect.isAggregate(name, 1) else {
                    throw fault("\(name) is an aggregate function, but the condition is evaluated for each row")
                }
                sql.append("\(name: name)")
            case .argument(let place):
                guard lists[place] == nil else {
                    throw fault("argument \(place + 1) is a list. Write IN before its placeholder")
                }
                compared(place)
                sql.append(arguments[place])
            case .list(let place):
                compared(place)
                let encoding: ListEncoding = lists[place] == true ? .tagged : .plain
                sql.append("IN \(dialect.listRows(arguments[place], encoding))")
            case .raw(let range): sql.append(SQL(RawSQL(tokens.text(range))))
            }
            sql.append(" ")
        }
        return "(\(sql))"
    }

    private func fault(_ message: String) -> QueryError { .notExpressible("In the condition \"\(text)\": \(message)") }

    private func pieces(_ tokens: SQLTokens) throws -> [Piece] {
        var all: [SQLTokens.Token] = []
        var rest = tokens
        while let token = rest.next() { if token.kind != .space { all.append(token) } }
        guard !all.isEmpty else { throw fault("it is empty") }
        var pieces: [Piece] = []
        var depth = 0
        var argumentCount = 0
        var place = 0
        while place < all.count {
            let token = all[place]
            let next = place + 1 < all.count ? all[place + 1].kind : nil
            switch token.kind {
            case .space: break
            case .open:
                depth += 1
                pieces.append(.raw(token.range))
            case .close:
                depth -= 1
                guard depth >= 0 else { throw fault("a closing parenthesis has no opening parenthesis") }
                pieces.append(.raw(token.range))
            case .comma, .text, .number: pieces.append(.raw(token.range))
            case .placeholder:
                guard token.range.count == 1, tokens.text(token.range) == "?" else {
                    throw fault(
                        "\(tokens.text(token.range)) is not a placeholder here. Write ? for each argument, in order")
                }
                pieces.append(.argument(argumentCount))
                argumentCount += 1
            case .word, .quotedName:
                var names = [tokens.name(token) ?? ""]
                var last = place
                while last + 2 < all.count, all[last + 1].kind == .dot, let name = tokens.name(all[last + 2]) {
                    names.append(name)
                    last += 2
                }
                let word = token.kind == .word && names.count == 1 ? Naming.folded(names[0]) : ""
                if word == "in", let list = list(all, after: place), argumentCount < lists.count,
                    lists[argumentCount] != nil
                {
                    pieces.append(.list(argumentCount))
                    argumentCount += 1
                    last = list
                } else if RawCondition.keywords.contains(word) {
                    pieces.append(.word(word))
                } else if RawCondition.types.contains(word), case .word("as")? = pieces.last {
                    pieces.append(.word(word))
                } else if next == .open, names.count == 1 {
                    pieces.append(.function(names[0]))
                } else {
                    pieces.append(.name(names))
                }
                place = last
            case .other:
                guard token.range.count == 1, RawCondition.operators.contains(tokens.bytes[token.range.lowerBound])
                else {
                    throw fault("\(tokens.text(token.range)) has no meaning in a condition")
                }
                // An operator of two characters may not contain a space.
                var end = token.range.upperBound
                while place + 1 < all.count, all[place + 1].kind == .other, all[place + 1].range.lowerBound == end,
                    all[place + 1].range.count == 1,
                    RawCondition.operators.contains(tokens.bytes[all[place + 1].range.lowerBound])
                {
                    place += 1
                    end = all[place].range.upperBound
                }
                pieces.append(.raw(token.range.lowerBound..<end))
            case .comment, .semicolon, .dot:
                throw fault("\(tokens.text(token.range)) is not allowed in a condition")
            }
            place += 1
        }
        guard depth == 0 else { throw fault("a parenthesis is not closed") }
        return pieces
    }

    /// The index of the last token of `?` or `(?)` after a word; nil if anything else follows.
    private func list(_ all: [SQLTokens.Token], after place: Int) -> Int? {
        let kinds = all[(place + 1)...].prefix(3).map(\.kind)
        if kinds.first == .placeholder { return place + 1 }
        return kinds == [.open, .placeholder, .close] ? place + 3 : nil
    }
}
