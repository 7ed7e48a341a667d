// Care: what an operator asks of a store: copies, checks, sizes, room, and a fresh start. It knows prepared classes,
// sessions and the engine's upkeep, and must not know how an engine keeps its file.

internal import StoreEngine

extension Store {
    /// Calls `body` with a session of its own and what keeps the database in order; nothing ends it for the time that
    /// it takes.
    ///
    /// The session is not that of calls inside of `body`: what the user does in a progress closure goes its own way.
    func caring<R>(_ body: (Session, any Upkeep) throws -> R) throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try session.enter {
            try session.connection.unlimited { try body(session, session.connection.upkeep()) }
        }
    }

    /// The same in its turn among those of this process that write.
    func caringAlone<R>(_ body: (any Upkeep) throws -> R) throws -> R {
        try caring { session, upkeep in
            if let refusal = session.connection.writeRefusal { throw refusal }
            try session.writing.takeTurn(for: session)
            defer { session.writing.leaveTurn(of: session) }
            return try body(upkeep)
        }
    }
}

extension Store {
    /// Whether a table is one in which the library notes what the file holds: no class can have its name. What the history
    /// has is data, also while none of its classes is in use.
    func hasNotes(in table: String) -> Bool {
        Naming.folded(table).hasPrefix("po_") && !HistoryNames.contains(Naming.folded(table))
            && classes.owner(of: table) == nil
    }
}
