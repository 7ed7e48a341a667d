internal import Foundation
internal import PersistentObjects
internal import StoreEngine

/// Writes imported rows, some at a time: inserts of many rows a statement, updates one by one.
final class ImportWriter {
    private let session: Session
    private let ids: ImportedIDSpace
    private var rows: [ImportedRow] = []
    /// Rows that are written when what they refer to by its key is there: a column has to have the key.
    private var waiting: [ImportedRow] = []
    private var waits = true
    private(set) var report = TransferReport()
    /// Asked about rows that cannot be written; nil where each ends the import.
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

    /// Leaves a row out, or ends the import.
    func refuse(_ error: any Error, _ origin: RowOrigin) throws {
        guard error.saysSomethingOfARow else { throw error }
        let error = origin.locate(TransferError(error))
        guard let decide, case .skip = decide(error) else { throw error }
        report.skipped.append(error)
    }

    /// Notes a value that was left out of a row.
    func leaveOut(_ error: TransferError) { report.leftOut.append(error) }

    func note(unused columns: [String], unfilled properties: [String]) {
        report.unusedColumns += columns
        report.unfilledProperties += properties
    }

    func flush() throws {
        guard !rows.isEmpty else { return }
        let rows = exchange(&self.rows, with: [])
        do { try session.write { try write(rows) } } catch {
            // Which row it was, the rows tell one by one.
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

    /// Writes what is left.
    func finish() throws {
        try flush()
        while !waiting.isEmpty {
            let count = waiting.count
            rows = exchange(&waiting, with: [])
            try flush()
            // Those that are left refer to each other, or to nothing.
            if waiting.count == count { waits = false }
        }
    }

    /// Takes the rows out that have to wait, into `waiting`.
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
                for row in rows[start..<end] { try session.updateRow(of: row.object, row.space, row.places) }
            } else {
                try session.insertRows(of: ready(rows[start..<end]), rows[start].space, settlesKeys: !waits)
            }
            start = end
        }
    }
}

extension Error {
    /// Whether it is about what was to be imported: a disk that fails, another writer and the end of the task are not.
    var saysSomethingOfARow: Bool {
        let others: [StoreError.Code] = [
            .cannotOpen, .corrupt, .readOnly, .fileMoved, .diskFull, .inputOutput, .busy, .timedOut, .cancelled,
            .outOfMemory, .sessionEnded, .overlappingUse,
        ]
        return !(self is CancellationError) && !((self as? StoreError).map { others.contains($0.code) } ?? false)
    }
}

/// The dates that the store keeps, of rows whose file has none.
struct ImportDates {
    private let now = Date()

    func stamp(_ object: PersistentObject, _ map: ClassMap, except places: [Int], isNew: Bool) {
        map.setDates(of: object, to: now, except: places, isNew: isNew)
    }
}
