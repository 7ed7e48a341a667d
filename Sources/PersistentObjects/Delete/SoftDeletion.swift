internal import Foundation
internal import StoreEngine

/// A deletion that lets the rows stay and writes its time into them, or the opposite: with what follows by delete rules.
///
/// Rows of one deletion have one time, by which they are known when one of them is restored.
final class SoftDeletion: DeletionWalk {
    /// What `deletedAt` must be in the rows that are changed.
    private let old: DatabaseValue
    private let new: DatabaseValue

    private init(_ rules: DeletionRules, from old: DatabaseValue, to new: DatabaseValue) {
        self.old = old
        self.new = new
        super.init(rules)
    }

    /// A deletion of now.
    override convenience init(_ rules: DeletionRules) {
        self.init(rules, from: .null, to: .real(Date().timeIntervalSinceReferenceDate))
    }

    /// The opposite of a deletion, by its time.
    convenience init(_ rules: DeletionRules, undoing time: Double) {
        self.init(rules, from: .real(time), to: .null)
    }

    private var isDeletion: Bool { old == .null }

    override func follows(to node: Int) -> Bool { rules.nodes[node].map.softDeletePlace != nil }

    /// The rows that exist and are to be changed: rows that are already deleted have cascaded before.
    override func following(_ ids: [Int64], _ node: Int, _ session: Session) throws -> [Int64] {
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

    /// Finds all that follows.
    ///
    /// - Parameter moves: What unsaved edits say; nil if it is not a deletion.
    func findOthers(_ session: Session, _ moves: UnsavedMoves? = nil) throws {
        for node in involved { rows[node] = try following(rows[node], node, session) }
        try follow(session, moves)
        if isDeletion { try checkDenials(session, moves) }
    }

    /// The first of some rows that a rule denies a deletion for: those that are deleted themselves do not count.
    static func firstLiving(
        _ others: [(id: Int64, other: Int64)], by rule: LinkRule, _ rules: DeletionRules, _ session: Session
    ) throws -> (id: Int64, other: Int64)? {
        guard !others.isEmpty, rules.nodes[rule.destination].map.softDeletePlace != nil else { return others.first }
        let living = try Set(SoftDeletion(rules).following(others.map(\.other), rule.destination, session))
        return others.first { living.contains($0.other) }
    }

    /// Whose ids are the first value and whose time is the second.
    private func isOld(_ node: Int, _ session: Session) throws -> SQL {
        let dialect = session.connection.dialect
        return "\"id\" \(dialect.isInList("?1", .plain)) AND \(name: try column(node)) \(dialect.isSame) ?2"
    }

    private func column(_ node: Int) throws -> String {
        let map = rules.nodes[node].map
        guard let place = map.softDeletePlace else {
            throw StoreError(.misuse, "The class does not use soft deletion", className: map.name)
        }
        return map.properties[place].column
    }

    private func bind(_ ids: [Int64], to statement: Statement, _ session: Session) throws {
        statement.beginBinding()
        try statement.bind(list: ids, at: 1)
        try statement.bind(old, at: 2)
    }

    /// Writes the time; call it in a transaction.
    func write(_ session: Session) throws {
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            try rules.nodes[node].map.checkWritable("deleted", rowID: ids.first)
            let map = rules.nodes[node].map
            let statement = try session.connection.statement(
                "UPDATE \(name: map.table) SET \(name: try column(node)) = ?3 WHERE \(try isOld(node, session))")
            defer { statement.finish() }
            do {
                try session.news.events.announcing(map.softDeletePlace.map { [$0] } ?? [], map) {
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

    private func run(_ statement: Statement, _ ids: [Int64], _ session: Session) throws {
        try bind(ids, to: statement, session)
        try statement.bind(new, at: 3)
        try statement.run()
    }

    /// The first row that cannot be restored together with the others. The transaction ends with the error.
    private func refused(
        _ ids: [Int64], _ statement: Statement, _ session: Session, _ error: any Error
    ) -> Int64? {
        let connection = session.connection
        guard (error as? StoreError)?.code == .notUnique, connection.isInTransaction,
            !connection.capabilities.contains(.concurrentWriters)
        else { return nil }
        return ids.first { id in (try? run(statement, [id], session)) == nil }
    }

    /// After the commit: objects in memory follow, their edits stay. Nothing fails here, the rows are written; what
    /// cannot be read now the next fetch reads, or says why not.
    func finish(_ session: Session) {
        for (node, ids) in rows.enumerated() where !ids.isEmpty {
            let root = rules.nodes[node].map.root
            session.memory.inverses.didChangeValues(of: rules.nodes[node].map)
            guard let table = session.classes.usedHierarchy(of: root)?.rows else { continue }
            let live = ids.compactMap { table.object(for: $0) }
            for object in live {
                if let level = session.level, let identity = object.identityMap {
                    level.touch(object, identity.classMap)
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
