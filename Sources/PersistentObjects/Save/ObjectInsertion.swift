internal import StoreEngine

/// The row insertions of new objects of one class, in order. The objects' headers have their ids already.
final class ObjectInsertion: RowInsertion {
    private let objects: [PersistentObject]
    private let space: ClassSpace
    let valueCount: Int

    init(_ objects: [PersistentObject], _ space: ClassSpace) {
        self.objects = objects
        self.space = space
        valueCount = space.map.columnCount + 1
    }

    var rowCount: Int { objects.count }
    var isOfExistingTable: Bool { space.map.foreign != nil }
    var target: InsertionTarget? { space.sql.insertionTarget }

    func statement(rows: Int) throws -> Statement? {
        rows == 1 ? try space.insertStatement(withIDs: true) : try space.insertStatement(ofSeveral: rows)
    }

    func bind(_ row: Int, to statement: Statement, at index: inout Int32) throws {
        let object = objects[row]
        do throws(ValueFault) { try statement.bind(object.rowID, at: index) } catch { throw space.located(error) }
        index += 1
        try ObjectInsertion.bindProperties(of: object, space, to: statement, &index)
    }

    func located(_ error: StoreError) -> any Error { space.located(error) }

    func checkInserted(_ rows: Range<Int>) throws {
        let ids = objects[rows].map(\.rowID)
        // A trigger may have inserted the rows into another table that the class reads.
        guard try space.session.connection.integers(space.sql.selectIDs, ids).count < ids.count else { return }
        throw ObjectInsertion.ignored(space)
    }

    /// The error for a row that a trigger did not let the statement insert.
    static func ignored(_ space: ClassSpace) -> StoreError {
        StoreError(
            .constraint,
            "A trigger of the table \(space.map.table) left out a new row (RAISE(IGNORE), or RETURN NULL on a server). Nothing was saved. "
                + "Change the values that the trigger rejects, or drop or fix the trigger"
        ).at(className: space.map.name)
    }

    /// Binds the values of all columns except the id.
    @inline(__always)
    static func bindProperties(
        of object: PersistentObject, _ space: ClassSpace, to statement: Statement, _ index: inout Int32
    ) throws {
        var ordinal = 0
        do throws(ValueFault) {
            let start = ObjectMemory.start(of: object)
            for field in space.map.fields {
                try field.bind(field.address(in: start), to: statement, at: index)
                index += 1
                ordinal += 1
            }
        } catch { throw space.located(error, property: ordinal, rowID: object.id) }
    }
}
