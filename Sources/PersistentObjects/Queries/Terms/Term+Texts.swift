// Strings are compared scalar by scalar as they are stored, so composed and decomposed characters differ.
extension Term where Value == String {
    /// Whether the string begins with another; false for nil.
    public func hasPrefix(_ prefix: String) -> Condition { Condition(expression.hasPrefix(prefix)) }

    /// Whether the string ends with another; false for nil.
    public func hasSuffix(_ suffix: String) -> Condition { Condition(expression.hasSuffix(suffix)) }

    /// Whether the string contains another; false for nil.
    public func contains(_ text: String) -> Condition { comparing(.contains, text) }

    /// Whether the string matches a `LIKE` pattern, case-sensitively; false for nil.
    ///
    /// `%` matches any string, `_` matches one character, and `\` before either matches the character itself.
    public func like(_ pattern: String) -> Condition { comparing(.glob, TextPattern.glob(fromLike: pattern)) }

    /// Whether the string contains a match of a regular expression; false for nil.
    ///
    /// The syntax is that of `NSRegularExpression`. An invalid expression throws a `StoreError` when the query runs.
    public func matches(_ pattern: String) -> Condition { comparing(.regexp(for: pattern), pattern) }

    /// The string without case differences, and without accents if `isUnaccented` is true.
    func folded(_ isFolded: Bool, _ isUnaccented: Bool = false) -> Term {
        let term = isFolded ? made(.folded) : self
        // Case is folded first, because the lowercase of İ contains an accent.
        return isUnaccented ? term.made(.unaccented) : term
    }

    func comparing(
        _ operation: QueryOperation, to text: String, ignoringCase: Bool, ignoringAccents: Bool = false
    ) -> Condition {
        folded(ignoringCase, ignoringAccents).comparing(operation, text.folded(ignoringCase, ignoringAccents))
    }

    /// The string in lowercase, as Swift's `lowercased()` returns it.
    public func lowercased() -> Term { made(.lowercased) }

    /// The string in uppercase, as Swift's `uppercased()` returns it.
    public func uppercased() -> Term { made(.uppercased) }

    /// The string without accents: `Müller` becomes `Muller`.
    ///
    /// Letters that are not a base letter plus an accent, such as ø, ł and ß, stay, and so do the marks of scripts in
    /// which they distinguish words.
    public func withoutAccents() -> Term { made(.unaccented) }

    /// The number of characters; nil for nil.
    public var count: Term<Int, Int?> { made(.characterCount) }

    /// Whether the string is empty; false for nil.
    public var isEmpty: Condition { comparing(.equal, "") }

    /// The string with another appended.
    public static func + (a: Term, b: String) -> Term { a.made(.concatenate, QueryExpression(value: b)) }

    /// The string with that of another property appended; nil if either is nil.
    public static func + <A>(a: Term, b: Term<String, A>) -> Term<String, String?> {
        a.made(.concatenate, b.expression)
    }
}
