internal import StoreEngine

/// The effect of unsaved edits on the links that a deletion follows: an object that an edit moved away from its owner
/// is not deleted with that owner, although the file still has the old link.
///
/// These edits must be written together with the deletion, because until then the file does not have the new links. The
/// current save writes the edits of the objects that it saves.
final class UnsavedMoves {
    /// Thrown before anything is written: the edits of some objects must be saved together with the deletion.
    struct Needed: Error, @unchecked Sendable {  // the session that throws it catches it, on the same thread
        let objects: [PersistentObject]
    }

    /// A row that is not deleted.
    private struct Spared {
        let node: Int
        let id: Int64
        /// The objects whose edits keep the row and must be written.
        var movers: [PersistentObject] = []
        /// The rows that are linked to it now; empty if the row stays without them. If all of them are deleted, the row
        /// is deleted as well.
        var refuges: [(node: Int, id: Int64)] = []
        /// The reference that the file still has, and the row that contains it.
        var link: StoredLink?
        var holder: Int64 = 0
    }

    /// Objects that own other objects by an edit, by the node and the row of the owned object.
    typealias Claims = [Int: [Int64: [PersistentObject]]]

    private let session: SessionParts
    private let rules: DeletionRules
    /// The objects of the current save.
    private let saved: Set<ObjectIdentifier>
    /// The objects that the current save's objects own by their edits.
    private let claimed: Claims
    /// The objects that other objects of the session own by their edits.
    private var claims: Claims = [:]
    private var spared: [Spared] = []
    /// Objects created for the pending edits of released objects. They are retained, because they have the edits now.
    private var revived: [PersistentObject] = []

    init(_ session: SessionParts, _ rules: DeletionRules, saved: Set<ObjectIdentifier> = [], claimed: Claims = [:]) {
        (self.session, self.rules, self.saved, self.claimed) = (session, rules, saved, claimed)
    }

    /// The given pairs of linked rows that are still linked in memory.
    ///
    /// - Parameter denies: Whether the rule denies the deletion; otherwise it cascades to the other row.
    func remaining(
        _ pairs: [(id: Int64, other: Int64)], by rule: LinkRule, denies: Bool = false
    ) throws -> [(id: Int64, other: Int64)] {
        guard !pairs.isEmpty, mayBeEdited(rule.link.owner) || !claimed.isEmpty else { return pairs }
        let ordinals = LinkOrdinals(rule.link)
        return try pairs.filter { pair in
            switch rule.direction {
            case .fromTargets: try !hasLeft(pair.other, pair.id, ordinals)
            case .fromOwners where denies:
                try live(pair.id, rule.link.owner).map { !left($0, pair.other, ordinals) } ?? true
            case .fromOwners: try !wasTaken(pair.other, from: pair.id, ordinals)
            }
        }
    }

    /// The given rows that no object owns by an unsaved edit.
    func unclaimed(_ ids: Set<Int64>, _ node: Int) throws -> Set<Int64> {
        var left = ids
        for id in ids {
            if let claimers = claimed[node]?[id] {
                spare(id, node, for: claimers, areSaved: true)
            } else if let claimers = try claims(node)[id] {
                spare(id, node, for: claimers, areSaved: false)
            } else {
                continue
            }
            left.remove(id)
        }
        return left
    }

    /// Removes and returns the spared rows that are deleted after all, because all rows linked to them are deleted.
    func takeLost(_ isGone: (_ node: Int, _ id: Int64) -> Bool) -> [(node: Int, id: Int64)] {
        let lost = spared.indices.filter { index in
            let refuges = spared[index].refuges
            return !refuges.isEmpty && refuges.allSatisfy { isGone($0.node, $0.id) }
        }
        let rows = lost.map { (spared[$0].node, spared[$0].id) }
        for index in lost.reversed() { spared.remove(at: index) }
        return rows
    }

    /// - Throws: `Needed` if remaining objects have edits that the current save does not write.
    func check(_ isGone: (_ node: Int, _ id: Int64) -> Bool = { _, _ in false }) throws {
        var seen = saved
        let needed = spared.flatMap(\.movers).filter { mover in
            seen.insert(ObjectIdentifier(mover)).inserted && !(home(mover).map { isGone($0.node, $0.id) } ?? false)
        }
        if !needed.isEmpty { throw Needed(objects: needed) }
    }

    /// Removes the references that the save has not replaced yet, so that the triggers in the file do not follow them.
    func clear() throws {
        let links = Dictionary(grouping: spared.filter { $0.link != nil }) { $0.link.map { ObjectIdentifier($0) } }
        for spared in links.values {
            try spared.first?.link?.clear(.fromOwners, spared.map(\.holder), session)
        }
    }

    // MARK: Links in memory

    private func mayBeEdited(_ node: Int) -> Bool {
        !session.memory.pendingEdits.isEmpty || session.classes.hasObjects(of: rules.nodes[node].map)
    }

    /// The object of a row, including the pending edits of a released object.
    private func live(_ id: Int64, _ node: Int) throws -> PersistentObject? {
        let root = rules.nodes[node].map.root
        if let object = session.classes.usedHierarchy(of: root)?.rows.object(for: id) { return object }
        guard session.memory.pendingEdits.ids(of: root).contains(id) else { return nil }
        return try Fetch(session).find(try session.space(of: root), id)
    }

    /// Whether the object of a row no longer refers to a row that is deleted.
    private func hasLeft(_ owner: Int64, _ target: Int64, _ ordinals: LinkOrdinals) throws -> Bool {
        let link = ordinals.link
        guard let object = try live(owner, link.owner), left(object, target, ordinals) else { return false }
        let targets = targets(of: object, ordinals)
        let refuges = targets.allSatisfy { $0.lifecycle == .saved } ? targets.map { (link.target, $0.rowID) } : []
        spared.append(
            Spared(
                node: link.owner, id: owner, movers: [object], refuges: refuges, link: followed(link), holder: owner))
        return true
    }

    /// The link, if a trigger in the file follows it.
    private func followed(_ link: StoredLink) -> StoredLink? {
        link.isCollection || link.isRuledHereOnly ? nil : link
    }

    /// Whether another object now owns a row whose owner is deleted.
    private func wasTaken(_ target: Int64, from owner: Int64, _ ordinals: LinkOrdinals) throws -> Bool {
        let node = ordinals.link.target
        let link = followed(ordinals.link)
        if let claimers = claimed[node]?[target] {
            spare(target, node, for: claimers, areSaved: true, link, owner)
            return true
        }
        // If the owner still contains the object in memory, the row is deleted with the owner.
        guard let object = try live(owner, ordinals.link.owner), left(object, target, ordinals),
            let claimers = try claims(node)[target]
        else { return false }
        spare(target, node, for: claimers, areSaved: false, link, owner)
        return true
    }

    /// - Parameter areSaved: Whether the current save writes the claimers' edits.
    private func spare(
        _ id: Int64, _ node: Int, for claimers: [PersistentObject], areSaved: Bool, _ link: StoredLink? = nil,
        _ holder: Int64 = 0
    ) {
        // A new object has no row that could be deleted.
        let homes = claimers.map(home)
        let refuges = homes.contains { $0 == nil } ? [] : homes.compactMap(\.self)
        spared.append(
            Spared(
                node: node, id: id, movers: areSaved ? [] : claimers, refuges: refuges, link: link, holder: holder))
    }

    private func home(_ object: PersistentObject) -> (node: Int, id: Int64)? {
        object.identityMap.flatMap { rules.node(of: $0.classMap) }.map { ($0, object.rowID) }
    }

    /// Whether an edit removed a row from a link.
    private func left(_ object: PersistentObject, _ target: Int64, _ ordinals: LinkOrdinals) -> Bool {
        isEdited(object, ordinals) && !targets(of: object, ordinals).contains { $0.rowIDOrNone == target }
    }

    private func isEdited(_ object: PersistentObject, _ ordinals: LinkOrdinals) -> Bool {
        guard let (map, ordinal) = ordinals.find(in: object), let block = object.baseline else { return false }
        return !map.baseline.isSame(map.baseline.slots[ordinal], ObjectMemory.start(of: object), block)
    }

    private func targets(of object: PersistentObject, _ ordinals: LinkOrdinals) -> [PersistentObject] {
        guard let (map, ordinal) = ordinals.find(in: object) else { return [] }
        return map.targets(ordinal, of: object)
    }

    /// The session's objects that own rows of a node by unsaved edits, by the owned row.
    ///
    /// - Complexity: Checks all live objects of the classes that can own the node's rows.
    private func claims(_ node: Int) throws -> [Int64: [PersistentObject]] {
        if let known = claims[node] { return known }
        var found: [Int64: [PersistentObject]] = [:]
        for rule in rules.nodes.flatMap(\.cascades) where rule.direction == .fromOwners && rule.link.target == node {
            let ordinals = LinkOrdinals(rule.link)
            let root = rules.nodes[rule.link.owner].map.root
            let ended = session.memory.pendingEdits.ids(of: root)
            if !ended.isEmpty { revived += try Fetch(session).find(try session.space(of: root), ended.sorted()) }
            let live =
                session.classes.usedHierarchy(of: root)?.allIdentities.flatMap { $0.possiblyChangedObjects() } ?? []
            for object in live where isEdited(object, ordinals) {
                guard let (map, ordinal) = ordinals.find(in: object), let block = object.baseline else { continue }
                let former = Set(map.baseline.image(ordinal, in: block).ids)
                for target in map.targets(ordinal, of: object) where !former.contains(target.rowID) {
                    found[target.rowID, default: []].append(object)
                }
            }
            for object in session.memory.added where object.lifecycle == .new {
                guard let map = try? ClassMap.map(of: type(of: object)), let ordinal = ordinals.find(in: map) else {
                    continue
                }
                for target in map.targets(ordinal, of: object) { found[target.rowID, default: []].append(object) }
            }
        }
        claims[node] = found
        return found
    }
}

extension ClassMap {
    /// The objects that a link of an object holds in memory.
    func targets(_ ordinal: Int, of object: PersistentObject) -> [PersistentObject] {
        guard let codec = properties[ordinal].codec as? any LinkCodec else { return [] }
        var targets: [PersistentObject] = []
        codec.forEachTarget(properties[ordinal].address(in: ObjectMemory.start(of: object))) { targets.append($0) }
        return targets
    }
}
