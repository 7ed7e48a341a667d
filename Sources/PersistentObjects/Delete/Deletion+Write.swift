internal import StoreEngine

extension Deletion {
    /// Deletes the rows; call it in a transaction.
    ///
    /// Rows that refer to other deleted rows are deleted first, so that neither a foreign key nor a trigger writes to
    /// rows to delete. If tables refer to each other in a cycle, links with rules are cleared first. The file's
    /// triggers, which mirror the rules for other programs, then find nothing to do and do not recurse. The history
    /// does not record the cleared links.
    func write(_ session: SessionParts) throws {
        try recordClasses(in: session.news.events)
        defer { session.connection.rowLog?.expectNothing() }
        try clearMoves()
        try writeSoftly(session)
        let involved = rows.indices.filter { !rows[$0].isEmpty }
        for node in involved { try rules.nodes[node].map.checkWritable("deleted", rowID: rows[node].first) }
        if rules.hasForeignTables { try session.connection.deferForeignKeys() }
        guard let order = rules.referrersFirst(involved) else { return try writeRing(involved, session) }
        var batch = WriteBatch()
        for node in order {
            for link in rules.nodes[node].clearedAlways { try link.clear(.fromOwners, rows[node], session) }
            if !rules.nodes[node].clearedIncoming.isEmpty {
                // The referring rows of the batch are deleted first, so the rows that are still linked stay and lose
                // their links.
                try session.connection.write(batch)
                batch = WriteBatch()
                for link in rules.nodes[node].clearedIncoming { try link.clear(.fromTargets, rows[node], session) }
            }
            batch.append(.delete(deletion(of: node, session)))
        }
        try session.connection.write(batch)
    }

    private func writeRing(_ involved: [Int], _ session: SessionParts) throws {
        let kept = involved.filter { rules.nodes[$0].map.keepsHistory }
        let last = try kept.isEmpty ? 0 : session.writing.historySigning.lastEntry()
        for node in involved {
            for link in rules.nodes[node].cleared { try link.clear(.fromOwners, rows[node], session) }
            // A trigger does not distinguish classes of one table. The remaining rows lose their links anyway.
            for link in rules.nodes[node].clearedIncoming { try link.clear(.fromTargets, rows[node], session) }
        }
        var batch = WriteBatch()
        for node in involved { batch.append(.delete(deletion(of: node, session))) }
        try session.connection.write(batch)
        for node in kept {
            let columns = rules.nodes[node].references.map(\.property.column)
            for sql in HistoryStatements.joiningDeletions(
                in: rules.nodes[node].map.table, columns: columns, session.connection.dialect)
            {
                try session.connection.statement(sql).execute([.integer(last)])
            }
        }
    }

    private func deletion(of node: Int, _ session: SessionParts) -> IDDeletion {
        let map = rules.nodes[node].map
        return IDDeletion(rows[node], rules.nodes[node].texts, session.connection) { error, id in
            let error = (error as? ValueFault).map { StoreError.value($0) } ?? error
            guard let error = error as? StoreError else { return error }
            return StoreError.refusedByTrigger(error).at(className: map.name, rowID: id)
        }
    }
}

extension StoreError {
    /// The error for a denial by a trigger, if this process does not know the denying class.
    static func refusedByTrigger(_ error: StoreError) -> StoreError {
        guard error.constraint?.kind == .deniedDeletion else { return error }
        var denied = error
        denied.code = .deletionDenied
        return denied
    }
}
