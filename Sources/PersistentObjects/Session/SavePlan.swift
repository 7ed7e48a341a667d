internal import StoreEngine

/// What a save has to write, in the order in which it is best written.
struct SavePlan {
    /// Parents before those that refer to them, as far as classes have an order.
    private(set) var inserts: [(ClassSpace, [PersistentObject])] = []
    /// In the order of the rows.
    private(set) var updates: [(ClassSpace, [RowUpdate])] = []

    var isEmpty: Bool { inserts.isEmpty && updates.isEmpty }

    /// Whether a unique value is about to change, so that rows may have each other's.
    var canPark: Bool { updates.contains { space, updates in updates.contains { space.map.hasUnique($0.columns) } } }

    init(_ objects: [PersistentObject], _ session: Session) throws {
        var insertPlaces: [ObjectIdentifier: Int] = [:]
        var updatePlaces: [ObjectIdentifier: Int] = [:]
        // Most objects in a row are of one class.
        var last: (space: ClassSpace, place: Int)?
        for object in objects {
            let space = try session.space(of: object)
            guard object.lifecycle == .saved else {
                let key = ObjectIdentifier(space)
                if let place = insertPlaces[key] {
                    inserts[place].1.append(object)
                } else {
                    insertPlaces[key] = inserts.count
                    inserts.append((space, [object]))
                }
                continue
            }
            let changed = space.identity.changes(of: object)
            guard !changed.isEmpty else { continue }
            let update = RowUpdate(object: object, changed: changed, space.map)
            if let last, last.space === space {
                updates[last.place].1.append(update)
                continue
            }
            let key = ObjectIdentifier(space)
            let place = updatePlaces[key] ?? updates.count
            if place == updates.count { updates.append((space, [])) }
            updatePlaces[key] = place
            updates[place].1.append(update)
            last = (space, place)
        }
        if inserts.count > 1 { putParentsFirst() }
        putInRowOrder()
    }

    /// Orders the classes of new objects so that each comes after those it refers to. In a circle any order is right:
    /// foreign keys are checked at the commit.
    private mutating func putParentsFirst() {
        var left = inserts
        inserts = []
        while !left.isEmpty {
            let roots = left.map { ObjectIdentifier($0.0.map.root) }
            let next =
                left.firstIndex { space, _ in
                    space.map.links.references.allSatisfy { place in
                        guard let codec = space.map.properties[place].codec as? ReferenceCodec,
                            let target = try? ClassMap.map(of: codec.target)
                        else { return true }
                        return target.root == space.map.root || !roots.contains(ObjectIdentifier(target.root))
                    }
                } ?? 0
            inserts.append(left.remove(at: next))
        }
    }

    /// Updates in any other order miss SQLite's page cache. An object that was reached several times is one row.
    private mutating func putInRowOrder() {
        for place in updates.indices {
            let isOrdered = zip(updates[place].1, updates[place].1.dropFirst()).allSatisfy { $0.rowID < $1.rowID }
            if isOrdered { continue }
            updates[place].1.sort { $0.rowID < $1.rowID }
            var last: Int64?
            updates[place].1.removeAll { update in
                defer { last = update.rowID }
                return last == update.rowID
            }
        }
    }

    static func deletedError(_ object: PersistentObject) -> StoreError {
        StoreError(
            .objectIsDeleted, "the object was deleted; copy() it to save its values in a new row",
            className: String(describing: type(of: object)), rowID: object.rowID)
    }
}
