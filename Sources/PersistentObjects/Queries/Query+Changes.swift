internal import Foundation
internal import StoreEngine

// Queries that change what they find.
extension Query {
    /// Deletes the objects that the query finds, and what delete rules take along, in one transaction; the answer is how
    /// many the query found.
    ///
    /// ```swift
    /// try Person.where { $0.age < 18 }.delete()
    /// ```
    ///
    /// Objects in memory become deleted ones; no others are read.
    ///
    /// - Throws: `StoreError`, with the code `deletionDenied` if a rule
    ///   refuses it; nothing is deleted then.
    @discardableResult
    public func delete(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).ask { try $0.delete() }
    }

    /// Changes the objects that the query finds with one statement, without reading them; the answer is how many they
    /// are. Collections take further statements, as many as they have elements.
    ///
    /// ```swift
    /// try Person.where { $0.employer == acme }.update {
    ///     $0.salary += 100
    ///     $0.status = .active
    ///     $0.nick = $0.firstName + "y"
    ///     $0.tags = ["staff"]
    /// }
    /// ```
    ///
    /// The closure is run once, or twice where it sets a field of an embedded
    /// value, `$0.address.city = "Wien"`. It sets properties to values, or to what can be
    /// calculated from properties; an assignment sees those above it, as in
    /// Swift. References can be set, and collections of values, to a value. What
    /// has objects, collections of them and inverses, cannot.
    ///
    /// Objects in memory are brought up to date, their unsaved edits stay. An
    /// expression that can be nil, such as the remainder of a division, needs a
    /// value for that if the property cannot be nil: `$0.n = $0.age % 3 ?? 0`.
    /// Observers of properties, hooks and `validate` are not called. An
    /// `updatedAt` of the class is set, unless the closure sets it.
    ///
    /// - Throws: `QueryError` if the closure does what SQL cannot,
    ///   `StoreError` if a value does not fit into its property or the file
    ///   refuses it; nothing is changed then.
    @discardableResult
    public func update(
        isolation: isolated (any Actor)? = #isolation, _ changes: (inout Assignments<T>) throws -> Void
    ) throws -> Int {
        if let problem = definition.problem { throw problem }
        let list = AssignmentList(try ClassMap.map(of: definition.type))
        var assignments = Assignments<T>(list: list)
        try changes(&assignments)
        if list.parts.areToBeTold {
            let other = AssignmentList(list.map, round: 1)
            var again = Assignments<T>(list: other)
            try changes(&again)
            list.join(other)
        }
        if let problem = list.problem { throw problem }
        guard !list.isEmpty else { return 0 }
        list.stamp(Date().timeIntervalSinceReferenceDate)
        return try QueryCall(definition).enter { session in
            try BulkUpdate(session).update(try session.space(of: definition.type), definition, list)
        }
    }
}
