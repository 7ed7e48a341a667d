/// A function that SQL statements can call.
package final class EngineFunction: Sendable {
    /// Its name in SQL.
    package let name: String
    /// The number of arguments; nil for any number.
    package let argumentCount: Int?
    /// Whether equal arguments always give equal results, so that one call may serve many rows.
    package let isDeterministic: Bool
    /// Whether triggers, views and other parts of a schema, which may be untrusted, may call it.
    package let isInnocuous: Bool
    /// The implementation.
    package let body: @Sendable (borrowing FunctionCall) throws -> Void
    /// The same for values. An engine whose SQL cannot call the function replaces an argument by its result; nil for
    /// functions that only SQL can call.
    package let ofValues: OfValues?

    /// Returns the result of a function for its arguments.
    package typealias OfValues = @Sendable (_ arguments: [DatabaseValue]) throws -> DatabaseValue

    /// Creates a function that SQL statements call, or an engine that replaces their arguments.
    package convenience init(
        _ name: String, argumentCount: Int, isDeterministic: Bool, isInnocuous: Bool, ofValues: @escaping OfValues
    ) {
        self.init(
            name, argumentCount: argumentCount, isDeterministic: isDeterministic, isInnocuous: isInnocuous,
            ofValues: ofValues
        ) { call in
            var values: [DatabaseValue] = []
            values.reserveCapacity(call.arguments.count)
            for index in 0..<call.arguments.count { values.append(try call.arguments[index]) }
            try call.give(ofValues(values))
        }
    }

    /// Creates a function of the program, or one whose `body` copies fewer of its arguments than `ofValues` needs.
    package init(
        _ name: String, argumentCount: Int?, isDeterministic: Bool, isInnocuous: Bool, ofValues: OfValues? = nil,
        body: @escaping @Sendable (borrowing FunctionCall) throws -> Void
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.isInnocuous = isInnocuous
        self.ofValues = ofValues
        self.body = body
    }
}

/// A sort order of text, for `COLLATE` in SQL statements.
package final class EngineCollation: Sendable {
    /// Returns a number less than, equal to or greater than 0 for two strings, whose UTF-8 need not be valid.
    ///
    /// It must be a total order.
    package typealias Comparison = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

    /// Its name in SQL.
    package let name: String
    /// The order.
    package let compare: Comparison

    /// Creates a collation of the program.
    package init(_ name: String, compare: @escaping Comparison) {
        self.name = name
        self.compare = compare
    }
}

/// A program's additions to SQL.
package struct SQLAdditions: Sendable, Equatable {
    /// Functions.
    package var functions: [EngineFunction]
    /// Collations.
    package var collations: [EngineCollation]
    /// Functions of the library, whose names are reserved.
    package var ownFunctions: [EngineFunction]

    /// Creates additions; none by default.
    package init(
        functions: [EngineFunction] = [], collations: [EngineCollation] = [], ownFunctions: [EngineFunction] = []
    ) {
        self.functions = functions
        self.collations = collations
        self.ownFunctions = ownFunctions
    }

    /// Whether both have the same closures.
    package static func == (a: SQLAdditions, b: SQLAdditions) -> Bool {
        a.functions.elementsEqual(b.functions, by: ===) && a.collations.elementsEqual(b.collations, by: ===)
            && a.ownFunctions.elementsEqual(b.ownFunctions, by: ===)
    }
}
