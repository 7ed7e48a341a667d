internal import StoreEngine

extension Deletion {
    /// Deletes the rows; call it in a transaction.
    ///
    /// Where rules are about links these go first: the file's triggers, which mirror the rules for other programs,
    /// find nothing to do and do not recurse.
    func write(_ session: Session) throws {
        try session.noteClasses(of: self)
        try clearMoves()
        try writeSoftly(session)
        var maps: [ClassMap] = []
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            try rules.nodes[node].map.checkWritable("deleted", rowID: ids.first)
            maps.append(rules.nodes[node].map)
        }
        if rules.hasForeignTables { try session.connection.deferForeignKeys() }
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            for link in rules.nodes[node].cleared { try link.clear(.fromOwners, ids, session) }
            // A trigger does not tell classes of one table apart. What is left here loses its link anyway.
            for link in rules.nodes[node].loosened { try link.clear(.fromTargets, ids, session) }
        }
        var batch = WriteBatch()
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            let node = rules.nodes[node]
            let deletion = IDDeletion(ids, node.texts, session.connection) { error, id in
                let error = (error as? ValueFault).map { StoreError.value($0) } ?? error
                guard let error = error as? StoreError else { return error }
                return StoreError.refusedByTrigger(error).at(className: node.map.name, rowID: id)
            }
            batch.append(.delete(deletion))
        }
        try session.connection.write(batch)
    }
}

extension StoreError {
    /// A denial by the trigger of a class that this process does not know.
    static func refusedByTrigger(_ error: StoreError) -> StoreError {
        guard error.constraint?.kind == .deniedDeletion else { return error }
        var denied = error
        denied.code = .deletionDenied
        return denied
    }
}
