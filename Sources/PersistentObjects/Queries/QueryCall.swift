/// One call of an ending of a query.
struct QueryCall {
    let definition: QueryDefinition
    /// The name of the function that the user has called, for profiles of statements.
    let ending: StaticString

    init(_ definition: QueryDefinition, _ ending: StaticString = #function) {
        self.definition = definition
        self.ending = ending
    }

    /// Calls `body` with what the query asks, in the current session where none is given.
    ///
    /// - Parameter finder: A finder's name, where it is one.
    /// - Throws: what is known to be wrong without a look into the store, first of all.
    func ask<R>(
        in session: Session? = nil, named finder: @autoclosure () -> String? = nil, _ body: (Ask) throws -> R
    ) throws -> R {
        try definition.check()
        return try enter(in: session, named: finder()) { try body(Ask(definition, $0.space(of: definition.type))) }
    }

    /// Calls `body` as the only user of a session, the current one if none is given: the entrance of every terminal
    /// method of queries.
    func enter<R>(
        in session: Session? = nil, named finder: @autoclosure () -> String? = nil, _ body: (Session) throws -> R
    ) throws -> R {
        let session = try session ?? CurrentSession.session(for: definition.home)
        return try session.enterToAsk(ending, of: definition.type, in: "query.", named: finder()) { try body(session) }
    }
}
