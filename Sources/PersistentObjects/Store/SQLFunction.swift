public import StoreEngine

/// A function in Swift that SQL can call: criteria text and statements of your own.
///
/// ```swift
/// let initials = SQLFunction("initials", argumentCount: 2, isDeterministic: true) { arguments in
///     let first: String = try arguments.value(0)
///     let last: String = try arguments.value(1)
///     return .text("\(first.prefix(1))\(last.prefix(1))")
/// }
/// let store = try Store("people.sqlite", configuration: .init(functions: [initials]))
/// try store.withSession { _ in
///     let joe = try Person.findByCriteria("WHERE initials(first_name, last_name) = ?", "JS")
/// }
/// ```
///
/// It is called on whatever thread uses the session, on several at once where
/// several sessions are in use. What it throws ends the statement, whose error
/// begins with the function's name; NaN is refused.
///
/// Nothing ends it while it runs, neither cancelling the task nor
/// `queryTimeout`: the statement ends after it.
///
/// SQLite asks it for each row that it looks at, and in no order that is
/// promised. It must not save. It cannot be used in views, triggers, indexes
/// and checks: those belong to the file, which other programs open too.
public struct SQLFunction: Sendable {
    let engine: EngineFunction

    /// Describes a function; it is made known to each connection that a store with it in its configuration opens.
    ///
    /// The name has 1 to 255 bytes; the case of ASCII letters does not matter.
    /// Names that begin with `po_`, and those of the built-in functions, are
    /// taken. A function of SQLite itself is replaced by one that has its name
    /// and number of arguments. All of it is checked when the store opens.
    ///
    /// - Parameters:
    ///   - name: How SQL calls it.
    ///   - argumentCount: How many arguments it takes, at most 100; any number where nil.
    ///   - isDeterministic: Whether equal arguments always give equal results; then SQLite may call it once for many
    ///     rows.
    ///   - body: What it does. Its arguments are there during the call only.
    public init(
        _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
        _ body: @escaping @Sendable (borrowing SQLArguments) throws -> DatabaseValue
    ) {
        engine = EngineFunction(
            name, argumentCount: argumentCount, isDeterministic: isDeterministic, isInnocuous: false
        ) { call in try call.give(body(call.arguments)) }
    }

    /// How SQL calls it.
    public var name: String { engine.name }
    /// How many arguments it takes; any number where nil.
    public var argumentCount: Int? { engine.argumentCount }
    /// Whether equal arguments always give equal results.
    public var isDeterministic: Bool { engine.isDeterministic }
}
