internal import StoreEngine

// The rows of a save.
extension Session {
    func insertOne(_ object: PersistentObject, _ space: ClassSpace) throws -> Int64 {
        let statement = try space.insertStatement(rows: 1, withIDs: false)
        defer { statement.finish() }
        statement.beginBinding()
        var index: Int32 = 1
        try bindProperties(of: object, space, to: statement, &index)
        do { try statement.run() } catch { throw space.located(error) }
        return connection.lastInsertedRowID
    }

    /// Inserts objects in their order, many rows to a statement: 8 save a third of the time, 64 two fifths. Their headers
    /// have their ids already.
    func insert(_ objects: [PersistentObject], _ space: ClassSpace) throws {
        let columnCount = space.map.columnCount + 1
        // Preparing a statement of many rows costs more than it saves where there are few objects.
        var size = objects.count >= 640 ? 64 : objects.count >= 24 ? 8 : 1
        while size > 1 && size * columnCount > 30_000 { size /= 8 }
        var next = 0
        while next < objects.count {
            while objects.count - next < size { size = Swift.max(1, size / 8) }
            next = try insert(objects, from: next, size, space)
        }
    }

    /// Inserts as many statements of `size` rows as there are objects for; the answer is the first object left.
    private func insert(
        _ objects: [PersistentObject], from first: Int, _ size: Int, _ space: ClassSpace
    ) throws -> Int {
        let statement = try space.insertStatement(rows: size, withIDs: true)
        defer { statement.finish() }
        var next = first
        while objects.count - next >= size {
            statement.beginBinding()
            var index: Int32 = 1
            for object in objects[next..<next + size] {
                do throws(ValueFault) { try statement.bind(object.rowID, at: index) } catch {
                    throw space.located(error)
                }
                index += 1
                try bindProperties(of: object, space, to: statement, &index)
                next += 1
            }
            do { try statement.run() } catch {
                // Which of the rows it was shows where they go in one by one; the transaction ends with the error.
                // Where that has ended already they would be written for good.
                if size > 1, connection.isInTransaction {
                    _ = try insert(Array(objects[(next - size)..<next]), from: 0, 1, space)
                }
                throw space.located(error)
            }
        }
        return next
    }

    @inline(__always)
    private func bindProperties(
        of object: PersistentObject, _ space: ClassSpace, to statement: Statement, _ index: inout Int32
    ) throws {
        var place = 0
        do throws(ValueFault) {
            let start = ObjectMemory.start(of: object)
            for field in space.map.fields {
                try field.bind(field.address(in: start), to: statement, at: index)
                index += 1
                place += 1
            }
        } catch { throw space.located(error, property: place, rowID: object.id) }
    }

    func update(_ updates: [RowUpdate], _ space: ClassSpace) throws {
        var last: (columns: ColumnSet, statement: Statement)?
        defer { last?.statement.finish() }
        let fields = space.map.fields
        for update in updates {
            let object = update.object
            let changed = update.columns
            guard !changed.isEmpty else { continue }
            if last?.columns != changed {
                last?.statement.finish()
                last = nil
                last = (changed, try space.updateStatement(changed))
            }
            guard let statement = last?.statement else { continue }
            statement.beginBinding()
            let start = ObjectMemory.start(of: object)
            var index: Int32 = 1
            var current = 0
            do throws(ValueFault) {
                try changed.forEach { (place) throws(ValueFault) in
                    current = place
                    let field = fields[place]
                    try field.bind(field.address(in: start), to: statement, at: index)
                    index += 1
                }
                try statement.bind(object.rowID, at: index)
            } catch { throw space.located(error, property: current, rowID: object.rowID) }
            announce(update, space.map)
            do { try statement.run() } catch { throw space.located(error, rowID: object.rowID) }
            guard connection.changedRowCount > 0 else {
                throw space.located(
                    StoreError(.rowGone, "the row is not there any more; somebody deleted it"), rowID: object.rowID)
            }
        }
    }
}

/// One row to be updated. The caller of the save holds the object, so that 100,000 of these retain nothing.
struct RowUpdate {
    unowned(unsafe) let object: PersistentObject
    let rowID: Int64
    /// All properties that differ from the database.
    let changed: ColumnSet
    /// Those of them that the row has columns for.
    let columns: ColumnSet

    init(object: PersistentObject, changed: ColumnSet, _ map: ClassMap) {
        self.object = object
        rowID = object.rowID
        self.changed = changed
        columns = map.links.isEmpty ? changed : map.columns(of: changed, object)
    }
}
