// String comparisons that ignore case in every script, like `IgnoreCase` in finders, and accents, like
// `withoutAccents()`. They use no index.
extension Term where Value == String {
    /// Whether the string equals another, ignoring case and optionally accents; false for nil.
    ///
    /// ```swift
    /// Person.where { $0.email.isEqual(to: "Joe@Acme.com", ignoringCase: true) }
    /// Person.where { $0.lastName.isEqual(to: "muller", ignoringCase: true, ignoringAccents: true) }    // Müller too
    /// ```
    public func isEqual(to text: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        comparing(.equal, to: text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents)
    }

    /// Whether the string begins with another, ignoring case and optionally accents; false for nil.
    public func hasPrefix(_ prefix: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        let column = folded(ignoringCase, ignoringAccents).expression
        return Condition(column.hasPrefix(prefix.folded(ignoringCase, ignoringAccents)))
    }

    /// Whether the string ends with another, ignoring case and optionally accents; false for nil.
    public func hasSuffix(_ suffix: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        let column = folded(ignoringCase, ignoringAccents).expression
        return Condition(column.hasSuffix(suffix.folded(ignoringCase, ignoringAccents)))
    }

    /// Whether the string contains another, ignoring case and optionally accents; false for nil.
    public func contains(_ text: String, ignoringCase: Bool, ignoringAccents: Bool = false) -> Condition {
        comparing(.contains, to: text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents)
    }
}
