// Deletions by a save: the objects that nothing owns any more.
extension Save {
    /// The deletion of objects that were removed from an owning collection or inverse, and that nothing else owns.
    func orphans(_ plan: SavePlan) throws -> Deletion? {
        guard plan.mayDelete else { return nil }
        let rules = try session.deletionRules()
        let moves = try UnsavedMoves(session, rules, plan)
        // By the hierarchy's node in the rules.
        var left: [Int: (target: ClassSpace, ids: Set<Int64>)] = [:]
        for (space, updates) in plan.updates {
            for ordinal in space.map.links.owningCollections {
                guard let codec = space.map.properties[ordinal].codec as? any LinkCodec else { continue }
                let target = try session.space(of: codec.target)
                guard let node = rules.node(of: target.map) else { continue }
                let root = try session.space(of: target.map.root)
                for update in updates where update.changed.contains(ordinal) {
                    guard let block = update.object.baseline else { continue }
                    let former = space.map.baseline.image(ordinal, in: block).ids
                    left[node, default: (root, [])].ids.formUnion(former)
                }
            }
        }
        for leaver in plan.leaving where !leaver.isOwned {
            guard let node = rules.node(of: leaver.map) else { continue }
            let root = try session.space(of: leaver.map.root)
            left[node, default: (root, [])].ids.insert(leaver.object.rowID)
        }
        for (node, (target, ids)) in left where !ids.isEmpty {
            left[node] = (target, try moves.unclaimed(ids.subtracting(try rules.owned(ids, node, session)), node))
        }
        var orphans: [PersistentObject] = []
        for (_, (target, ids)) in left.sorted(by: { $0.key < $1.key }) where !ids.isEmpty {
            orphans += try Fetch(session).find(target, ids.sorted()).filter { $0.lifecycle == .saved }
        }
        if orphans.isEmpty {
            try moves.check()
            return nil
        }
        return try Deletion(of: orphans, moves, session)
    }
}

extension UnsavedMoves {
    /// The owners that a save's edits set. They are needed because collections of new objects have no rows yet when the
    /// save deletes.
    convenience init(_ session: SessionParts, _ rules: DeletionRules, _ plan: SavePlan) throws {
        var saved: Set<ObjectIdentifier> = []
        var claimed: Claims = [:]
        func add(_ object: PersistentObject, _ map: ClassMap, _ changed: ColumnSet?) throws {
            saved.insert(ObjectIdentifier(object))
            for ordinal in map.links.owners where changed?.contains(ordinal) ?? true {
                guard let codec = map.properties[ordinal].codec as? any LinkCodec,
                    let node = rules.node(of: try ClassMap.map(of: codec.target))
                else { continue }
                let former = changed == nil ? [] : object.baseline.map { map.baseline.image(ordinal, in: $0).ids } ?? []
                for target in map.targets(ordinal, of: object)
                where target.lifecycle == .saved && !former.contains(target.rowID) {
                    claimed[node, default: [:]][target.rowID, default: []].append(object)
                }
            }
        }
        for (space, objects) in plan.inserts { for object in objects { try add(object, space.map, nil) } }
        for (space, updates) in plan.updates {
            for update in updates { try add(update.object, space.map, update.changed) }
        }
        self.init(session, rules, saved: saved, claimed: claimed)
    }
}
