extension QueryCall {
    /// The ids of the rows, without their objects.
    func found(in session: Session? = nil) throws -> FoundObjects {
        try ask(in: session) { ask in
            // This throws the errors of invalid parts.
            _ = try LinkLoader(ask.session).partNames(definition.parts, ask.space.map)
            return FoundObjects(ask.session, definition, try ask.ids())
        }
    }
}
