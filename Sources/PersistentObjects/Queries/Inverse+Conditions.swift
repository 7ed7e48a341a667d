// Inverses that have some of the objects only, said in the language of queries.
extension Inverse {
    private init<Other: Persistent>(
        _ value: Value, _ path: AnyKeyPath, where condition: @escaping (Columns<Other>) -> Condition,
        _ order: InverseOrder<Other>? = nil
    ) {
        let traits = InverseTraits(order?.steps) { condition(Columns(scope: 0, scopes: ScopeCounter())).expression }
        self.init(value, path, .nullify, traits)
    }

    /// The objects on the other side of a reference that meet a condition.
    ///
    /// ```swift
    /// final class Project: PersistentObject {
    ///     @Inverse(\Ticket.project) var tickets: [Ticket]
    ///     @Inverse(\Ticket.project, where: { !$0.isDone }, order: .by(\.due)) var openTickets: [Ticket]
    /// }
    /// ```
    ///
    /// It has what the file has: rows are asked, not unsaved edits, and it is
    /// read again after each save, deletion or update that can change it. What
    /// is added to it refers to its owner after the save, and is in it
    /// afterwards if it meets the condition; what is removed does not.
    ///
    /// The condition is evaluated once, when the class is first used, so
    /// `Date()` in it stays what it is then. One that cannot be written out in
    /// SQL, or asks of an inverse that asks of it, is
    /// `SchemaError.notFilterable` there. Such an inverse has no delete rule.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Owner?>,
        where condition: @escaping (Columns<Other>) -> Condition, order: InverseOrder<Other>? = nil
    ) where Value == [Other] {
        self.init(wrappedValue, path, where: condition, order)
    }

    /// Declares an inverse of an array of references that contains the objects that meet a condition.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, [Owner]>,
        where condition: @escaping (Columns<Other>) -> Condition, order: InverseOrder<Other>? = nil
    ) where Value == [Other] {
        self.init(wrappedValue, path, where: condition, order)
    }

    /// Declares an inverse of a set of references that contains the objects that meet a condition.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: [Other] = [], _ path: KeyPath<Other, Set<Owner>>,
        where condition: @escaping (Columns<Other>) -> Condition, order: InverseOrder<Other>? = nil
    ) where Value == [Other] {
        self.init(wrappedValue, path, where: condition, order)
    }

    /// Declares an inverse of a reference, as a set of the objects that meet a condition.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Owner?>,
        where condition: @escaping (Columns<Other>) -> Condition
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, where: condition)
    }

    /// Declares an inverse of an array of references, as a set of the objects that meet a condition.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, [Owner]>,
        where condition: @escaping (Columns<Other>) -> Condition
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, where: condition)
    }

    /// Declares an inverse of a set of references, as a set of the objects that meet a condition.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Set<Other> = [], _ path: KeyPath<Other, Set<Owner>>,
        where condition: @escaping (Columns<Other>) -> Condition
    ) where Value == Set<Other> {
        self.init(wrappedValue, path, where: condition)
    }

    /// Declares an inverse of a reference with the one object that meets a condition.
    ///
    /// If several objects meet it, the inverse is the one with the lowest id.
    public init<Other: Persistent, Owner: Persistent>(
        wrappedValue: Other? = nil, _ path: KeyPath<Other, Owner?>,
        where condition: @escaping (Columns<Other>) -> Condition
    ) where Value == Other? {
        self.init(wrappedValue, path, where: condition)
    }
}
