internal import StoreEngine

/// A deletion and all that follows from it by delete rules: found first, then written, then told to the objects.
///
/// It knows rows, not objects: those that are not in memory are not fetched.
final class Deletion {
    let rules: DeletionRules
    /// The rows that go, by the node of their table, each once.
    private(set) var rows: [[Int64]]
    private var known: [Set<Int64>]
    /// Links from rows that stay to rows that go.
    private(set) var loosened: [(link: StoredLink, owners: [Int64])] = []
    /// Those of classes that delete softly, whose rows stay.
    private let soft: SoftDeletion?
    private let moves: UnsavedMoves

    /// The deletion of saved objects, in a transaction that has written other things before.
    ///
    /// - Throws: `StoreError.Code.deletionDenied` where a rule denies it, `UnsavedMoves.Needed` if other edits must be
    ///   saved with it; nothing is written then.
    convenience init(of objects: [PersistentObject], _ moves: UnsavedMoves, _ session: Session) throws {
        self.init(try session.deletionRules(), moves)
        for object in objects where object.lifecycle == .saved {
            try session.checkOwns(object)
            guard let map = object.identityMap?.classMap else { continue }
            try add([object.rowID], map)
        }
        // Objects that are being saved are in no identity map yet.
        try findOthers(session, onlyInMemory: false)
    }

    /// One of nothing yet.
    ///
    /// - Parameter forever: whether the rows go of classes that delete softly, too.
    init(_ rules: DeletionRules, _ moves: UnsavedMoves, forever: Bool = false) {
        self.rules = rules
        self.moves = moves
        soft = forever || !rules.hasSoftClasses ? nil : SoftDeletion(rules)
        rows = Array(repeating: [], count: rules.nodes.count)
        known = Array(repeating: [], count: rules.nodes.count)
    }

    /// Adds rows of a class.
    func add(_ ids: [Int64], _ map: ClassMap) throws {
        guard let node = rules.node(of: map) else {
            throw StoreError(.misuse, "the class was prepared by another store", className: map.name)
        }
        if let soft, map.softDeletePlace != nil { return soft.add(ids, to: node) }
        add(ids, to: node)
    }

    private func add(_ ids: [Int64], to node: Int) {
        for id in ids where known[node].insert(id).inserted { rows[node].append(id) }
    }

    /// Writes to the rows that stay.
    func writeSoftly(_ session: Session) throws { try soft?.write(session) }

    /// Removes links that edits have changed and that are not written yet.
    func clearMoves() throws { try moves.clear() }

    /// After the commit: tells the objects whose rows stay.
    func finishSoftly(_ session: Session) { soft?.finish(session) }

    /// Whether a row is among those that go.
    func contains(_ id: Int64, _ node: Int) -> Bool { known[node].contains(id) }

    /// Finds all that follows.
    ///
    /// - Parameter onlyInMemory: whether nobody wants to hear of links from rows of classes without objects in memory.
    /// - Throws: `UnsavedMoves.Needed` if other edits must be saved with it.
    func findOthers(_ session: Session, onlyInMemory: Bool) throws {
        try soft?.findOthers(session, moves)
        var isDone = false
        while !isDone {
            try rules.followCascades(of: { Array(rows[$0][$1...]) }) { rule, level throws in
                let others = try Deletion.others(by: rule, of: level, session)
                    .filter { !known[rule.destination].contains($0.other) }
                add(try moves.remaining(others, by: rule).map(\.other), to: rule.destination)
            }
            let lost = moves.takeLost { contains($1, $0) }
            for (node, id) in lost { add([id], to: node) }
            isDone = lost.isEmpty
        }
        try checkDenials(session)
        try moves.check { contains($1, $0) }
        for node in rows.indices where !rows[node].isEmpty {
            rows[node].sort()
            for link in rules.nodes[node].watched {
                if onlyInMemory, !session.hasObjects(rules.nodes[link.owner]) { continue }
                var owners: [Int64] = []
                try link.forEachPair(.fromTargets, rows[node], session) { owner, _ in
                    if !known[link.owner].contains(owner), owners.last != owner { owners.append(owner) }
                }
                if !owners.isEmpty { loosened.append((link, owners)) }
            }
        }
    }

    /// Refuses what a rule denies.
    private func checkDenials(_ session: Session) throws {
        for node in rows.indices where !rows[node].isEmpty {
            for rule in rules.nodes[node].denials {
                let others = try Deletion.others(by: rule, of: rows[node], session)
                    .filter { !known[rule.destination].contains($0.other) }
                let left = try moves.remaining(others, by: rule, denies: true)
                if let denial = try SoftDeletion.firstLiving(left, by: rule, rules, session) {
                    throw Deletion.denied(denial.id, rules.nodes[node].map, by: rule, denial.other)
                }
            }
        }
    }

    /// The rows on the other side of a rule's link.
    static func others(
        by rule: LinkRule, of ids: [Int64], _ session: Session
    ) throws -> [(id: Int64, other: Int64)] {
        let ids = try rule.source.map { try session.rows(ids, of: $0) } ?? ids
        guard !ids.isEmpty else { return [] }
        var found: [(id: Int64, other: Int64)] = []
        let isForward = rule.direction == .fromOwners
        try rule.link.forEachPair(rule.direction, ids, session) { owner, target in
            found.append(isForward ? (owner, target) : (target, owner))
        }
        guard let other = rule.other, !found.isEmpty else { return found }
        let wanted = Set(try session.rows(found.map(\.other), of: other))
        return found.filter { wanted.contains($0.other) }
    }

    static func denied(_ id: Int64, _ map: ClassMap, by rule: LinkRule, _ other: Int64) -> StoreError {
        let property = rule.property.name
        let link = rule.link
        if case .inverse = rule.property.shape {
            return StoreError(
                .deletionDenied,
                "it cannot be deleted while \(link.map.name) #\(other) refers to it, which the property's delete rule "
                    + "denies; delete that too, or take it out first",
                className: rule.map.name, property: property, rowID: id)
        }
        guard link.isCollection else {
            return StoreError(
                .deletionDenied,
                "it refers to \(map.name) #\(id), which cannot be deleted by the property's delete rule; delete both, "
                    + "or set it to nil first",
                className: link.map.name, property: property, rowID: other)
        }
        let target = (rule.property.codec as? any LinkCodec).map { "\($0.target)" } ?? "row"
        return StoreError(
            .deletionDenied,
            "it cannot be deleted while \(target) #\(other) is in it, which the property's delete rule denies; delete "
                + "that too, or take it out first",
            className: rule.map.name, property: property, rowID: id)
    }
}

extension Session {
    /// Those of some ids whose rows are of a class.
    fileprivate func rows(_ ids: [Int64], of map: ClassMap) throws -> [Int64] {
        try connection.integers(try space(of: map.type).sql.selectIDs, ids)
    }

    /// Whether any rows of a table are in memory.
    func hasObjects(_ node: DeletionRules.Node) -> Bool {
        classes.usedHierarchy(of: node.map.root)?.allIdentities.contains { $0.count > 0 } ?? false
    }

    /// The rules of all classes; call it before a transaction begins.
    func deletionRules() throws -> DeletionRules {
        let rules = try store.classes.deletionRules(connection.dialect)
        // The first use of a class can write.
        for map in rules.narrowed { _ = try space(of: map.type) }
        return rules
    }
}
