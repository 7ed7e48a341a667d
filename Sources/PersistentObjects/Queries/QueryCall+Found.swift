extension QueryCall {
    /// The rows, without their objects.
    func found(in session: Session? = nil) throws -> FoundObjects {
        try ask(in: session) { ask in
            // What is wrong with the parts is said now.
            _ = try LinkLoader(ask.session).partNames(definition.parts, ask.space.map)
            return FoundObjects(ask.session, definition, try ask.ids())
        }
    }
}
