internal import StoreEngine

extension Deletion {
    /// Deletes the rows; call it in a transaction.
    ///
    /// Where rules are about links these go first: the file's triggers, which mirror the rules for other programs,
    /// find nothing to do and do not recurse.
    func write(_ session: Session) throws {
        try session.noteClasses(of: self)
        try writeSoftly(session)
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            for link in rules.nodes[node].cleared { try link.clear(.fromOwners, ids, session) }
            // A trigger does not tell classes of one table apart. What is left here loses its link anyway.
            for link in rules.nodes[node].loosened { try link.clear(.fromTargets, ids, session) }
        }
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            try session.deleteRows(ids, rules.nodes[node])
        }
    }
}

extension Session {
    /// Deletes rows in their order, many to a statement.
    fileprivate func deleteRows(_ ids: [Int64], _ node: DeletionRules.Node) throws {
        var next = 0
        while next < ids.count {
            let size = ids.count - next >= DeletionRules.Node.batchSize ? DeletionRules.Node.batchSize : 1
            do {
                let statement = try connection.statement(size == 1 ? node.deleteOne : node.deleteMany)
                defer { statement.finish() }
                while ids.count - next >= size {
                    for index in 0..<size { try statement.bind(ids[next + index], at: Int32(index) + 1) }
                    try statement.run()
                    next += size
                }
            } catch { throw located(error, node.map, rowID: size == 1 ? ids[next] : nil) }
        }
    }

    private func located(_ error: any Error, _ map: ClassMap, rowID: Int64?) -> any Error {
        let error = (error as? ValueFault).map { StoreError.value($0) } ?? error
        guard let error = error as? StoreError else { return error }
        return StoreError.refusedByTrigger(error).at(className: map.name, rowID: rowID)
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
