// Care: the maintenance of a store: backups, checks, sizes, space, and erasing. It uses prepared classes, sessions and
// the engine's upkeep, and must not depend on an engine's file format.

internal import StoreEngine

extension Store {
    /// Calls `body` with a separate session and the database's maintenance interface; nothing interrupts it meanwhile.
    ///
    /// Calls inside `body` do not use this session: the user's work in a progress closure is independent.
    func caring<R>(_ body: (Session, any Upkeep) throws -> R) throws -> R {
        try maintaining { try body($0, $0.connection.upkeep()) }
    }

    /// Calls `body` in a separate session without time limits.
    func maintaining<R>(_ body: (Session) throws -> R) throws -> R {
        let session = try Session(self)
        defer { session.end(isHere: true) }
        return try session.enter { try session.connection.unlimited { try body(session) } }
    }

    /// Does the same while holding this process's write turn.
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
    /// Whether a table contains the library's own records about the file: no class can have its name. The history is
    /// data, even while none of its classes is in use.
    func hasFileRecords(in table: String) -> Bool {
        Naming.folded(table).hasPrefix("po_") && !HistoryNames.contains(Naming.folded(table))
            && classes.owner(of: table) == nil
    }
}
