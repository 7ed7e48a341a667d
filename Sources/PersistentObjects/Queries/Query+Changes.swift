internal import Foundation
internal import StoreEngine

// Queries that change or delete the objects that they find.
extension Query {
    /// Deletes the objects that the query finds, in one transaction, and returns their number.
    ///
    /// ```swift
    /// try Person.where { $0.age < 18 }.delete()
    /// ```
    ///
    /// Delete rules cascade as usual; the objects that they delete are not counted. Matching objects in memory become
    /// deleted objects; no other objects are loaded.
    ///
    /// - Throws: `StoreError`, with the code `deletionDenied` if a delete rule refuses the deletion. Nothing is deleted
    ///   then.
    @discardableResult
    public func delete(isolation: isolated (any Actor)? = #isolation) throws -> Int {
        try QueryCall(definition).run { try $0.delete() }
    }

    /// Changes the objects that the query finds, without loading them, and returns their number.
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
    /// The objects are changed with one statement. Collections take further statements, as many as the new collection
    /// has elements.
    ///
    /// The closure is called once, or twice if it sets a field of an embedded value: `$0.address.city = "Wien"`. It
    /// sets properties to values or to expressions over properties; an assignment sees the assignments above it, as in
    /// Swift. References and collections of values can be set to a value. Collections of objects, values that contain
    /// objects, and inverses cannot be set.
    ///
    /// Objects in memory are refreshed and keep their unsaved edits. An expression that can be nil, such as the
    /// remainder of a division, needs a default value if the property cannot be nil: `$0.n = $0.age % 3 ?? 0`. Property
    /// observers, hooks and `validate` are not called. An `updatedAt` property of the class is set, and its
    /// `versionProperty` is incremented, unless the closure sets them.
    ///
    /// - Throws: `QueryError` if an assignment cannot be expressed in SQL; `StoreError` if a value does not fit into
    ///   its property or violates a constraint of the file. Nothing is changed then.
    @discardableResult
    public func update(
        isolation: isolated (any Actor)? = #isolation, _ changes: (inout Assignments<T>) throws -> Void
    ) throws -> Int {
        if let problem = definition.problem { throw problem }
        let list = AssignmentList(try ClassMap.map(of: definition.type))
        var assignments = Assignments<T>(list: list)
        try changes(&assignments)
        if list.parts.needsSecondRun {
            let other = AssignmentList(list.map, round: 1)
            var again = Assignments<T>(list: other)
            try changes(&again)
            list.join(other)
        }
        if let problem = list.problem { throw problem }
        guard !list.isEmpty else { return 0 }
        try list.stamp(Date().timeIntervalSinceReferenceDate)
        return try QueryCall(definition).enter { session in
            try BulkUpdate(session).update(try session.space(of: definition.type), definition, list)
        }
    }
}
