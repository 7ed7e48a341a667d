// Batches of writes for engines whose statements cost no round trip.
extension Connection {
    /// Writes a batch statement by statement: for engines that run in the process. Returns the number of rows.
    ///
    /// - Parameters:
    ///   - placeholderLimit: The maximum number of placeholders of a statement.
    ///   - knowsRows: Whether the engine itself detects missing rows of updates.
    ///   - copies: Inserts rows in a faster, engine-specific way; false if that is not possible.
    @discardableResult
    package func writeStepwise(
        _ batch: WriteBatch, placeholderLimit: Int, knowsRows: Bool = false,
        copies: (any RowInsertion) throws -> Bool = { _ in false }
    ) throws -> Int {
        var count = 0
        for step in batch.steps {
            switch step {
            case .insert(let rows):
                if try !copies(rows) { try insert(rows, placeholderLimit, knowsRows) }
                count += rows.rowCount
            case .update(let rows): count += try update(rows, knowsRows)
            case .delete(let rows):
                try delete(rows, knowsRows)
                count += rows.ids.count
            }
        }
        return count
    }

    /// Inserts many rows per statement, because 8 rows save a third of the time, and 64 rows save two fifths.
    private func insert(_ rows: any RowInsertion, _ limit: Int, _ knowsRows: Bool) throws {
        let count = rows.rowCount
        // For few rows, preparing a statement for many costs more than it saves.
        var size = count >= 640 ? 64 : count >= 24 ? 8 : 1
        while size > 1 && size * rows.valueCount > limit { size /= 8 }
        var next = 0
        while next < count {
            while count - next < size { size = Swift.max(1, size / 8) }
            guard let statement = try rows.statement(rows: size) else {
                size = 1
                continue
            }
            next = try insert(rows, next..<count, size, statement, knowsRows)
        }
    }

    /// Inserts as many statements of `size` rows as there are rows for; returns the first remaining row.
    private func insert(
        _ rows: any RowInsertion, _ range: Range<Int>, _ size: Int, _ statement: Statement, _ knowsRows: Bool
    ) throws -> Int {
        defer { statement.finish() }
        var next = range.lowerBound
        while range.upperBound - next >= size {
            let end = next + size
            statement.beginBinding()
            var index: Int32 = 1
            while next < end {
                try rows.bind(next, to: statement, at: &index)
                next += 1
            }
            // New rows have no ids that could name them. Rows before the failed row may have been inserted, but the
            // transaction ends with the error.
            do throws(StoreError) { try statement.send() } catch { throw rows.located(error) }
            // A trigger with RAISE(IGNORE) leaves out a row without an error.
            if !knowsRows, changedRowCount != size { try rows.checkInserted(end - size..<end) }
        }
        return next
    }

    private func update(_ rows: any RowUpdates, _ knowsRows: Bool) throws -> Int {
        var (row, count) = (0, 0)
        while row < rows.rowCount {
            let end = rows.end(ofRowsLike: row)
            if let statement = try rows.statement(forRowsLike: row) {
                defer { statement.finish() }
                try update(rows, row..<end, statement, knowsRows)
                count += end - row
            }
            row = end
        }
        rows.didWriteAll()
        return count
    }

    /// Updates rows with the same columns. If many of them are adjacent, one statement updates several rows.
    private func update(
        _ rows: any RowUpdates, _ range: Range<Int>, _ statement: Statement, _ knowsRows: Bool
    ) throws {
        let size = rows.neighbourCount
        // Preparing the statement costs as much as three runs of it. On a server, a batch that failed is repeated with
        // single rows, because its error must name the row.
        let mayJoin = range.count >= 4 * size && (knowsRows || !capabilities.contains(.concurrentWriters))
        let together = mayJoin ? try rows.statement(forNeighboursLike: range.lowerBound) : nil
        defer { together?.finish() }
        var row = range.lowerBound
        while row < range.upperBound {
            if let together, range.upperBound - row >= size, areNeighbours(row..<row + size, rows.id) {
                try update(rows, row..<row + size, together, singly: statement, knowsRows)
                row += size
            } else {
                try update(rows, row, statement, knowsRows)
                row += 1
            }
        }
    }

    private func update(
        _ rows: any RowUpdates, _ range: Range<Int>, _ together: Statement, singly: Statement, _ knowsRows: Bool
    ) throws {
        together.beginBinding()
        try rows.bindNeighbours(range, to: together)
        do throws(StoreError) { try together.send() } catch {
            // Updating the rows individually shows which one failed, or is gone: those before it get the same values
            // again. If the transaction has already ended, they would be written permanently.
            if isInTransaction, error.repetition == nil {
                for row in range { try update(rows, row, singly, knowsRows) }
            }
            throw rows.located(error, row: range.lowerBound)
        }
        guard knowsRows || changedRowCount >= range.count else {
            for row in range { try update(rows, row, singly, knowsRows) }
            throw rows.missing(range.lowerBound)
        }
    }

    @inline(__always)
    private func update(_ rows: any RowUpdates, _ row: Int, _ statement: Statement, _ knowsRows: Bool) throws {
        statement.beginBinding()
        try rows.bind(row, to: statement)
        rows.willWrite(row)
        do throws(StoreError) { try statement.send() } catch { throw rows.located(error, row: row) }
        guard knowsRows || changedRowCount > 0 else { throw rows.missing(row) }
    }

    private func delete(_ rows: any RowDeletion, _ knowsRows: Bool) throws {
        var rest = rows.ids[...]
        while !rest.isEmpty {
            let part = rest.prefix(1000)
            do { try delete(part, of: rows, knowsRows) } catch {
                // Deleting the rows individually shows which one failed. If the transaction has already ended, they
                // would be deleted permanently.
                if part.count > 1, isInTransaction, (error as? StoreError)?.repetition == nil {
                    for id in part {
                        do { try delete([id], of: rows, knowsRows) } catch { throw rows.located(error, id: id) }
                    }
                }
                throw rows.located(error, id: part.count == 1 ? part.first : nil)
            }
            rest = rest.dropFirst(part.count)
        }
    }

    private func delete(_ ids: ArraySlice<Int64>, of rows: any RowDeletion, _ knowsRows: Bool) throws {
        guard let first = ids.first, let last = ids.last else { return }
        let range = areNeighbours(ids.indices) { ids[$0] } ? try rows.statementForRange() : nil
        let statement = try range ?? (ids.count == 1 ? rows.statementForOne() : rows.statementForList())
        defer { statement.finish() }
        statement.beginBinding()
        if range != nil {
            try statement.bind(first, at: 1)
            try statement.bind(last, at: 2)
        } else if ids.count == 1 {
            try statement.bind(first, at: 1)
        } else {
            try statement.bind(list: Array(ids), at: 1)
        }
        try statement.send()
        // The missing rows were deleted before, or a trigger with RAISE(IGNORE) kept them.
        if !knowsRows, changedRowCount < ids.count { try rows.checkDeleted(ids) }
    }

    /// Whether the ids of some rows are consecutive.
    @inline(__always)
    private func areNeighbours(_ rows: Range<Int>, _ id: (Int) -> Int64) -> Bool {
        let (first, last) = (id(rows.lowerBound), id(rows.upperBound - 1))
        // The last id excludes most cases; in unsorted order, the ids could exceed the greatest possible id.
        guard first < last, last &- first == rows.count - 1 else { return false }
        return rows.allSatisfy { id($0) == first + Int64($0 - rows.lowerBound) }
    }
}
