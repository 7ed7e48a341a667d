internal import StoreEngine

// Comparisons that take more than one operation, for `where { }` and for finders.
extension QueryExpression {
    /// A comparison with a value. Equality with nil uses separate operators.
    func comparing(_ operation: QueryOperation, _ value: QueryExpression) -> QueryExpression {
        guard value.isNil, value.problem == nil, operation == .equal || operation == .notEqual else {
            return applying(operation, value)
        }
        return applying(operation == .equal ? .isNil : .isNotNil)
    }

    /// The condition that the value is in a closed range.
    func between(_ lower: QueryExpression, _ upper: QueryExpression) -> QueryExpression {
        var result = self
        result.append(lower)
        return result.applying(.between, upper)
    }

    /// The condition that the value is one of some values, which may include nil.
    func isIn(_ arguments: [Argument]) -> QueryExpression {
        var values: [DatabaseValue] = []
        var names: [ObjectName] = []
        for argument in arguments {
            switch argument {
            case .value(let value): if value != .null { values.append(value) }
            case .object(let name): names.append(name)
            }
        }
        var parts = names.map { applying(.equal, QueryExpression(argument: .object($0))) }
        if arguments.contains(.value(.null)) { parts.append(applying(.isNil)) }
        if parts.isEmpty || !values.isEmpty {
            let list = ListArgument.json(of: values)
            let argument = QueryExpression(argument: .value(.text(list.text)))
            parts.insert(applying(.isIn(decoded: list.needsDecoding), argument), at: 0)
        }
        return parts.dropFirst().reduce(parts[0]) { $0.applying(.or, $1) }
    }

    /// The condition that a string begins with another. It is a range, because a range can use an index and a function
    /// call cannot.
    func hasPrefix(_ prefix: String) -> QueryExpression {
        guard !prefix.isEmpty else { return applying(.isNotNil) }
        let start = QueryExpression(argument: .value(.text(prefix)))
        guard let end = TextRange.end(ofPrefix: prefix) else { return applying(.greaterOrEqual, start) }
        var result = self
        result.append(start)
        return result.applying(.hasPrefix, QueryExpression(argument: .value(.text(end))))
    }

    /// The condition that a string ends with another. Bytes are compared, because a string's length in SQL ends at a
    /// NUL.
    func hasSuffix(_ suffix: String) -> QueryExpression {
        guard !suffix.isEmpty else { return applying(.isNotNil) }
        var result = self
        result.append(.value(.blob(Array(suffix.utf8))))
        return result.applying(
            .hasSuffix, QueryExpression(argument: .value(.integer(Int64(suffix.utf8.count)))))
    }
}

extension QueryOperation {
    /// Whether a string contains a match of this regular expression.
    static func regexp(for pattern: String) -> QueryOperation {
        PatternLiterals.havePrefix(pattern) ? .anchoredRegexp : .regexp
    }
}

enum TextPattern {
    /// The pattern of `GLOB`, which is case-sensitive and uses an index, for a pattern of `LIKE` with `\`.
    static func glob(fromLike pattern: String) -> String {
        var glob = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "%" where !isEscaped: glob.append("*")
            case "_" where !isEscaped: glob.append("?")
            case "*", "?", "[": glob.append(contentsOf: "[\(Character(scalar))]".unicodeScalars)
            default: glob.append(scalar)
            }
            isEscaped = false
        }
        if isEscaped { glob.append("\\") }
        return String(glob)
    }
}

extension String {
    /// The string without case differences, as SQL's `po_fold` returns it, and without accents.
    func folded(_ isFolded: Bool, _ isUnaccented: Bool = false) -> String {
        let text = isFolded ? CaseFolding.folded(self) : self
        return isUnaccented ? AccentFolding.unaccented(text) : text
    }
}
