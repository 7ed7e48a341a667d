// Inverses that contain only the objects that meet a condition.
extension Inverse {
    private init<Other: Persistent>(
        _ value: Value, _ path: AnyKeyPath, where condition: @escaping (Columns<Other>) -> Condition,
        _ order: InverseOrder<Other>? = nil
    ) {
        let traits = InverseTraits(order?.steps ?? []) {
            condition(Columns(scope: 0, scopes: ScopeCounter())).expression
        }
        self.init(value, path, .nullify, traits)
    }

    /// Declares an inverse of a reference that contains the objects that meet a condition.
    ///
    /// ```swift
    /// final class Project: PersistentObject {
    ///     @Inverse(\Ticket.project) var tickets: [Ticket]
    ///     @Inverse(\Ticket.project, where: { !$0.isDone }, order: .by(\.due)) var openTickets: [Ticket]
    /// }
    /// ```
    ///
    /// The inverse shows stored rows, not unsaved edits, and is loaded again after each save, deletion or update that
    /// can change it. An object added to it refers to its owner after the save, and remains in the inverse if it meets
    /// the condition; a removed object no longer refers to the owner.
    ///
    /// The condition is evaluated once, when the class is first used, so `Date()` in it keeps the value of that moment.
    /// A condition that cannot be written in SQL, or that queries an inverse that queries this one, throws
    /// `SchemaError.notFilterable` at that time. Such an inverse has no delete rule.
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
