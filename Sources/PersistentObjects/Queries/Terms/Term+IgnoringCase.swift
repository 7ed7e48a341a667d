// Texts without regard to small and capital letters, in every script, as `IgnoreCase` in finders has it, and without
// regard to accents, as `withoutAccents()` has it. No index helps.
extension Term where Value == String {
    /// Whether the text is another, apart from small and capital letters, and from accents where that is said; false for
    /// nil.
    ///
    /// ```swift
    /// Person.where { $0.email.isEqual(to: "Joe@Acme.com", ignoringCase: true) }
    /// Person.where { $0.lastName.isEqual(to: "muller", ignoringCase: true, ignoringAccents: true) }    // Müller too
    /// ```
    public func isEqual(to text: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        comparing(.equal, to: text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents)
    }

    /// Whether the text begins with another, apart from small and capital letters, and from accents where that is said;
    /// false for nil.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        let column = folded(ignoringCase, ignoringAccents).expression
        return Condition(column.hasPrefix(prefix.folded(ignoringCase, ignoringAccents)))
    }

    /// Whether the text ends with another, apart from small and capital letters, and from accents where that is said;
    /// false for nil.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        let column = folded(ignoringCase, ignoringAccents).expression
        return Condition(column.hasSuffix(suffix.folded(ignoringCase, ignoringAccents)))
    }

    /// Whether the text has another in it, apart from small and capital letters, and from accents where that is said;
    /// false for nil.
    public func contains(_ text: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        comparing(.contains, to: text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents)
    }
}
