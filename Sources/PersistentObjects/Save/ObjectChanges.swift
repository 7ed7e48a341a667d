internal import StoreEngine

/// The row updates of changed objects of one class. The objects are borrowed, as in `RowUpdate`.
final class ObjectChanges: RowUpdates {
    private let updates: [RowUpdate]
    private let space: ClassSpace
    private let session: SessionParts

    init(_ updates: [RowUpdate], _ space: ClassSpace, _ session: SessionParts) {
        self.updates = updates
        self.space = space
        self.session = session
    }

    var rowCount: Int { updates.count }
    var table: String? { space.map.foreign == nil ? space.map.table : nil }
    func id(of row: Int) -> Int64 { updates[row].rowID }

    func end(ofRowsLike row: Int) -> Int {
        let columns = updates[row].columns
        var end = row + 1
        while end < updates.count, updates[end].columns == columns { end += 1 }
        return end
    }

    func statement(forRowsLike row: Int) throws -> Statement? {
        let columns = updates[row].columns
        return columns.isEmpty ? nil : try space.updateStatement(columns)
    }

    var neighbourCount: Int { ClassSQL.neighbourCount }

    func statement(forNeighboursLike row: Int) throws -> Statement? {
        // Rows are written one by one if events are recorded, because each row is announced just before it is written.
        guard space.map.foreign == nil, session.news.events.log == nil else { return nil }
        let columns = updates[row].columns
        // Engines without the library's functions in statements seal arguments only.
        guard space.sql.dialect.callsFunctionsOfRows || !space.map.sealedOrdinals.contains(where: columns.contains)
        else { return nil }
        return columns.isEmpty ? nil : try space.neighboursStatement(columns)
    }

    func bind(_ row: Int, to statement: Statement) throws {
        let id = try bindValues(row, to: statement, at: 1, step: 1)
        try bindID(row, to: statement, at: id)
        guard space.sql.takesKey(updates[row].columns) else { return }
        do throws(ValueFault) { try space.bindKey(of: updates[row].object, to: statement, at: id + 1) } catch {
            throw space.located(error, property: space.map.keyOrdinal, rowID: updates[row].rowID)
        }
    }

    func bindNeighbours(_ rows: Range<Int>, to statement: Statement) throws {
        let step = Int32(neighbourCount)
        for (index, row) in zip(Int32(1)..., rows) {
            try bindID(row, to: statement, at: index)
            _ = try bindValues(row, to: statement, at: index + step, step: step)
        }
    }

    /// Binds the new values to every `step`th parameter from `first` on, and returns the index after them.
    @inline(__always)
    private func bindValues(_ row: Int, to statement: Statement, at first: Int32, step: Int32) throws -> Int32 {
        let object = updates[row].object
        let start = ObjectMemory.start(of: object)
        let fields = space.map.fields
        var index = first
        var current: Int?
        do throws(ValueFault) {
            try updates[row].columns.forEach { (ordinal) throws(ValueFault) in
                current = ordinal
                let field = fields[ordinal]
                try field.bind(field.address(in: start), to: statement, at: index)
                index += step
            }
        } catch { throw space.located(error, property: current, rowID: object.rowID) }
        return index
    }

    @inline(__always)
    private func bindID(_ row: Int, to statement: Statement, at index: Int32) throws {
        do throws(ValueFault) { try statement.bind(updates[row].rowID, at: index) } catch {
            throw space.located(error, rowID: updates[row].rowID)
        }
    }

    func willWrite(_ row: Int) {
        session.news.events.announce(updates[row].changed, of: updates[row].rowID, space.map)
    }

    func didWriteAll() {
        // Rows of the objects' table do not show changes of collections and inverses.
        guard session.connection.rowLog != nil else { return }
        for update in updates where update.changed != update.columns {
            session.news.events.recordChanges(
                update.changed, of: CollectionOfOne(update.rowID), space.map, isExact: true)
        }
    }

    func located(_ error: StoreError, row: Int) -> any Error { space.located(error, rowID: updates[row].rowID) }

    func missing(_ row: Int) -> any Error {
        let id = updates[row].rowID
        let exists = (try? session.connection.integers(space.sql.selectIDs, CollectionOfOne(id)))?.isEmpty == false
        return space.located(
            exists
                ? StoreError(
                    .constraint,
                    "A trigger of the table \(space.map.table) ignored the change (RAISE(IGNORE), or RETURN NULL on a server). "
                        + "Nothing was saved. Set other values, call revert(), or drop or fix the trigger")
                : StoreError(
                    .rowGone, "The row was deleted. Nothing was saved. Call copy() to save the values in a new row"),
            rowID: id)
    }
}
