internal import Foundation
internal import PersistentObjects

extension Session {
    /// Imports the objects of a JSON file as rows, in one transaction.
    func importObjects(
        _ types: [PersistentObject.Type], from url: URL, _ ids: ImportedIDs, _ meter: TransferMeter,
        _ decide: ((TransferError) -> ImportDecision)?
    ) throws -> TransferReport {
        guard !types.isEmpty else { throw TransferError("The import names no class. Name at least one") }
        try checkIsNotOwn(url)
        let reader = try RecordReader(url)
        return try importing(types, ids, decide) { writer, ids in
            let objects = ImportedObjects(self, ids, types)
            meter.begin(reader.size)
            while let record = try reader.next() {
                do { if let row = try objects.row(record) { try writer.add(row) } } catch {
                    try writer.refuse(error, RowOrigin(line: record.line))
                }
                try meter.advance(to: reader.position)
            }
            try writer.finish()
            if let missing = ids.missing { throw missing }
            try BrokenLinks(self, types, ids).check()
            try meter.end(reader.size)
        }
    }

    /// Calls `body` in a transaction, with a writer and the id space of the imported rows.
    func importing(
        _ types: [PersistentObject.Type], _ ids: ImportedIDs, _ decide: ((TransferError) -> ImportDecision)?,
        _ body: (ImportWriter, ImportedIDSpace) throws -> Void
    ) throws -> TransferReport {
        // The transaction excludes other writers, because new ids must follow the existing ids.
        try transactionAlone {
            // All tables must exist before rows are written.
            for space in try types.map({ try space(of: $0) }) {
                for target in space.map.linkedClasses { _ = try self.space(of: target) }
            }
            let keepsIDs = if case .kept = ids { true } else { false }
            let idSpace = ImportedIDSpace(self, into: try types.map { try space(of: $0) }, keepsIDs: keepsIDs)
            let writer = ImportWriter(self, idSpace, decide)
            idSpace.writeAll = { [weak writer] in try writer?.flush() }
            try body(writer, idSpace)
            return writer.report
        }
    }
}
