@_spi(Locks) internal import StoreEngine

// Matching strings with regular expressions.
extension Problems {
    /// Requires a whole string to match a regular expression.
    ///
    /// ```swift
    /// problems.require(\Person.zip, matches: /\d{5}/)
    /// ```
    public mutating func require<Root>(
        _ property: KeyPath<Root, String>, matches expression: some RegexComponent,
        _ message: String = "does not have the required format"
    ) {
        if let text = value(of: property) { check(text, property, expression, message) }
    }

    /// Requires a whole string to match a regular expression, if it is not nil.
    public mutating func require<Root>(
        _ property: KeyPath<Root, String?>, matches expression: some RegexComponent,
        _ message: String = "does not have the required format"
    ) {
        if let text = value(of: property) ?? nil { check(text, property, expression, message) }
    }

    private mutating func check(
        _ text: String, _ property: AnyKeyPath, _ expression: some RegexComponent, _ message: String
    ) {
        do {
            if try expression.regex.wholeMatch(in: text) == nil { add(property, message: message) }
        } catch { fail("The regular expression failed: \(error)") }
    }

    /// Requires a whole string to match a pattern in ICU syntax, as in `Matches` finders and `REGEXP`.
    ///
    /// ```swift
    /// problems.require(\Person.zip, matches: "[0-9]{5}")
    /// ```
    public mutating func require<Root>(
        _ property: KeyPath<Root, String>, matches pattern: String,
        _ message: String = "does not have the required format"
    ) {
        if let text = value(of: property) { check(text, property, pattern, message) }
    }

    /// Requires a whole string to match a pattern in ICU syntax, if it is not nil.
    public mutating func require<Root>(
        _ property: KeyPath<Root, String?>, matches pattern: String,
        _ message: String = "does not have the required format"
    ) {
        if let text = value(of: property) ?? nil { check(text, property, pattern, message) }
    }

    private mutating func check(_ text: String, _ property: AnyKeyPath, _ pattern: String, _ message: String) {
        guard let expression = Problems.expression(pattern) else {
            return fail("The pattern is not a regular expression (in ICU syntax)")
        }
        do { if try !expression.matches(text) { add(property, message: message) } } catch { fail(error) }
    }

    /// Compiled patterns, which are cached because compiling takes as long as reading ten rows.
    private static let known = Locked<[String: WholePattern]>([:])

    private static func expression(_ pattern: String) -> WholePattern? {
        if let expression = known.withLock({ $0[pattern] }) { return expression }
        guard let expression = try? WholePattern(pattern) else { return nil }
        known.withLock { known in
            // Patterns that are created at run time must not accumulate.
            if known.count >= 256 { known = [:] }
            known[pattern] = expression
        }
        return expression
    }
}
