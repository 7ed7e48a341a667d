/// The rows that a query has found, by their ids; their objects are read later, some at a time.
///
/// Ids first, and no open cursor or read transaction: these would keep the
/// session from writing meanwhile. A page after the last id read would lose or
/// repeat objects once what is done to them moves them in the query's order, or
/// out of it. Eight bytes for each row is the price.
final class FoundObjects {
    private let session: Session
    private let definition: QueryDefinition
    let ids: [Int64]

    init(_ session: Session, _ definition: QueryDefinition, _ ids: [Int64]) {
        self.session = session
        self.definition = definition
        self.ids = ids
    }

    /// The objects of some of the rows, as they are stored now; those of rows that are gone are left out.
    func present(_ places: Range<Int>) throws -> [PersistentObject] {
        try session.enter("next objects", of: definition.type, in: "query.") {
            let ids = Array(ids[places])
            return definition.isUntracked
                ? try Fetch(session).untracked { try read(ids, in: $0) } : try read(ids, in: session)
        }
    }

    /// The same with a nil for each row that is gone.
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

    /// Whether an object is as the session last saw the file.
    func isCurrent(_ object: PersistentObject) -> Bool { object.freshness == session.memory.epoch }

    func gone(_ place: Int) -> StoreError {
        StoreError(
            .rowGone, "The row was deleted after the query",
            className: String(describing: definition.type), rowID: ids[place])
    }
}
