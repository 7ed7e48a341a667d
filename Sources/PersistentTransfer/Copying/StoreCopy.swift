// Copying: copies the rows of classes from one store to another, whatever their engines. It knows class maps, tables and
// connections, and must not create objects.

internal import PersistentObjects
internal import StoreEngine

/// The course of a copy.
struct StoreCopy {
    private let source: Session
    private let target: Session
    private let left: Set<String>
    private let report: (TransferProgress) throws -> Void

    /// The maximum number of rows in a transaction, and of their bytes.
    private let partSize: Int
    private static let partBytes = 8 << 20

    init(
        _ source: Session, _ target: Session, leaving left: Set<String>, partSize: Int = 10_000,
        _ report: @escaping (TransferProgress) throws -> Void
    ) {
        self.source = source
        self.target = target
        self.left = left
        self.partSize = partSize
        self.report = report
    }

    /// Returns the number of objects.
    func run(_ types: [PersistentObject.Type]) throws -> Int {
        if source.store === target.store { throw CopyError([TransferError("The target is the same store")]) }
        return try source.enter {
            let plan = try CopyPlan(types, leaving: left, source)
            return try source.connection.loading.withSmallCache {
                try source.inOneState {
                    try CopyCheck(plan: plan, source: source.connection, target: target.connection).check()
                    return try target.enter {
                        try target.connection.loading.withSmallCache { try copy(plan) }
                    }
                }
            }
        }
    }

    private func copy(_ plan: CopyPlan) throws -> Int {
        let connection = target.connection
        let marks: CopyMarks
        if try CopyMarks.areThere(target) {
            // The classes are not prepared again, because that would add the references of incomplete tables.
            marks = try CopyMarks(continuing: plan, target)
        } else {
            for type in plan.types { _ = try target.space(of: type) }
            marks = try CopyMarks(beginning: plan, target)
        }
        let total = try plan.tables.reduce(Int64(0)) { sum, table in
            guard case .integer(let count)? = try source.connection.value(table.count) else { return sum }
            return sum + count
        }
        var copied = plan.tables.reduce(Int64(0)) { $0 + marks[$1].rowCount }
        func reached(_ table: CopiedTable, compared: Int64 = 0) throws {
            if Task.isCancelled { throw CancellationError() }
            try report(TransferProgress(className: table.className, copied: copied, compared: compared, total: total))
        }
        try connection.loading.withoutReferences {
            for table in plan.tables {
                try copyRows(of: table, marks) { count in
                    copied += count
                    try reached(table)
                }
            }
        }
        var compared: Int64 = 0
        var objectCount: Int64 = 0
        try target.inOneState {
            for table in plan.tables {
                let comparison = try CopyComparison(table, source.connection, connection)
                let before = compared
                let count = try comparison.compare(source.connection, connection) { count in
                    guard before + count >= compared + Int64(partSize) else { return }
                    compared = before + count
                    try reached(table, compared: compared)
                }
                compared = before + count
                if table.contents == .objects { objectCount += count }
            }
        }
        try finish(plan, marks)
        return Int(objectCount)
    }

    /// Copies the rows of a table that are not copied yet.
    ///
    /// - Parameter didWrite: Called after each part, with its number of rows.
    private func copyRows(of table: CopiedTable, _ marks: CopyMarks, _ didWrite: (Int64) throws -> Void) throws {
        var mark = marks[table]
        guard !mark.isComplete, !table.columns.isEmpty else { return }
        let start = mark
        let statement = try source.connection.prepare(table.select(from: start.count > 0 ? start.key : nil))
        defer { statement.finish() }
        let rows = CopiedRows(table, target.connection)
        let place = Int32(table.keyIndex)
        var skipped: Int64 = 0
        while try statement.step() {
            let key = statement.integer(place)
            if key == start.key, skipped < start.count {
                skipped += 1
                continue
            }
            try rows.append(statement)
            mark.advance(to: key)
            guard rows.rowCount >= partSize || rows.byteCount >= StoreCopy.partBytes else { continue }
            let count = Int64(rows.rowCount)
            try write(rows, mark, of: table, marks)
            try didWrite(count)
        }
        mark.isComplete = true
        let count = Int64(rows.rowCount)
        try write(rows, mark, of: table, marks)
        try didWrite(count)
    }

    private func write(_ rows: CopiedRows, _ mark: CopyMarks.Mark, of table: CopiedTable, _ marks: CopyMarks) throws {
        try target.write(together: true, alone: true) {
            target.keepHistoryAsWritten()
            if rows.rowCount > 0 {
                var batch = WriteBatch()
                batch.append(.insert(rows))
                try target.connection.write(batch)
            }
            try marks.record(mark, of: table)
        }
        rows.removeAll()
    }

    /// Checks the references, moves the sequences after the highest ids, and removes the marks.
    private func finish(_ plan: CopyPlan, _ marks: CopyMarks) throws {
        let connection = target.connection
        try connection.unlimited {
            try target.write(alone: true) {
                for statement in marks.restorations { try connection.execute(SQL(RawSQL(statement))) }
                for table in plan.tables where table.key == "id" { _ = try connection.greatestID(in: table.name) }
                if connection.loading.mayHaveBrokenReferences {
                    for table in plan.tables {
                        for (rowID, name) in try connection.schema.brokenReferences(in: table.name) {
                            throw CopyError([
                                table.problem(
                                    "The reference points to a row that does not exist",
                                    column: table.columns.firstIndex { $0.name == name },
                                    id: table.key == "id" ? rowID : nil)
                            ])
                        }
                    }
                }
                try connection.execute("DROP TABLE \(name: CopyMarks.table)")
            }
        }
    }
}
