// Texts. They are compared scalar by scalar as they are stored: composed and decomposed letters differ.
extension Term where Value == String {
    /// Whether the text begins with another; false for nil.
    public func hasPrefix(_ prefix: String) -> Condition { Condition(expression.hasPrefix(prefix)) }

    /// Whether the text ends with another; false for nil.
    public func hasSuffix(_ suffix: String) -> Condition { Condition(expression.hasSuffix(suffix)) }

    /// Whether the text has another in it; false for nil.
    public func contains(_ text: String) -> Condition { comparing(.contains, text) }

    /// Whether the text matches a pattern of `LIKE`, with `%` for any text, `_` for one character, and `\` before either
    /// to mean just that; small and capital letters differ. False for nil.
    public func like(_ pattern: String) -> Condition { comparing(.glob, TextPattern.glob(fromLike: pattern)) }

    /// Whether a regular expression is found in the text; false for nil.
    ///
    /// The syntax is that of `NSRegularExpression`. One that is wrong is a
    /// `StoreError` when the query is run.
    public func matches(_ pattern: String) -> Condition { comparing(.regexp, pattern) }

    /// The text without the difference of small and capital letters, and without accents, where these are not to count.
    func folded(_ isFolded: Bool, _ isUnaccented: Bool = false) -> Term {
        let term = isFolded ? made(.folded) : self
        // In this order: a capital İ has a small letter that has the mark.
        return isUnaccented ? term.made(.unaccented) : term
    }

    func comparing(
        _ operation: QueryOperation, to text: String, ignoringCase: Bool, ignoringAccents: Bool = false
    ) -> Condition {
        folded(ignoringCase, ignoringAccents).comparing(operation, text.folded(ignoringCase, ignoringAccents))
    }

    /// The text in small letters, as Swift's `lowercased()` gives it.
    public func lowercased() -> Term { made(.lowercased) }

    /// The text in capital letters, as Swift's `uppercased()` gives it.
    public func uppercased() -> Term { made(.uppercased) }

    /// The text without accents: `Müller` becomes `Muller`. Letters that are none with a mark, as ø, ł and ß, stay, and
    /// so do the marks of scripts in which they make other words.
    public func withoutAccents() -> Term { made(.unaccented) }

    /// How many characters the text has; nil for nil.
    public var count: Term<Int, Int?> { made(.characterCount) }

    /// Whether the text is empty; false for nil.
    public var isEmpty: Condition { comparing(.equal, "") }

    /// The text with another after it.
    public static func + (a: Term, b: String) -> Term { a.made(.concatenate, QueryExpression(value: b)) }

    /// The text with that of another property after it; nil if one of them is.
    public static func + <A>(a: Term, b: Term<String, A>) -> Term<String, String?> {
        a.made(.concatenate, b.expression)
    }
}
