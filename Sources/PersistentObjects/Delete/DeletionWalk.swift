/// The rows of a deletion and all that follow from them by delete rules: by the node of their table, each once.
///
/// A hard deletion, a soft one and the restoration of a soft one walk alike; they differ in the rows that they follow to.
class DeletionWalk {
    let rules: DeletionRules
    final var rows: [[Int64]]
    private final var known: [Set<Int64>]

    init(_ rules: DeletionRules) {
        self.rules = rules
        rows = Array(repeating: [], count: rules.nodes.count)
        known = Array(repeating: [], count: rules.nodes.count)
    }

    /// Whether rows of a node can follow.
    func follows(to node: Int) -> Bool { true }

    /// Those of some rows of a node that follow.
    func following(_ ids: [Int64], _ node: Int, _ session: Session) throws -> [Int64] { ids }

    /// The nodes that have rows.
    final var involved: [Int] { rows.indices.filter { !rows[$0].isEmpty } }

    /// Adds rows of a node.
    final func add(_ ids: [Int64], to node: Int) {
        for id in ids where known[node].insert(id).inserted { rows[node].append(id) }
    }

    /// Whether a row is among them.
    final func contains(_ id: Int64, _ node: Int) -> Bool { known[node].contains(id) }

    /// Adds the rows to which cascades lead.
    ///
    /// - Parameter moves: The unsaved edits; nil if they do not count.
    final func follow(_ session: Session, _ moves: UnsavedMoves?) throws {
        try rules.followCascades(of: { Array(rows[$0][$1...]) }) { rule, level throws in
            guard follows(to: rule.destination) else { return }
            let others = try others(by: rule, of: level, session)
            let next = try (moves?.remaining(others, by: rule) ?? others).map(\.other)
            add(try following(next, rule.destination, session), to: rule.destination)
        }
    }

    /// Refuses what a rule denies.
    final func checkDenials(_ session: Session, _ moves: UnsavedMoves?) throws {
        for node in involved {
            for rule in rules.nodes[node].denials {
                let others = try others(by: rule, of: rows[node], session)
                let left = try moves?.remaining(others, by: rule, denies: true) ?? others
                if let denial = try SoftDeletion.firstLiving(left, by: rule, rules, session) {
                    throw StoreError.denied(denial.id, rules.nodes[node].map, by: rule, denial.other)
                }
            }
        }
    }

    /// The rows on the other side of a rule's link that are not among those of the deletion.
    private func others(
        by rule: LinkRule, of ids: [Int64], _ session: Session
    ) throws -> [(id: Int64, other: Int64)] {
        let ids = try rule.source.map { try session.space(of: $0.type).rows(ids) } ?? ids
        guard !ids.isEmpty else { return [] }
        var found: [(id: Int64, other: Int64)] = []
        let isForward = rule.direction == .fromOwners
        try rule.link.forEachPair(rule.direction, ids, session) { owner, target in
            found.append(isForward ? (owner, target) : (target, owner))
        }
        if let other = rule.other, !found.isEmpty {
            let wanted = Set(try session.space(of: other.type).rows(found.map(\.other)))
            found.removeAll { !wanted.contains($0.other) }
        }
        found.removeAll { known[rule.destination].contains($0.other) }
        return found
    }
}

extension ClassSpace {
    /// Those of some ids whose rows are of the class.
    fileprivate func rows(_ ids: [Int64]) throws -> [Int64] {
        try session.connection.integers(sql.selectIDs, ids)
    }
}

extension StoreError {
    fileprivate static func denied(_ id: Int64, _ map: ClassMap, by rule: LinkRule, _ other: Int64) -> StoreError {
        let property = rule.property.name
        let link = rule.link
        if case .inverse = rule.property.shape {
            return StoreError(
                .deletionDenied,
                "The object cannot be deleted while \(link.map.name) #\(other) refers to it, because the "
                    + "property's delete rule is .deny. Nothing was deleted. Delete both, or remove the reference "
                    + "first",
                className: rule.map.name, property: property, rowID: id)
        }
        guard link.isCollection else {
            return StoreError(
                .deletionDenied,
                "The object refers to \(map.name) #\(id), which cannot be deleted because the property's delete "
                    + "rule is .deny. Nothing was deleted. Delete both, or set the property to nil first",
                className: link.map.name, property: property, rowID: other)
        }
        let target = (rule.property.codec as? any LinkCodec).map { "\($0.target)" } ?? "row"
        return StoreError(
            .deletionDenied,
            "The object cannot be deleted while it contains \(target) #\(other), because the property's delete "
                + "rule is .deny. Nothing was deleted. Delete both, or remove the element first",
            className: rule.map.name, property: property, rowID: id)
    }
}
