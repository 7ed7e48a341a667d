/// The treatment of rows that cannot be decoded. See ``Query/all(_:isolation:)``.
public struct UnreadableRows {
    let report: (UndecodableRow) -> Void

    /// Skips undecodable rows and reports each to the closure: its class, id, property, and the reason.
    ///
    /// The closure is called before the terminal method returns, and must not use the store.
    public static func skippingUndecodable(_ report: @escaping (UndecodableRow) -> Void) -> UnreadableRows {
        UnreadableRows(report: report)
    }
}

extension Query {
    /// Returns the same query, which reports rows that cannot be decoded to a closure instead of throwing.
    ///
    /// ```swift
    /// let people = try Person.query.skippingUndecodable { row in log(row) }.findBy.lastName("Smith")
    /// ```
    ///
    /// This affects the terminal methods that return objects. A row cannot be decoded if a value does not fit its
    /// property, if its class is unknown, or if one of the rows loaded with it cannot be decoded. Other errors are
    /// still thrown. Counts, ids and aggregates include all rows. A limit counts rows, so if some are left out there
    /// are fewer objects; `first()` returns the first object that can be decoded.
    ///
    /// There is no extra cost while all rows can be decoded. Otherwise the ids are queried, and about ten statements
    /// run for each such row.
    ///
    /// - Parameter report: Receives each row that is left out, in the order of the query, before the terminal method
    ///   returns. It must not use the store.
    public func skippingUndecodable(_ report: @escaping @Sendable (UndecodableRow) -> Void) -> Query {
        changed { $0.undecodable = report }
    }

    /// Returns all objects that can be decoded, in the query's order, and reports the other rows.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.all(.skippingUndecodable { print($0) })
    /// // Person.age #7: expected INTEGER, but the column holds TEXT
    /// ```
    ///
    /// See ``skippingUndecodable(_:)``.
    public func all(_ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).run { try $0.readableObjects(definition, rows.report) }.cast(to: T.self)
    }

    /// Returns the first object that can be decoded, or nil if there is none.
    ///
    /// See ``skippingUndecodable(_:)``.
    public func first(_ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation) throws -> T? {
        let found = try QueryCall(definition).run { try $0.readableObjects(definition, limit: 1, rows.report) }
        return ObjectMemory.cast(found.first, to: T.self)
    }
}

extension Persistent {
    /// Returns all objects of the class that can be decoded, and reports the other rows.
    ///
    /// The objects are in order of their ids.
    ///
    /// ```swift
    /// let people = try Person.all(.skippingUndecodable { row in log(row) })
    /// ```
    ///
    /// See ``Query/skippingUndecodable(_:)``.
    public static func all(
        _ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation
    ) throws -> [Self] { try query.all(rows, isolation: isolation) }

    /// Returns the object with the lowest id that can be decoded, or nil if there is none.
    ///
    /// See ``Query/skippingUndecodable(_:)``.
    public static func first(
        _ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation
    ) throws -> Self? { try query.first(rows, isolation: isolation) }
}
