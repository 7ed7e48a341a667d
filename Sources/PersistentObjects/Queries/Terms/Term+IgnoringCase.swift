// Texts without regard to small and capital letters, in every script, as `IgnoreCase` in finders has it. No index helps.
extension Term where Value == String {
    /// Whether the text is another, apart from small and capital letters; false for nil.
    ///
    /// ```swift
    /// Person.where { $0.email.isEqual(to: "Joe@Acme.com", ignoringCase: true) }
    /// ```
    public func isEqual(to text: String, ignoringCase: Bool) -> Condition {
        comparing(.equal, to: text, ignoringCase: ignoringCase)
    }

    /// Whether the text begins with another, apart from small and capital letters; false for nil.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool) -> Condition {
        Condition(folded(ignoringCase).expression.hasPrefix(prefix.folded(ignoringCase)))
    }

    /// Whether the text ends with another, apart from small and capital letters; false for nil.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool) -> Condition {
        Condition(folded(ignoringCase).expression.hasSuffix(suffix.folded(ignoringCase)))
    }

    /// Whether the text has another in it, apart from small and capital letters; false for nil.
    public func contains(_ text: String, ignoringCase: Bool) -> Condition {
        comparing(.contains, to: text, ignoringCase: ignoringCase)
    }
}
