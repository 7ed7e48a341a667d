internal import Foundation
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
        guard waits, let space = rows.first?.space, !space.sql.keyedPlaces.isEmpty else { return rows.map(\.object) }
        let early = try session.withMissingTargets(rows.map(\.object), space)
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
                for row in rows[start..<end] { try update(row) }
            } else {
                try insert(ready(rows[start..<end]), rows[start].space)
            }
            start = end
        }
    }

    private func insert(_ objects: [PersistentObject], _ space: ClassSpace) throws {
        guard !objects.isEmpty else { return }
        var batch = WriteBatch()
        batch.append(.insert(ObjectInsertion(objects, space)))
        try session.connection.write(batch)
        if !waits { try session.settleKeyedReferences(of: objects, space) }
        for place in space.map.links.collections { try session.insertCollections(space, place, of: objects) }
    }

    /// Writes what the file has of a row that is there.
    private func update(_ row: ImportedRow) throws {
        let (map, object) = (row.space.map, row.object)
        var columns = ColumnSet()
        for place in row.places where map.properties[place].hasColumn { columns.insert(place) }
        if let updated = map.timestamps?.updated { columns.insert(updated.place) }
        if !columns.isEmpty {
            let statement = try row.space.updateStatement(columns)
            defer { statement.finish() }
            statement.beginBinding()
            var index: Int32 = 1
            var bound = 0
            do throws(ValueFault) {
                try columns.forEach { (place) throws(ValueFault) in
                    bound = place
                    let field = map.properties[place].address(in: ObjectMemory.start(of: object))
                    try map.properties[place].codec.bind(field, to: statement, at: index)
                    index += 1
                }
                try statement.bind(object.rowID, at: index)
            } catch { throw row.space.located(error, property: bound) }
            do { try statement.run() } catch { throw row.space.located(error) }
        }
        for place in row.places where map.properties[place].codec is CollectionCodec {
            if case .inverse = map.properties[place].shape { continue }
            let statement = try session.connection.statement(try row.space.collectionSQL(place).deleteAll)
            defer { statement.finish() }
            statement.beginBinding()
            do {
                try statement.bind(object.rowID, at: 1)
                try statement.run()
            } catch { throw row.space.located(error, property: place) }
            try session.insertCollections(row.space, place, of: [object])
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
        guard let dates = map.timestamps else { return }
        if isNew, let created = dates.created, !places.contains(created.place) { created.set(now, of: object) }
        if let updated = dates.updated, !places.contains(updated.place) { updated.set(now, of: object) }
    }
}
