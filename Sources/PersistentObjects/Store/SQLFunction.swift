public import StoreEngine

/// A Swift function that SQL can call: in criteria and in raw SQL.
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
/// It is called on the thread that uses the session, and on several threads at once if several sessions are in use. An
/// error that it throws ends the statement, whose error begins with the function's name; NaN is refused.
///
/// Neither cancelling the task nor `queryTimeout` interrupts the function while it runs: the statement ends after it
/// returns.
///
/// SQLite calls it for each row that it reads, in an unspecified order. It must not save. It cannot be used in views,
/// triggers, indexes and checks, because these belong to the file, which other programs open too.
public struct SQLFunction: Sendable {
    let engine: EngineFunction

    /// Creates a function, which is registered with each connection of a store configured with it.
    ///
    /// The name has 1 to 255 bytes; the case of ASCII letters does not matter. Names that begin with `po_`, the names of
    /// the library's functions, and `sign`, which triggers use, are reserved. A function of SQLite with the same name
    /// and number of arguments is replaced. Opening the store checks all of this.
    ///
    /// - Parameters:
    ///   - name: The name in SQL.
    ///   - argumentCount: The number of arguments, at most 100; nil for any number.
    ///   - isDeterministic: Whether equal arguments always give equal results; SQLite may then call the function once
    ///     for many rows.
    ///   - body: The implementation. Its arguments are valid only during the call.
    public init(
        _ name: String, argumentCount: Int? = nil, isDeterministic: Bool = false,
        _ body: @escaping @Sendable (borrowing SQLArguments) throws -> DatabaseValue
    ) {
        engine = EngineFunction(
            name, argumentCount: argumentCount, isDeterministic: isDeterministic, isInnocuous: false
        ) { call in try call.give(body(call.arguments)) }
    }

    /// The name in SQL.
    public var name: String { engine.name }
    /// The number of arguments; nil for any number.
    public var argumentCount: Int? { engine.argumentCount }
    /// Whether equal arguments always give equal results.
    public var isDeterministic: Bool { engine.isDeterministic }
}
