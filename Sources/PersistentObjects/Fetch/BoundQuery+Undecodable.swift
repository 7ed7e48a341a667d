internal import StoreEngine

// Queries that skip rows that cannot be decoded.
extension BoundQuery {
    /// The objects of a query that can be decoded. The undecodable rows are reported.
    ///
    /// All rows are read at once, because usually all can be decoded. If that fails, the rows are read by their ids in
    /// ever smaller parts, down to the undecodable rows. This takes about ten statements for each undecodable row.
    ///
    /// - Parameter limit: The maximum number of objects, in addition to the query's own limit, which counts rows.
    func readableObjects(
        _ definition: QueryDefinition, limit: Int? = nil, _ report: (UndecodableRow) -> Void
    ) throws -> [PersistentObject] {
        var strict = definition
        strict.undecodable = nil
        // All statements read one state of the file, because otherwise a row could be reported that another session has
        // fixed meanwhile.
        return try session.readTransaction.inOneState {
            do { return try BoundQuery(strict, space).objects(limit: limit) } catch let error as StoreError
                where error.isAboutRow
            {
                let found = FoundObjects(session, strict, try BoundQuery(strict, space).ids())
                var objects: [PersistentObject] = []
                try read(found, limit ?? .max, into: &objects, report)
                return objects
            }
        }
    }

    private func read(
        _ found: FoundObjects, _ limit: Int, into objects: inout [PersistentObject], _ report: (UndecodableRow) -> Void
    ) throws {
        let size = Swift.min(Swift.max(limit, 1), 512)
        // A stack of the remaining parts, the first part on top, instead of recursion.
        let starts = stride(from: 0, to: found.ids.count, by: size)
        var waiting = starts.map { $0..<Swift.min($0 + size, found.ids.count) }
        waiting.reverse()
        while objects.count < limit, let part = waiting.popLast() {
            do { objects += try found.present(part) } catch let error as StoreError
                where error.isAboutRow
            {
                guard part.count > 1 else {
                    report(
                        UndecodableRow(
                            className: space.map.name, rowID: found.ids[part.lowerBound], error: error))
                    continue
                }
                let middle = part.lowerBound + part.count / 2
                waiting.append(middle..<part.upperBound)
                waiting.append(part.lowerBound..<middle)
            }
        }
    }
}
