internal import StoreEngine

/// Dotted names in criteria text whose first part is a reference: `department.name`.
///
/// Each path becomes the value at its end: a subquery by ids, so that the class's rows are not multiplied. The value is
/// NULL if an object on the path is missing. Only names from class maps enter the SQL; all other text is unchanged.
struct CriteriaPaths {
    private let text: RawSQL
    private let map: ClassMap
    private let session: Session

    init(_ text: RawSQL, _ map: ClassMap, _ session: Session) {
        self.text = text
        self.map = map
        self.session = session
    }

    /// The text with its paths replaced.
    func resolved() throws -> SQL {
        if !map.sealedOrdinals.isEmpty { try checkColumns() }
        // A path contains a dot, but most criteria contain none.
        guard text.text.utf8.contains(UInt8(ascii: ".")) else { return SQL(text) }
        var sql = SQL()
        let scan = CriteriaScan(text.text)
        var end = 0
        for path in scan.paths {
            guard let value = try value(of: path, sources: scan.sources) else { continue }
            sql.append("\(raw: RawSQL(scan.tokens.text(end..<path.range.lowerBound)))\(value)")
            end = path.range.upperBound
        }
        sql.append(SQL(RawSQL(scan.tokens.text(end..<scan.tokens.bytes.count))))
        return sql
    }

    /// The SQL of a path; nil if it is raw SQL, `table.column`.
    private func value(of path: CriteriaScan.Path, sources: Set<String>) throws -> SQL? {
        var names = path.names[...]
        if Naming.folded(path.names[0]) == Naming.folded(map.table) {
            guard names.count > 2 else { return nil }
            names = names.dropFirst()
        } else if sources.contains(Naming.folded(path.names[0])) {
            return nil
        }
        let isLink = map.named(names[names.startIndex]).map { map.properties[$0].isLink } ?? false
        guard isLink || map.field(names) != nil else { return nil }
        let steps = try steps(names)
        // The path starts at a column of the class's own row.
        var value: SQL = "\(column: steps[0].property?.column ?? "id", of: map.table)"
        for (depth, step) in steps.dropFirst().enumerated() {
            // The id of the referenced row is already known.
            guard let property = step.property else { return value }
            if property.sealing != nil { throw error("\(text(names)) is encrypted, so raw SQL cannot use it") }
            value = try subquery(property.column, of: step.map, id: value, depth: depth)
        }
        return value
    }

    /// Throws if the text names an encrypted column of the class.
    private func checkColumns() throws {
        let sealed = map.sealedOrdinals.map { map.properties[$0] }
        var tokens = SQLTokens(Array(text.text.utf8))
        while let token = tokens.next() {
            guard token.kind == .word || token.kind == .quotedName, let name = tokens.name(token).map(Naming.folded),
                let property = sealed.first(where: { Naming.folded($0.column) == name })
            else { continue }
            throw error(
                "\(property.name) is encrypted, so raw SQL cannot use it. "
                    + (property.sealing?.isSearchable == true
                        ? "Use where { $0.\(property.name) == … }" : "Compare the values in Swift"))
        }
    }

    /// The properties on a path.
    private func steps(_ names: ArraySlice<String>) throws -> [NamePath.Step] {
        func check(_ property: Property, _ read: ArraySlice<String>) throws {
            guard read.count > 1, !property.hasColumn || property.codec is CollectionCodec else { return }
            throw error("\(text(read)) is a collection or an inverse, which is not a single value. Use a subquery")
        }
        do {
            let path = try NamePath(names, from: map, prefersID: true) { property, read in
                try check(property, read)
                return try (property.codec as? ReferenceCodec).map { try session.space(of: $0.target).map }
            }
            if let last = path.steps.last?.property { try check(last, names) }
            return path.steps
        } catch NamePath.Fault.notAnObject(let read) {
            throw error("\(text(read)) is not a reference, so no property can follow it")
        } catch NamePath.Fault.unknown(let read, let target, let advice) {
            throw error(
                "\(text(read)) refers to \(target.name), which has no property \(read.last ?? "")\(advice)")
        }
    }

    private func text(_ names: ArraySlice<String>) -> String { names.joined(separator: ".") }

    /// `(SELECT "name" FROM "department" WHERE "id" = …)`, with an alias that no user table is likely to have.
    private func subquery(_ column: String, of map: ClassMap, id: SQL, depth: Int) throws -> SQL {
        let alias = " path \(depth)"
        return """
            (SELECT \(column: column, of: alias) FROM \(try map.rows(as: alias, session.dialect)) \
            WHERE \(column: "id", of: alias) = \(id))
            """
    }

    private func error(_ message: String) -> StoreError { StoreError(.invalidSQL, message, className: map.name) }
}

/// The dotted names and the tables in criteria text.
struct CriteriaScan {
    struct Path {
        let names: [String]
        let range: Range<Int>
    }

    let tokens: SQLTokens
    /// Names joined by dots, in order.
    private(set) var paths: [Path] = []
    /// The folded names of tables and aliases in FROM and JOIN clauses.
    private(set) var sources: Set<String> = ["main", "temp"]

    /// The parser's state within one pair of parentheses.
    private struct Scope {
        /// At the start true, because criteria follow `FROM table`.
        var isInFrom = false
        var wantsTable = false
        var mayHaveAlias = false
    }

    private static let clauses: Set<String> = [
        "where", "group", "order", "having", "limit", "window", "union", "intersect", "except", "select", "values",
    ]
    private static let joins: Set<String> = [
        "left", "right", "full", "inner", "outer", "cross", "natural", "indexed", "not", "collate", "returning",
    ]

    init(_ text: String) {
        tokens = SQLTokens(Array(text.utf8))
        var all: [SQLTokens.Token] = []
        var rest = tokens
        while let token = rest.next() { if token.kind != .space, token.kind != .comment { all.append(token) } }
        var scopes = [Scope(isInFrom: true, mayHaveAlias: true)]
        var place = 0
        while place < all.count {
            if let name = tokens.name(all[place]) {
                var names = [name]
                var last = place
                while last + 2 < all.count, all[last + 1].kind == .dot, let next = tokens.name(all[last + 2]) {
                    names.append(next)
                    last += 2
                }
                record(names, isWord: all[place].kind == .word, &scopes[scopes.count - 1])
                if names.count > 1, place == 0 || all[place - 1].kind != .dot {
                    paths.append(Path(names: names, range: all[place].range.lowerBound..<all[last].range.upperBound))
                }
                place = last + 1
            } else {
                record(all[place].kind, &scopes)
                place += 1
            }
        }
    }

    private mutating func record(_ names: [String], isWord: Bool, _ scope: inout Scope) {
        let word = isWord && names.count == 1 ? Naming.folded(names[0]) : ""
        if word == "from" || word == "join" {
            scope = Scope(isInFrom: true, wantsTable: true)
        } else if CriteriaScan.clauses.contains(word) {
            scope = Scope()
        } else if word == "on" || word == "using" || CriteriaScan.joins.contains(word) {
            scope.wantsTable = false
            scope.mayHaveAlias = false
        } else if word == "as" {
            scope.mayHaveAlias = scope.isInFrom
        } else if scope.wantsTable {
            // The last name of `schema.table` is the table.
            sources.insert(Naming.folded(names[names.count - 1]))
            scope.wantsTable = false
            scope.mayHaveAlias = true
        } else if scope.mayHaveAlias {
            if names.count == 1 { sources.insert(Naming.folded(names[0])) }
            scope.mayHaveAlias = false
        }
    }

    private func record(_ kind: SQLTokens.Kind, _ scopes: inout [Scope]) {
        switch kind {
        case .comma: if scopes[scopes.count - 1].isInFrom { scopes[scopes.count - 1].wantsTable = true }
        case .open:
            let isSource = scopes[scopes.count - 1].wantsTable
            scopes[scopes.count - 1].wantsTable = false
            if isSource { scopes[scopes.count - 1].mayHaveAlias = true }
            scopes.append(Scope(isInFrom: isSource, wantsTable: isSource))
        case .close: if scopes.count > 1 { scopes.removeLast() }
        default: break
        }
    }
}
