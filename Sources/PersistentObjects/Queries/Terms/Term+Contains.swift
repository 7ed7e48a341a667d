// `contains`, the form of `isIn` that Swift uses for values.
extension Sequence where Element: Equatable {
    /// Whether a property is one of the values: `Person.where { ages.contains($0.age) }`.
    ///
    /// It means the same as `isIn`.
    public func contains<A>(_ term: Term<Element, A>) -> Condition { term.isIn(self) }
}

extension ClosedRange {
    /// Whether a property is in the range: `Person.where { (30...40).contains($0.age) }`.
    ///
    /// It means the same as `isIn`, and is false for nil.
    public func contains<A>(_ term: Term<Bound, A>) -> Condition { term.isIn(self) }
}

extension Range {
    /// Whether a property is in the range, like `isIn`; false for nil.
    public func contains<A>(_ term: Term<Bound, A>) -> Condition { term.isIn(self) }
}

extension PartialRangeFrom {
    /// Whether a property is in the range, like `isIn`; false for nil.
    public func contains<A>(_ term: Term<Bound, A>) -> Condition { term.isIn(self) }
}

extension PartialRangeThrough {
    /// Whether a property is in the range, like `isIn`; false for nil.
    public func contains<A>(_ term: Term<Bound, A>) -> Condition { term.isIn(self) }
}

extension PartialRangeUpTo {
    /// Whether a property is in the range, like `isIn`; false for nil.
    public func contains<A>(_ term: Term<Bound, A>) -> Condition { term.isIn(self) }
}
