/// A function that SQL statements can call.
package final class EngineFunction: Sendable {
    package let name: String
    /// How many arguments it takes; any number where nil.
    package let argumentCount: Int?
    /// Whether equal arguments always give equal results: such a call may be made once for many rows.
    package let isDeterministic: Bool
    /// Whether triggers, views and other parts of a schema, which a stranger may have written, may call it.
    package let isInnocuous: Bool
    package let body: @Sendable (borrowing FunctionCall) throws -> Void

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

    package let name: String
    package let compare: Comparison

    package init(_ name: String, compare: @escaping Comparison) {
        self.name = name
        self.compare = compare
    }
}

/// What a program adds to SQL.
package struct SQLAdditions: Sendable, Equatable {
    package var functions: [EngineFunction]
    package var collations: [EngineCollation]

    package init(functions: [EngineFunction] = [], collations: [EngineCollation] = []) {
        self.functions = functions
        self.collations = collations
    }

    /// Whether both are of the same closures.
    package static func == (a: SQLAdditions, b: SQLAdditions) -> Bool {
        a.functions.elementsEqual(b.functions, by: ===) && a.collations.elementsEqual(b.collations, by: ===)
    }
}
