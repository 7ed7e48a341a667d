/// The rows of a deletion and of its cascades by the node of their table, without duplicates.
///
/// Hard deletions, soft deletions and restorations share this walk. They differ in the rows that cascades include.
class DeletionWalk {
    let rules: DeletionRules
    final var rows: [[Int64]]
    private final var known: [Set<Int64>]

    init(_ rules: DeletionRules) {
        self.rules = rules
        rows = Array(repeating: [], count: rules.nodes.count)
        known = Array(repeating: [], count: rules.nodes.count)
    }

    /// Whether cascades include rows of a node.
    func follows(to node: Int) -> Bool { true }

    /// The rows of a node, among the given rows, that cascades include.
    func following(_ ids: [Int64], _ node: Int, _ session: SessionParts) throws -> [Int64] { ids }

    /// The nodes that have rows.
    final var involved: [Int] { rows.indices.filter { !rows[$0].isEmpty } }

    /// Adds rows of a node.
    final func add(_ ids: [Int64], to node: Int) {
        for id in ids where known[node].insert(id).inserted { rows[node].append(id) }
    }

    /// Whether the walk contains a row.
    final func contains(_ id: Int64, _ node: Int) -> Bool { known[node].contains(id) }

    /// Adds the rows that cascades reach.
    ///
    /// - Parameter moves: The unsaved edits; nil if they are ignored.
    final func follow(_ session: SessionParts, _ moves: UnsavedMoves?) throws {
        try rules.followCascades(of: { Array(rows[$0][$1...]) }) { rule, level throws in
            guard follows(to: rule.destination) else { return }
            let others = try others(by: rule, of: level, session)
            let next = try (moves?.remaining(others, by: rule) ?? others).map(\.other)
            add(try following(next, rule.destination, session), to: rule.destination)
        }
    }

    /// Throws if a rule denies the deletion.
    final func checkDenials(_ session: SessionParts, _ moves: UnsavedMoves?) throws {
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

    /// The rows on the other side of a rule's link that the deletion does not contain yet.
    private func others(
        by rule: LinkRule, of ids: [Int64], _ session: SessionParts
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
    /// The ids, among the given ids, whose rows have the class.
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
