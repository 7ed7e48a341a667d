extension QueryCall {
    /// The ids of the rows, without their objects.
    func found(in session: Session? = nil) throws -> FoundObjects {
        try run(in: session) { query in
            // This throws the errors of invalid parts.
            _ = try LinkLoader(query.session).partNames(definition.parts, query.space.map)
            return FoundObjects(query.session, definition, try query.ids())
        }
    }
}
