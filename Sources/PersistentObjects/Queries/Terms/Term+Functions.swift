// SQL functions in conditions and orders: registered functions, and those of SQLite and of this library.
extension SQLFunction {
    /// Calls the function in a condition or an order, with terms and plain values.
    ///
    /// ```swift
    /// Person.where { initials($0.firstName, $0.lastName, as: String.self) == "JS" }
    /// ```
    ///
    /// Arguments are terms, conditions, and values of any type that a property can have, in any order; each is passed
    /// as a column of its type stores it. The result is compared as a value of `type`, and may be nil. When the query
    /// runs, a `StoreError` names the class and the function if the store has no such function with this number of
    /// arguments.
    ///
    /// The function is called for each row that no other condition excludes, because no index contains its results.
    public func callAsFunction<each Argument, Value>(
        _ arguments: repeat each Argument, as type: Value.Type
    ) -> Term<Value, Value?> { SQLFunction.named(name)(repeat each arguments, as: type) }

    /// Calls a function that returns a Boolean, as a condition.
    ///
    /// ```swift
    /// Person.where { isPalindrome($0.lastName, as: Bool.self) && $0.age > 30 }
    /// ```
    public func callAsFunction<each Argument>(
        _ arguments: repeat each Argument, as type: Bool.Type
    ) -> Condition { SQLFunction.named(name)(repeat each arguments, as: type) }

    /// Returns the function with a name in SQL: one of SQLite, of this library, or registered by you.
    ///
    /// ```swift
    /// let distance = SQLFunction.named("distance_between")
    /// Town.where { distance($0.latitude, $0.longitude, 47.4, 8.5, as: Double.self) < 100_000 }
    /// ```
    ///
    /// The name is quoted in the SQL, so it may contain any characters.
    public static func named(_ name: String) -> Named { Named(name: name) }

    /// An SQL function by its name, which can be called like an `SQLFunction`.
    public struct Named: Sendable {
        /// The function's name in SQL; the case of ASCII letters does not matter.
        public let name: String

        /// Calls the function in a condition or an order; see `SQLFunction`.
        public func callAsFunction<each Argument, Value>(
            _ arguments: repeat each Argument, as type: Value.Type
        ) -> Term<Value, Value?> {
            var list = FunctionArguments()
            repeat list.append(each arguments)
            return list.term(name, as: type)
        }

        /// Calls a function that returns a Boolean, as a condition; see `SQLFunction`.
        public func callAsFunction<each Argument>(
            _ arguments: repeat each Argument, as type: Bool.Type
        ) -> Condition {
            var list = FunctionArguments()
            repeat list.append(each arguments)
            let term: Term<Bool, Bool?> = list.term(name, as: type)
            return Condition(truthOf: term.expression)
        }
    }
}
