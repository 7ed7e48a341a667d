/// The rows that a query found, by their ids. Their objects are read later, some at a time.
///
/// The ids are read first, because an open cursor or read transaction would keep the session from writing meanwhile.
/// Reading pages by the last id would lose or repeat objects if the caller's changes move them in the query's order or
/// out of its result. The price is eight bytes for each row.
final class FoundObjects {
    private let session: Session
    private let definition: QueryDefinition
    let ids: [Int64]

    init(_ session: Session, _ definition: QueryDefinition, _ ids: [Int64]) {
        self.session = session
        self.definition = definition
        self.ids = ids
    }

    /// The objects of some of the rows, as they are stored now. Deleted rows are left out.
    func present(_ places: Range<Int>) throws -> [PersistentObject] {
        try session.enter("next objects", of: definition.type, in: "query.") {
            let ids = Array(ids[places])
            return definition.isUntracked
                ? try Fetch(session).untracked { try read(ids, in: $0) } : try read(ids, in: session)
        }
    }

    /// The objects of some of the rows, with nil for each deleted row.
    func objects(_ places: Range<Int>) throws -> [PersistentObject?] {
        let found = try present(places)
        if found.count == places.count { return found }
        var next = found.makeIterator()
        var object = next.next()
        return ids[places].map { id in
            guard let here = object, here.rowID == id else { return nil }
            object = next.next()
            return here
        }
    }

    private func read(_ ids: [Int64], in session: Session) throws -> [PersistentObject] {
        let space = try session.space(of: definition.type)
        return try LinkLoader(session).including(definition.parts, space) {
            try Fetch(session).fetchObjects(space, ids)
        }
    }

    /// Whether an object matches the state of the file that the session saw last.
    func isCurrent(_ object: PersistentObject) -> Bool { object.freshness == session.memory.epoch }

    func missing(_ place: Int) -> StoreError {
        StoreError(
            .rowGone, "The row was deleted after the query",
            className: String(describing: definition.type), rowID: ids[place])
    }
}
