/// A property to compare: call it with the value, or continue to a property of the referenced object.
///
/// `Value` is the property's type without its optional and `Argument` the type with it, so that `nil` compiles only if
/// the property can be nil. Comparisons work as in Swift: nil differs from every value, and is neither less nor greater
/// than any value.
///
/// ```swift
/// try Person.findBy.employer(acme)
/// try Person.findBy.employer.name("Acme")
/// try Person.findBy.age(in: 18...30)
/// try Person.findBy.tags(containing: "x")
/// ```
@dynamicMemberLookup
public struct Criterion<T: Persistent, Value, Argument, Answer> {
    let query: TypedQuery
    let path: CriterionPath

    /// Finds the objects whose property equals the value; `nil` finds those without a value.
    ///
    /// - Throws: `FinderError` if the key path names no stored property; `StoreError` for all errors of the file.
    @discardableResult
    public func callAsFunction(_ value: Argument, isolation: isolated (any Actor)? = #isolation) throws -> Answer {
        if case .keyPath(let property)? = path.property, let found = try query.run(property, value) {
            return found.answer(as: Answer.self)
        }
        return try find { $0.comparing(.equal, value) }
    }

    /// Finds the objects whose property differs from the value, including those without a value.
    @discardableResult
    public func callAsFunction(not value: Argument, isolation: isolated (any Actor)? = #isolation) throws -> Answer {
        try find { $0.comparing(.notEqual, value) }
    }

    /// Finds the objects whose property is one of the given values, of which there may be any number.
    @_disfavoredOverload @discardableResult
    public func callAsFunction(
        in values: some Sequence<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isOneOf(values) } }

    /// Finds the objects whose property is none of the given values, including those without a value.
    @discardableResult
    public func callAsFunction(
        notIn values: some Sequence<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { !$0.isOneOf(values) } }

    func find(_ condition: (Term<Value, Argument>) -> Condition) throws -> Answer {
        let condition = condition(Term(path.expression, ScopeCounter()))
        return try query.run(path.condition(condition.expression), on: path).answer(as: Answer.self)
    }
}

// Comparisons of ordered values.
extension Criterion where Value: Comparable {
    /// Finds the objects whose property is in a closed range.
    @discardableResult
    public func callAsFunction(
        in range: ClosedRange<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isIn(range) } }

    /// Finds the objects whose property is in a half-open range.
    @discardableResult
    public func callAsFunction(
        in range: Range<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isIn(range) } }

    /// Finds the objects whose property is at least the lower bound of a range.
    @discardableResult
    public func callAsFunction(
        in range: PartialRangeFrom<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isIn(range) } }

    /// Finds the objects whose property is at most the upper bound of a range.
    @discardableResult
    public func callAsFunction(
        in range: PartialRangeThrough<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isIn(range) } }

    /// Finds the objects whose property is below the upper bound of a range.
    @discardableResult
    public func callAsFunction(
        in range: PartialRangeUpTo<Value>, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.isIn(range) } }

    /// Finds the objects whose property is greater than a value.
    @discardableResult
    public func callAsFunction(
        greaterThan value: Value, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0 > value } }

    /// Finds the objects whose property is greater than or equal to a value.
    @discardableResult
    public func callAsFunction(
        atLeast value: Value, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0 >= value } }

    /// Finds the objects whose property is less than a value.
    @discardableResult
    public func callAsFunction(
        lessThan value: Value, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0 < value } }

    /// Finds the objects whose property is less than or equal to a value.
    @discardableResult
    public func callAsFunction(
        atMost value: Value, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0 <= value } }
}

// Strings. Case and accents are significant unless specified otherwise.
extension Criterion where Value == String {
    /// Finds the objects whose string equals another, ignoring case in every script.
    @discardableResult
    public func callAsFunction(
        ignoringCase text: String, ignoringAccents: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer {
        try find { $0.comparing(.equal, to: text, ignoringCase: true, ignoringAccents: ignoringAccents) }
    }

    /// Finds the objects whose string matches a `LIKE` pattern.
    ///
    /// `%` matches any string, `_` matches one character, and `\` before either matches the character itself.
    @discardableResult
    public func callAsFunction(
        like pattern: String, ignoringCase: Bool = false, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.folded(ignoringCase).like(pattern.folded(ignoringCase)) } }

    /// Finds the objects whose string begins with another.
    @discardableResult
    public func callAsFunction(
        startingWith text: String, ignoringCase: Bool = false, ignoringAccents: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer {
        try find { $0.hasPrefix(text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents) }
    }

    /// Finds the objects whose string ends with another.
    @discardableResult
    public func callAsFunction(
        endingWith text: String, ignoringCase: Bool = false, ignoringAccents: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer {
        try find { $0.hasSuffix(text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents) }
    }

    /// Finds the objects whose string contains another.
    @discardableResult
    public func callAsFunction(
        containing text: String, ignoringCase: Bool = false, ignoringAccents: Bool = false,
        isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer {
        try find { $0.contains(text, ignoringCase: ignoringCase, ignoringAccents: ignoringAccents) }
    }

    /// Finds the objects whose string contains a match of a regular expression.
    ///
    /// The syntax is that of `NSRegularExpression`.
    @discardableResult
    public func callAsFunction(
        matching pattern: String, isolation: isolated (any Actor)? = #isolation
    ) throws -> Answer { try find { $0.matches(pattern) } }
}
