internal import PersistentObjects
internal import StoreEngine

/// Looks for names and values of the source that the target cannot store, before anything is written.
struct CopyCheck {
    let plan: CopyPlan
    let source: any Connection
    let target: any Connection

    /// - Throws: `CopyError` with all problems.
    func check() throws {
        var problems = names
        for table in plan.tables {
            if source.loading.storesNUL, !target.loading.storesNUL { problems += try strings(of: table) }
            if source.loading.mayHaveBrokenReferences { problems += try references(of: table) }
        }
        guard problems.isEmpty else { throw CopyError(problems) }
    }

    private var names: [TransferError] {
        guard let longest = target.loading.longestName else { return [] }
        return plan.tables.flatMap { table in
            let hasClass = table.contents == .objects
            let columns = table.columns.indices.map { (table.columns[$0].name, Optional($0)) }
            let all = [(table.name, hasClass ? nil : 0)] + (hasClass ? columns : [])
            return all.filter { $0.0.utf8.count > longest }.map { name, column in
                table.problem(
                    "The name \(name) has \(name.utf8.count) bytes, and \(target.engineName) allows \(longest) at most. "
                        + "Choose a shorter name with tableName or @Column", column: column)
            }
        }
    }

    /// The strings with a NUL.
    private func strings(of table: CopiedTable) throws -> [TransferError] {
        let texts = [LogicalType.text, .any].map { source.dialect.declaredType($0).text }
        let places = table.columns.indices.filter { texts.contains(table.columns[$0].type) }
        guard !places.isEmpty else { return [] }
        let statement = try source.prepare(table.select(from: nil))
        defer { statement.finish() }
        let row = CellRow()
        var problems: [TransferError] = []
        while try statement.step() {
            row.take(statement)
            for place in places where row.row[place].hasNUL {
                problems.append(
                    table.problem(
                        "The string contains a NUL character, which \(target.engineName) cannot store. Change the value",
                        column: place, id: statement.integer(Int32(table.keyIndex))))
            }
        }
        return problems
    }

    private func references(of table: CopiedTable) throws -> [TransferError] {
        try source.schema.brokenReferences(in: table.name).map { rowID, name in
            table.problem(
                "The reference points to a row that does not exist. Set it to nil",
                column: table.columns.firstIndex { $0.name == name }, id: table.key == "id" ? rowID : nil)
        }
    }
}
