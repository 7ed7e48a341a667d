internal import Foundation
internal import StoreEngine

/// A soft deletion, which writes its time into the rows, or the restoration of its rows; with its cascades.
///
/// All rows of a deletion have the same time, which identifies them when one of them is restored.
final class SoftDeletion: DeletionWalk {
    /// The required value of `deletedAt` in the rows that are changed.
    private let old: DatabaseValue
    private let new: DatabaseValue

    private init(_ rules: DeletionRules, from old: DatabaseValue, to new: DatabaseValue) {
        self.old = old
        self.new = new
        super.init(rules)
    }

    /// Creates a deletion at the current time.
    override convenience init(_ rules: DeletionRules) {
        self.init(rules, from: .null, to: .real(Date().timeIntervalSinceReferenceDate))
    }

    /// Creates the restoration of the rows that were deleted at a time.
    convenience init(_ rules: DeletionRules, undoing time: Double) {
        self.init(rules, from: .real(time), to: .null)
    }

    private var isDeletion: Bool { old == .null }

    override func follows(to node: Int) -> Bool { rules.nodes[node].map.softDeleteOrdinal != nil }

    /// The rows that exist and must change. Rows that are already deleted are left out, because they cascaded before.
    override func following(_ ids: [Int64], _ node: Int, _ session: SessionParts) throws -> [Int64] {
        guard !ids.isEmpty else { return [] }
        let statement = try session.connection.statement(
            "SELECT \"id\" FROM \(name: rules.nodes[node].map.table) WHERE \(try isOld(node, session))")
        defer { statement.finish() }
        var found: [Int64] = []
        do {
            try bind(ids, to: statement, session)
            while try statement.step() { found.append(statement.integer(0)) }
        } catch { throw located(error, node) }
        return found
    }

    /// Finds all rows that cascades reach.
    ///
    /// - Parameter moves: The unsaved edits; nil for a restoration.
    func findOthers(_ session: SessionParts, _ moves: UnsavedMoves? = nil) throws {
        for node in involved { rows[node] = try following(rows[node], node, session) }
        try follow(session, moves)
        if isDeletion { try checkDenials(session, moves) }
    }

    /// The first row for which a rule denies a deletion. Soft-deleted rows do not count.
    static func firstLiving(
        _ others: [(id: Int64, other: Int64)], by rule: LinkRule, _ rules: DeletionRules, _ session: SessionParts
    ) throws -> (id: Int64, other: Int64)? {
        guard !others.isEmpty, rules.nodes[rule.destination].map.softDeleteOrdinal != nil else { return others.first }
        let living = try Set(SoftDeletion(rules).following(others.map(\.other), rule.destination, session))
        return others.first { living.contains($0.other) }
    }

    /// The condition for rows with the ids of parameter 1 and the time of parameter 2.
    private func isOld(_ node: Int, _ session: SessionParts) throws -> SQL {
        let dialect = session.connection.dialect
        return "\"id\" \(dialect.isInList("?1", .plain)) AND \(name: try column(node)) \(dialect.isSame) ?2"
    }

    private func column(_ node: Int) throws -> String {
        let map = rules.nodes[node].map
        guard let ordinal = map.softDeleteOrdinal else {
            throw StoreError(.misuse, "The class does not use soft deletion", className: map.name)
        }
        return map.properties[ordinal].column
    }

    private func bind(_ ids: [Int64], to statement: Statement, _ session: SessionParts) throws {
        statement.beginBinding()
        try statement.bind(list: ids, at: 1)
        try statement.bind(old, at: 2)
    }

    /// Writes the time; call it in a transaction.
    func write(_ session: SessionParts) throws {
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            try rules.nodes[node].map.checkWritable("deleted", rowID: ids.first)
            let map = rules.nodes[node].map
            let statement = try session.connection.statement(
                "UPDATE \(name: map.table) SET \(name: try column(node)) = ?3 WHERE \(try isOld(node, session))")
            defer { statement.finish() }
            do {
                try session.news.events.announcing(map.softDeleteOrdinal.map { [$0] } ?? [], map) {
                    try run(statement, ids, session)
                }
            } catch {
                guard !isDeletion, let space = try? session.space(of: rules.nodes[node].map.type) else {
                    throw located(error, node)
                }
                let id = ids.count == 1 ? ids[0] : refused(ids, statement, session, error)
                throw space.located(error, rowID: id)
            }
        }
    }

    private func run(_ statement: Statement, _ ids: [Int64], _ session: SessionParts) throws {
        try bind(ids, to: statement, session)
        try statement.bind(new, at: 3)
        try statement.run()
    }

    /// The first row that cannot be restored together with the rows before it. These writes are rolled back, because
    /// the transaction ends with the error.
    private func refused(
        _ ids: [Int64], _ statement: Statement, _ session: SessionParts, _ error: any Error
    ) -> Int64? {
        let connection = session.connection
        guard (error as? StoreError)?.code == .notUnique, connection.isInTransaction,
            !connection.capabilities.contains(.concurrentWriters)
        else { return nil }
        return ids.first { id in (try? run(statement, [id], session)) == nil }
    }

    /// Refreshes the objects in memory, and keeps their edits. Nothing fails here, because the rows are written: if an
    /// object cannot be read now, the next fetch reads it or throws.
    func finish(_ session: SessionParts) {
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            let root = rules.nodes[node].map.root
            session.memory.inverses.didChangeValues(of: rules.nodes[node].map)
            guard let table = session.classes.usedHierarchy(of: root)?.rows else { continue }
            let live = ids.compactMap { table.object(for: $0) }
            for object in live {
                if let identity = object.identityMap {
                    session.level?.touch(object, identity.classMap)
                    if isDeletion { session.news.recordDeletion(object, identity.classMap) }
                }
                session.memory.markStale(object)
            }
            guard !live.isEmpty, let space = try? session.space(of: root) else { continue }
            session.connection.uninterrupted { _ = try? Fetch(session).fetchRows(space, live.map(\.rowID)) }
        }
    }

    private func located(_ error: any Error, _ node: Int) -> any Error {
        let error = (error as? ValueFault).map { StoreError.value($0) } ?? error
        return (error as? StoreError)?.at(className: rules.nodes[node].map.name) ?? error
    }
}
