internal import StoreEngine

/// Patches the list of a query after commits: reads only the written rows, and finds their places with SQL.
///
/// The engine evaluates the condition and the order, so that the patched list equals a fresh one, including the order
/// of equal rows by id. All statements read one state of the database.
struct ListPatcher {
    private let session: Session
    private let space: ClassSpace
    private let interest: QueryInterest
    private let limit: Int?
    /// The query without its limit.
    private let definition: QueryDefinition
    private let plan: QueryPlan

    /// Nil if the list cannot be patched.
    init?(_ definition: QueryDefinition, _ interest: QueryInterest, _ session: Session) throws {
        guard definition.offset == 0, definition.limit != 0,
            !definition.orders.contains(where: { $0.expression.words.contains(.operation(.random)) })
        else { return nil }
        self.session = session
        self.interest = interest
        limit = definition.limit
        var whole = definition
        whole.limit = nil
        self.definition = whole
        space = try session.space(of: definition.type)
        plan = try space.plan(of: whole)
        guard plan.isPlain else { return nil }
    }

    /// The patch for a list after some news, and the objects of the written rows that the query finds; nil if the query
    /// must run again.
    func patch(
        _ ids: [Int64], _ news: QueryNews, _ watch: QueryWatch
    ) throws -> (ListPatch, [Int64: PersistentObject])? {
        try session.readTransaction.inOneState {
            let written = Array(news.changed)
            let found = try rows(plan.idsAmongListed, written)
            // Another commit may be visible in this state, without being in the news.
            guard session.store.hub.hasReportedAll(upTo: session.connection.commitMark), watch.isEmpty else {
                return nil
            }
            var patch = ListPatch(ids, written: news.changed)
            var places = Places(patcher: self, among: patch.unwritten)
            for id in found {
                guard let place = try places.place(of: id, patch.formerPlace(of: id)) else { return nil }
                patch.insert(id, at: place)
            }
            if let limit { guard patch.cut(to: limit) else { return nil } }
            guard let objects = try objects(found, news) else { return nil }
            return (patch, objects)
        }
    }

    /// The objects of rows that the query finds; nil if one of them has no object.
    private func objects(_ found: [Int64], _ news: QueryNews) throws -> [Int64: PersistentObject]? {
        let stale = found.filter { news.changedByOthers.contains($0) }
        let own = found.filter { !news.changedByOthers.contains($0) }
        session.memory.markStale(stale, of: interest.root)
        var objects = own.isEmpty ? [] : try Fetch(session).find(space, own)
        if !stale.isEmpty { objects += try Fetch(session).fetchObjects(space, stale) }
        guard objects.count == found.count else { return nil }
        return Dictionary(objects.map { ($0.rowID, $0) }) { first, _ in first }
    }

    /// Some of the listed rows, in the query's order.
    private func rows(_ sql: SQL, _ listed: [Int64]) throws -> [Int64] {
        var ids = try space.integers(sql) { statement in
            try plan.bind(definition, to: statement, session.parts)
            try statement.bind(list: listed, at: plan.furtherIndex)
        }
        if !plan.isAnswerOrdered { ids.sort() }
        return ids
    }

    /// The search for the places of written rows among the unwritten rows of the list.
    private struct Places {
        let patcher: ListPatcher
        let unwritten: [Int64]
        /// The number of further statements; after them, running the query is faster.
        private var budget = 100

        init(patcher: ListPatcher, among unwritten: [Int64]) {
            self.patcher = patcher
            self.unwritten = unwritten
        }

        /// The number of unwritten rows that precede a row; nil if it cannot be determined.
        ///
        /// - Parameter former: The row's place in the list before, which often is still its place.
        mutating func place(of id: Int64, _ former: Int?) throws -> Int? {
            var range = 0...unwritten.count
            var pivots = former.map { Array(Swift.max(0, $0 - 1)..<Swift.min(unwritten.count, $0 + 1)) }
            while range.lowerBound < range.upperBound {
                let chosen = pivots ?? Places.pivots(range, withEnds: range == 0...unwritten.count)
                pivots = nil
                guard let rank = try rank(of: id, chosen) else { return nil }
                let low = rank == 0 ? range.lowerBound : chosen[rank - 1] + 1
                let high = rank == chosen.count ? range.upperBound : chosen[rank]
                range = low...high
            }
            return range.lowerBound
        }

        private static let pivotCount = 8

        /// Places that divide a range into equal parts. With its ends, because most new rows belong there.
        private static func pivots(_ range: ClosedRange<Int>, withEnds: Bool) -> [Int] {
            let width = range.upperBound - range.lowerBound
            let count = Swift.min(width, pivotCount)
            if withEnds, count > 1 { return (0..<count).map { range.lowerBound + (width - 1) * $0 / (count - 1) } }
            return (1...count).map { range.lowerBound + (width * $0) / (count + 1) }
        }

        /// The number of rows at some places that precede a row.
        private mutating func rank(of id: Int64, _ places: [Int]) throws -> Int? {
            guard patcher.plan.isAnswerOrdered else { return places.count { unwritten[$0] < id } }
            guard budget > 0 else { return nil }
            budget -= 1
            let sorted = try patcher.rows(patcher.plan.listedIDs, places.map { unwritten[$0] } + [id])
            guard sorted.count == places.count + 1 else { return nil }
            return sorted.firstIndex(of: id)
        }
    }
}
