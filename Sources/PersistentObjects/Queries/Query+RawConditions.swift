internal import StoreEngine

// Conditions in raw SQL. They can be combined with all other conditions.
extension Query {
    /// Returns a query of the objects that also meet a condition in SQL.
    ///
    /// ```swift
    /// Person.where("age > ? AND employer.city = ?", 35, "Graz").where { $0.nick != nil }.limit(3)
    /// Person.query.where("lastName IN ?", ["Smith", "Jones"])
    /// ```
    ///
    /// Names are property names, spelled as in Swift or as in the table; a dot follows a reference or selects a field
    /// of an embedded value. Literals, operators, functions and a `?` for each argument are allowed; `IN` takes a list.
    /// The text must be a single condition and is put in parentheses; subqueries, comments and everything else that is
    /// not a condition are refused. As in SQL, a comparison with NULL is neither true nor false, so `NOT` does not make
    /// it true.
    ///
    /// The engine decides what functions and operators mean; a condition in Swift has the same meaning on every engine.
    ///
    /// - Parameters:
    ///   - condition: The SQL. Never build it from external input: pass such values as arguments.
    ///   - arguments: A value for each `?`, bound and never made part of the SQL: values of property types, objects,
    ///     ids, lists.
    /// - Returns: The query. Before any SQL runs, its terminal methods throw a `QueryError` if a name is unknown, or if
    ///   the number of arguments differs from the number of placeholders.
    public func `where`(_ condition: String, _ arguments: Any?...) -> Query {
        changed { $0.add(QueryExpression(condition, arguments)) }
    }
}

extension Persistent {
    /// Returns a query of the objects that meet a condition in SQL.
    ///
    /// ```swift
    /// let people = try Person.where("age > ?", 35).all()
    /// ```
    ///
    /// See ``Query/where(_:_:)``.
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
