/// One call of an ending of a query.
struct QueryCall {
    let definition: QueryDefinition

    init(_ definition: QueryDefinition) { self.definition = definition }

    /// Calls `body` with what the query asks, in the current session where none is given.
    ///
    /// - Throws: what is known to be wrong without a look into the store, first of all.
    func ask<R>(in session: Session? = nil, _ body: (Ask) throws -> R) throws -> R {
        try definition.check()
        let session = try session ?? CurrentSession.session(for: definition.type)
        return try session.enter { try body(Ask(definition, session.space(of: definition.type))) }
    }
}
