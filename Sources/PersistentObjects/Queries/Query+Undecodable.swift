/// The treatment of rows that cannot be decoded. See ``Query/all(_:isolation:)``.
public struct UnreadableRows {
    let report: (UndecodableRow) -> Void

    /// Leaves such rows out and reports each to the closure: its class, id, property, and the reason.
    ///
    /// The closure is called before the terminal method returns, and must not use the store.
    public static func skippingUndecodable(_ report: @escaping (UndecodableRow) -> Void) -> UnreadableRows {
        UnreadableRows(report: report)
    }
}

extension Query {
    /// The same query without the rows that cannot be read: its endings that give objects tell them to the closure
    /// instead of throwing.
    ///
    /// ```swift
    /// let people = try Person.query.skippingUndecodable { row in log(row) }.findBy.lastName("Smith")
    /// ```
    ///
    /// A row cannot be read if a value does not fit its property, if its class
    /// is not known, or if that is so of something that is loaded with it.
    /// Other errors are thrown as ever. Counts, ids and aggregates count all
    /// rows; a limit is one of rows, so with some left out there are fewer
    /// objects, and `first()` gives the first one that can be read.
    ///
    /// Reading costs no more as long as all rows can be read; where one
    /// cannot, the ids are asked for, and some ten statements for each such row.
    ///
    /// - Parameter report: Is told of each row that is left out, in the order of
    ///   the query, before the ending returns. It must not use the store.
    public func skippingUndecodable(_ report: @escaping @Sendable (UndecodableRow) -> Void) -> Query {
        changed { $0.undecodable = report }
    }

    /// All objects that can be read, in the query's order; those that cannot are told.
    ///
    /// ```swift
    /// let people = try Person.where { $0.age > 30 }.all(.skippingUndecodable { print($0) })
    /// // Person.age #7: INTEGER is wanted, the column holds TEXT
    /// ```
    ///
    /// See ``skippingUndecodable(_:)``.
    public func all(_ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation) throws -> [T] {
        try QueryCall(definition).ask { try $0.readableObjects(definition, rows.report) }.cast(to: T.self)
    }

    /// Returns the first object that can be decoded, or nil if there is none.
    ///
    /// See ``skippingUndecodable(_:)``.
    public func first(_ rows: UnreadableRows, isolation: isolated (any Actor)? = #isolation) throws -> T? {
        let found = try QueryCall(definition).ask { try $0.readableObjects(definition, limit: 1, rows.report) }
        return ObjectMemory.cast(found.first, to: T.self)
    }
}

extension Persistent {
    /// All objects of the class that can be read, by id; those that cannot are told.
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
