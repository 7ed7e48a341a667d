/// The values that a save sets in objects before it writes them, to restore them if it fails: dates, versions, keys and
/// ids.
struct SaveMarks {
    private var times = Timestamps()
    private var versions = VersionCounts()
    /// The new objects, whose ids are removed again if the save fails.
    private let inserts: [(ClassSpace, [PersistentObject])]
    /// The new objects that had ids before the save.
    private let withIDs: [(object: PersistentObject, id: Int64)]
    private let withNewKeys: [PersistentObject]
    /// The objects with rounded dates, and their rounded properties. The dates stay rounded.
    private let rounded: [(object: PersistentObject, map: ClassMap, ordinals: [Int])]

    init(_ plan: inout SavePlan) {
        plan.stamp(&times)
        rounded = plan.round()
        plan.countUp(&versions)
        inserts = plan.inserts
        withIDs = plan.inserts.filter { $0.0.map.takesGivenIDs || $0.0.map.keepsHistory }.flatMap { space, objects in
            objects.filter { $0.keepsID(space.map) }.map { ($0, $0.rowID) }
        }
        withNewKeys = plan.inserts.flatMap { space, objects in space.map.giveKeys(to: objects) }
    }

    /// Restores the objects after a failed save.
    func revert() {
        for (_, objects) in inserts { for object in objects { object.rowID = 0 } }
        for (object, id) in withIDs { object.rowID = id }
        for object in withNewKeys { object.objectKey = nil }
        times.revert()
        versions.revert()
    }

    /// Notifies observers after the save, and restores the dates of objects that the save left out.
    func keep(_ plan: SavePlan, _ session: SessionParts) {
        times.revertNew()
        for (object, map, ordinals) in rounded { ordinals.forEach { session.news.recordChange($0, of: object, map) } }
        for (space, objects) in plan.inserts where space.map.observed != nil {
            for object in objects where object.lifecycle != .new {
                Save(session).didMark(object, space.map, isNew: true)
            }
        }
        for (space, updates) in plan.updates where space.map.observed != nil {
            for update in updates { Save(session).didMark(update.object, space.map, isNew: false) }
        }
    }
}

// Keys that the store creates.
extension ClassMap {
    /// Assigns keys to the new objects that have no key, and returns these objects.
    func giveKeys(to objects: [PersistentObject]) -> [PersistentObject] {
        guard let keyOrdinal else { return [] }
        let codec = properties[keyOrdinal].codec
        let without = objects.filter { $0.objectKey == nil }
        for object in without { object.objectKey = KeyCodecs.makeKey(for: codec) }
        return without
    }
}
