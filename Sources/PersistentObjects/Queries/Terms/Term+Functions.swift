// Functions of SQL in conditions and orders: the user's own, those of SQLite, those of the library.
extension SQLFunction {
    /// Calls the function in a condition or an order, with terms and plain values.
    ///
    /// ```swift
    /// Person.where { initials($0.firstName, $0.lastName, as: String.self) == "JS" }
    /// ```
    ///
    /// Arguments are terms, conditions, and values of any type that a property
    /// can have, in any order; each comes as a column of its type would hold
    /// it. What the function returns is compared as a value of `type`, and may
    /// be nil. Whether the store has the function, with this number of
    /// arguments, shows when the query runs: the `StoreError` names the class
    /// and the function.
    ///
    /// Each row that is not ruled out in another way costs a call, since no
    /// index knows what a function returns.
    public func callAsFunction<each Argument, Value>(
        _ arguments: repeat each Argument, as type: Value.Type
    ) -> Term<Value, Value?> { SQLFunction.named(name)(repeat each arguments, as: type) }

    /// Calls a function that gives true or false, as a condition.
    ///
    /// ```swift
    /// Person.where { isPalindrome($0.lastName, as: Bool.self) && $0.age > 30 }
    /// ```
    public func callAsFunction<each Argument>(
        _ arguments: repeat each Argument, as type: Bool.Type
    ) -> Condition { SQLFunction.named(name)(repeat each arguments, as: type) }

    /// A function that SQL has under a name: one of SQLite, or of this library, or one of your own.
    ///
    /// ```swift
    /// let distance = SQLFunction.named("distance_between")
    /// Town.where { distance($0.latitude, $0.longitude, 47.4, 8.5, as: Double.self) < 100_000 }
    /// ```
    ///
    /// The name is quoted where it becomes SQL, whatever is in it.
    public static func named(_ name: String) -> Named { Named(name: name) }

    /// A function of SQL by its name, to be called like an `SQLFunction`.
    public struct Named: Sendable {
        /// How SQL calls it; the case of ASCII letters does not matter.
        public let name: String

        /// Calls the function in a condition or an order; see `SQLFunction`.
        public func callAsFunction<each Argument, Value>(
            _ arguments: repeat each Argument, as type: Value.Type
        ) -> Term<Value, Value?> {
            var given = FunctionArguments()
            repeat given.append(each arguments)
            return given.term(name, as: type)
        }

        /// Calls a function that gives true or false, as a condition; see `SQLFunction`.
        public func callAsFunction<each Argument>(
            _ arguments: repeat each Argument, as type: Bool.Type
        ) -> Condition {
            var given = FunctionArguments()
            repeat given.append(each arguments)
            let term: Term<Bool, Bool?> = given.term(name, as: type)
            return Condition(truthOf: term.expression)
        }
    }
}
