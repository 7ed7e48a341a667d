internal import StoreEngine

/// A deletion and its consequences by delete rules. They are found first, then written, and then applied to the
/// objects.
///
/// It handles rows, not objects, because objects that are not in memory are not fetched.
final class Deletion: DeletionWalk {
    /// Links from remaining rows to deleted rows.
    private(set) var clearedIncoming: [(link: StoredLink, owners: [Int64])] = []
    /// The soft deletion of rows whose classes use soft deletes; nil if all rows are deleted.
    private let soft: SoftDeletion?
    private let moves: UnsavedMoves

    /// Creates the deletion of saved objects in a transaction that has already written other rows.
    ///
    /// - Throws: `StoreError.Code.deletionDenied` if a rule denies the deletion, `UnsavedMoves.Needed` if other edits
    ///   must be saved with it. The deletion writes nothing then.
    convenience init(of objects: [PersistentObject], _ moves: UnsavedMoves, _ session: SessionParts) throws {
        self.init(try session.deletionRules(), moves)
        for object in objects where object.lifecycle == .saved {
            try session.checkOwns(object)
            guard let map = object.identityMap?.classMap else { continue }
            try add([object.rowID], map)
        }
        // Objects that are being saved are not in an identity map yet.
        try findOthers(session, onlyInMemory: false)
    }

    /// Creates an empty deletion.
    ///
    /// - Parameter forever: Whether the rows of classes with soft deletes are deleted, too.
    init(_ rules: DeletionRules, _ moves: UnsavedMoves, forever: Bool = false) {
        self.moves = moves
        soft = forever || !rules.hasSoftClasses ? nil : SoftDeletion(rules)
        super.init(rules)
    }

    /// Adds rows of a class.
    func add(_ ids: [Int64], _ map: ClassMap) throws {
        guard let node = rules.node(of: map) else {
            throw StoreError(.misuse, "The class was prepared by another store", className: map.name)
        }
        if let soft, map.softDeleteOrdinal != nil { return soft.add(ids, to: node) }
        add(ids, to: node)
    }

    /// The rows that are deleted, and those that are deleted softly, with their nodes.
    var rowsByNode: [(node: Int, ids: [Int64])] {
        [rows, soft?.rows ?? []].flatMap { $0.enumerated().map { ($0.offset, $0.element) } }
    }

    /// Writes the soft deletion.
    func writeSoftly(_ session: SessionParts) throws { try soft?.write(session) }

    /// Removes links that edits changed, if the edits are not written yet.
    func clearMoves() throws { try moves.clear() }

    /// Updates the objects in memory of soft-deleted rows.
    func finishSoftly(_ session: SessionParts) { soft?.finish(session) }

    /// Finds all consequences by delete rules.
    ///
    /// - Parameter onlyInMemory: Whether links from classes without objects in memory are skipped, because no
    ///   subscriber needs them.
    /// - Throws: `UnsavedMoves.Needed` if other edits must be saved with it.
    func findOthers(_ session: SessionParts, onlyInMemory: Bool) throws {
        try soft?.findOthers(session, moves)
        var isDone = false
        while !isDone {
            try follow(session, moves)
            let lost = moves.takeLost { contains($1, $0) }
            for (node, id) in lost { add([id], to: node) }
            isDone = lost.isEmpty
        }
        try checkDenials(session, moves)
        try moves.check { contains($1, $0) }
        for node in involved {
            rows[node].sort()
            for link in rules.nodes[node].externalIncoming {
                if onlyInMemory, !session.classes.hasObjects(of: rules.nodes[link.owner].map) { continue }
                var owners: [Int64] = []
                try link.forEachPair(.fromTargets, rows[node], session) { owner, _ in
                    if !contains(owner, link.owner), owners.last != owner { owners.append(owner) }
                }
                if !owners.isEmpty { clearedIncoming.append((link, owners)) }
            }
        }
    }
}

extension SessionParts {
    /// The rules of all classes; call it before a transaction begins.
    func deletionRules() throws -> DeletionRules {
        let rules = try store.classes.deletionRules(connection.dialect)
        // The first use of a class can write.
        for map in rules.narrowed { _ = try space(of: map.type) }
        return rules
    }
}
