extension QueryCall {
    /// The rows, without their objects.
    func found(in session: Session? = nil) throws -> FoundObjects {
        try ask(in: session) { session, space, question in
            // What is wrong with the parts is said now.
            _ = try session.partNames(definition.parts, space.map)
            return FoundObjects(session, definition, try session.ids(space, question))
        }
    }
}
