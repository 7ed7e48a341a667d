internal import StoreEngine

// Conditions in SQL of the user's own, which mix with all others.
extension Query {
    /// Those of the objects that meet a condition in SQL.
    ///
    /// ```swift
    /// Person.where("age > ? AND employer.city = ?", 35, "Graz").where { $0.nick != nil }.limit(3)
    /// Person.query.where("lastName IN ?", ["Smith", "Jones"])
    /// ```
    ///
    /// Names are those of properties, as Swift or the table has them; a dot
    /// leads through a reference or to a field of an embedded value. There can be literals, operators, functions,
    /// and a `?` for each argument; a list stands behind `IN`. It is one
    /// condition in brackets, whatever is in it: subqueries, comments and
    /// anything else that a condition is not are refused. As in SQL, what is
    /// compared with NULL is neither true nor false, so that `NOT` does not
    /// make it true.
    ///
    /// What the functions and operators mean is the engine's affair; a
    /// condition in Swift means the same on all.
    ///
    /// - Parameters:
    ///   - condition: The SQL. Nothing that comes from outside belongs into it: give it as an argument.
    ///   - arguments: A value for each `?`, bound and never made part of the
    ///     text: values of types that properties have, objects, ids, lists.
    /// - Returns: The query. Its endings throw a `QueryError`, before any SQL,
    ///   where a name is unknown, or the number of arguments is not that of the
    ///   placeholders.
    public func `where`(_ condition: String, _ arguments: Any?...) -> Query {
        changed { $0.add(QueryExpression(condition, arguments)) }
    }
}

extension Persistent {
    /// The objects that meet a condition in SQL. See ``Query/where(_:_:)``.
    ///
    /// ```swift
    /// let people = try Person.where("age > ?", 35).all()
    /// ```
    public static func `where`(_ condition: String, _ arguments: Any?...) -> Query<Self> {
        query.changed { $0.add(QueryExpression(condition, arguments)) }
    }
}

extension QueryExpression {
    /// A condition in SQL with its arguments.
    fileprivate init(_ text: String, _ arguments: [Any?]) {
        self.init()
        var lists: [Bool?] = []
        for (place, argument) in arguments.enumerated() {
            do {
                if let list = try QueryArguments.list(argument) {
                    lists.append(list.needsDecoding)
                    append(.value(.text(list.text)))
                } else {
                    lists.append(nil)
                    append(try QueryArguments.encode(any: argument))
                }
            } catch {
                let reason = (error as? QueryError)?.reason ?? "\(error)"
                fail(QueryError.notExpressible("In the condition \"\(text)\": argument \(place + 1): \(reason)"))
                return
            }
        }
        append(.operation(.raw(RawCondition(text, lists: lists))))
    }
}
