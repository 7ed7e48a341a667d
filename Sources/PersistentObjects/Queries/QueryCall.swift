/// One call of a query's terminal method.
struct QueryCall {
    let definition: QueryDefinition
    /// The name of the function that the user called, for statement profiles.
    let terminalMethod: StaticString

    init(_ definition: QueryDefinition, _ terminalMethod: StaticString = #function) {
        self.definition = definition
        self.terminalMethod = terminalMethod
    }

    /// Calls `body` with the query, ready to run, in the given session or else in the current session.
    ///
    /// - Parameter finder: The finder's name; nil for other queries.
    /// - Throws: First of all, errors that can be detected without the store.
    func run<R>(
        in session: Session? = nil, named finder: @autoclosure () -> String? = nil, _ body: (BoundQuery) throws -> R
    ) throws -> R {
        try definition.check()
        return try enter(in: session, named: finder()) {
            try body(BoundQuery(definition, $0.space(of: definition.type)))
        }
    }

    /// Calls `body` with exclusive use of the given session, or else of the current session. Every terminal method of a
    /// query enters here.
    func enter<R>(
        in session: Session? = nil, named finder: @autoclosure () -> String? = nil, _ body: (Session) throws -> R
    ) throws -> R {
        let session = try session ?? CurrentSession.session(for: definition.home)
        return try session.enterQuery(terminalMethod, of: definition.type, in: "query.", named: finder()) {
            try body(session)
        }
    }
}
