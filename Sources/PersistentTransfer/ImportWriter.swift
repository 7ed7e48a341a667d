internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Writes imported rows in batches: many inserts per statement, but updates one by one.
final class ImportWriter {
    private let session: Session
    private let ids: ImportedIDSpace
    private var rows: [ImportedRow] = []
    /// Rows that wait until the rows that they refer to by key are written, because their columns store the keys.
    private var waiting: [ImportedRow] = []
    private var waits = true
    private(set) var report = TransferReport()
    /// Decides about a row that cannot be written. If it is nil, such a row ends the import.
    private let decide: ((TransferError) -> ImportDecision)?

    private static let batchSize = 256

    init(_ session: Session, _ ids: ImportedIDSpace, _ decide: ((TransferError) -> ImportDecision)?) {
        self.session = session
        self.ids = ids
        self.decide = decide
    }

    func add(_ row: ImportedRow) throws {
        rows.append(row)
        if rows.count >= ImportWriter.batchSize { try flush() }
    }

    /// Skips a row, or ends the import.
    func refuse(_ error: any Error, _ origin: RowOrigin) throws {
        guard error.saysSomethingOfARow else { throw error }
        let error = origin.locate(TransferError(error))
        guard let decide, case .skip = decide(error) else { throw error }
        report.skipped.append(error)
    }

    /// Records a value that was omitted from a row.
    func leaveOut(_ error: TransferError) { report.leftOut.append(error) }

    func record(unused columns: [String], unfilled properties: [String]) {
        report.unusedColumns += columns
        report.unfilledProperties += properties
    }

    func flush() throws {
        guard !rows.isEmpty else { return }
        let rows = exchange(&self.rows, with: [])
        do { try session.write { try write(rows) } } catch {
            // The rows are written again one by one, to find the row that fails.
            guard session.connection.isInTransaction else { throw error }
            for row in rows {
                do { try session.write { try write([row]) } } catch {
                    guard session.connection.isInTransaction else { throw error }
                    ids.didFail(row.object.rowID)
                    try refuse(error, row.origin)
                    continue
                }
                report.converted[row.space.map.name, default: 0] += 1
            }
            return ids.didWrite()
        }
        let held = Set(waiting.map { ObjectIdentifier($0.object) })
        for row in rows where !held.contains(ObjectIdentifier(row.object)) {
            report.converted[row.space.map.name, default: 0] += 1
        }
        ids.didWrite()
    }

    /// Writes the remaining rows.
    func finish() throws {
        try flush()
        while !waiting.isEmpty {
            let count = waiting.count
            rows = exchange(&waiting, with: [])
            try flush()
            // The remaining rows refer to each other, or to rows that do not exist.
            if waiting.count == count { waits = false }
        }
    }

    /// The rows that can be written now. The others are moved to `waiting`.
    private func ready(_ rows: ArraySlice<ImportedRow>) throws -> [PersistentObject] {
        guard waits, let space = rows.first?.space else { return rows.map(\.object) }
        let early = try session.withMissingTargets(rows.map(\.object), space)
        guard !early.isEmpty else { return rows.map(\.object) }
        waiting += rows.filter { early.contains($0.object.rowID) }
        return rows.map(\.object).filter { !early.contains($0.rowID) }
    }

    private func write(_ rows: [ImportedRow]) throws {
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].space === rows[start].space, rows[end].isUpdate == rows[start].isUpdate {
                end += 1
            }
            if rows[start].isUpdate {
                for row in rows[start..<end] { try session.updateRow(of: row.object, row.space, row.ordinals) }
            } else {
                try session.insertRows(of: ready(rows[start..<end]), rows[start].space, settlesKeys: !waits)
            }
            start = end
        }
    }
}

extension Error {
    /// Whether the error concerns the imported data, and not the disk, another writer or the end of the task.
    var saysSomethingOfARow: Bool {
        let others: [StoreError.Code] = [
            .cannotOpen, .corrupt, .readOnly, .notPermitted, .fileMoved, .diskFull, .inputOutput, .busy, .timedOut,
            .cancelled,
            .outOfMemory, .sessionEnded, .overlappingUse,
        ]
        return !(self is CancellationError) && !((self as? StoreError).map { others.contains($0.code) } ?? false)
    }
}

/// Sets the creation and update dates of rows if their file has none.
struct ImportDates {
    private let now = Date()

    func stamp(_ object: PersistentObject, _ map: ClassMap, except ordinals: [Int], isNew: Bool) {
        map.setDates(of: object, to: now, except: ordinals, isNew: isNew)
    }
}
