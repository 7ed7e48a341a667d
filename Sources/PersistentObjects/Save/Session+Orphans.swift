// What a save deletes: objects that nothing owns any more.
extension Session {
    /// The objects that left a collection or an inverse that owns its elements, and are in none any more.
    func orphans(_ plan: SavePlan) throws -> Deletion? {
        let rules = try deletionRules()
        // By the place of the hierarchy in the rules.
        var left: [Int: (target: ClassSpace, ids: Set<Int64>)] = [:]
        for (space, updates) in plan.updates {
            for place in space.map.links.owningCollections {
                guard let codec = space.map.properties[place].codec as? any LinkCodec else { continue }
                let target = try self.space(of: codec.target)
                guard let node = rules.node(of: target.map) else { continue }
                let root = try self.space(of: target.map.root)
                for update in updates where update.changed.contains(place) {
                    guard let block = update.object.baseline else { continue }
                    let former = space.map.baseline.image(place, in: block).ids
                    left[node, default: (root, [])].ids.formUnion(former)
                }
            }
        }
        for leaver in plan.leaving where !leaver.isOwned {
            guard let node = rules.node(of: leaver.map) else { continue }
            let root = try space(of: leaver.map.root)
            left[node, default: (root, [])].ids.insert(leaver.object.rowID)
        }
        for (node, (target, ids)) in left where !ids.isEmpty {
            // Collections of new objects have no rows yet.
            let owned = try rules.owned(ids, node, self).union(ownedByNew(plan, node, rules))
            left[node] = (target, ids.subtracting(owned))
        }
        var orphans: [PersistentObject] = []
        for (_, (target, ids)) in left.sorted(by: { $0.key < $1.key }) where !ids.isEmpty {
            orphans += try find(target, ids.sorted()).filter { $0.lifecycle == .saved }
        }
        return orphans.isEmpty ? nil : try Deletion(of: orphans, self)
    }

    /// The rows of a hierarchy that are in owning collections of new objects.
    private func ownedByNew(_ plan: SavePlan, _ node: Int, _ rules: DeletionRules) throws -> Set<Int64> {
        var owned: Set<Int64> = []
        for (space, objects) in plan.inserts {
            for place in space.map.links.owningCollections {
                let property = space.map.properties[place]
                guard let codec = property.codec as? any LinkCodec,
                    rules.node(of: try ClassMap.map(of: codec.target)) == node
                else { continue }
                for object in objects {
                    let start = ObjectMemory.start(of: object)
                    codec.forEachTarget(property.address(in: start)) { owned.insert($0.rowID) }
                }
            }
        }
        return owned
    }
}
