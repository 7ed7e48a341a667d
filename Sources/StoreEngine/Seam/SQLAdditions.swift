/// A function that SQL statements can call.
package final class EngineFunction: Sendable {
    /// Its name in SQL.
    package let name: String
    /// How many arguments it takes; any number where nil.
    package let argumentCount: Int?
    /// Whether equal arguments always give equal results: such a call may be made once for many rows.
    package let isDeterministic: Bool
    /// Whether triggers, views and other parts of a schema, which a stranger may have written, may call it.
    package let isInnocuous: Bool
    /// What a call does.
    package let body: @Sendable (borrowing FunctionCall) throws -> Void

    /// A function of the program's.
    package init(
        _ name: String, argumentCount: Int?, isDeterministic: Bool, isInnocuous: Bool,
        body: @escaping @Sendable (borrowing FunctionCall) throws -> Void
    ) {
        self.name = name
        self.argumentCount = argumentCount
        self.isDeterministic = isDeterministic
        self.isInnocuous = isInnocuous
        self.body = body
    }
}

/// An order of texts that SQL statements can name behind `COLLATE`.
package final class EngineCollation: Sendable {
    /// Less than, equal to or greater than 0, of texts in UTF-8 that need not be valid; must be a total order.
    package typealias Comparison = @Sendable (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32

    /// Its name in SQL.
    package let name: String
    /// The order.
    package let compare: Comparison

    /// A collation of the program's.
    package init(_ name: String, compare: @escaping Comparison) {
        self.name = name
        self.compare = compare
    }
}

/// What a program adds to SQL.
package struct SQLAdditions: Sendable, Equatable {
    /// Functions.
    package var functions: [EngineFunction]
    /// Orders of texts.
    package var collations: [EngineCollation]

    /// Nothing, where nothing is said.
    package init(functions: [EngineFunction] = [], collations: [EngineCollation] = []) {
        self.functions = functions
        self.collations = collations
    }

    /// Whether both are of the same closures.
    package static func == (a: SQLAdditions, b: SQLAdditions) -> Bool {
        a.functions.elementsEqual(b.functions, by: ===) && a.collations.elementsEqual(b.collations, by: ===)
    }
}
