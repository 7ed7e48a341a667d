// Groups: devices that exchange states in groups, and forget. It knows states, and must not know files and networks.

/// What one device knows of the objects in its groups, of the other devices, and of what they know.
package struct Replica<Rules: SyncRules>: Sendable {
    /// What a device knows of the members of a group.
    package struct Membership: Hashable, Sendable {
        package internal(set) var members: Set<DeviceID> = []
        /// The last number of each device that was received.
        package internal(set) var received: [DeviceID: Int64] = [:]
        /// What each member had received when it sent its last batch; of this device, what its log contains, while it is
        /// the only member.
        package internal(set) var receipts: [DeviceID: [DeviceID: Int64]] = [:]
        /// The devices whose membership ended, which other members may not know yet.
        var former: Set<DeviceID> = []
        /// The greatest number of a deletion that this device forgot, because all members had acknowledged it.
        var forgotten: Int64 = 0
    }

    package internal(set) var device: DeviceID
    /// The device's own time, in milliseconds since 1970.
    package var now: UInt64 = 0
    package internal(set) var clock = DeviceClock()
    /// What the program declares of its classes.
    package internal(set) var classes: [Text: ClassShape]
    package internal(set) var objects = ObjectMap()
    /// The earlier states of changed objects; nil if they are not remembered.
    var journal: Journal?
    package internal(set) var groups: [GroupID: Membership] = [:]
    /// How many changes this device made or passed on.
    package internal(set) var number: Int64 = 0
    /// The greatest length of a life that was forgotten, by class.
    package internal(set) var floor: [Text: Int64] = [:]
    package internal(set) var retired: Set<DeviceID> = []
    /// Whether the members have retired this device, so that it must be reset.
    package internal(set) var isRetired = false
    /// The identities that this device had, and the current one.
    var identities: Set<DeviceID>
    /// The identity under which the device adds to counters. It changes when objects leave the device, because an object
    /// may return before what the device added to it.
    var counting: DeviceID
    /// The number of the last edit that was made here.
    var lastEdit: Int64 = 0
    var lastElement: Int64 = 0
    /// The device's clock when it had a number, for some numbers.
    var clocks: [Int64: UInt64] = [:]
    /// The latest clock of each other device that arrived.
    var heard: [DeviceID: UInt64] = [:]
    /// What was forgotten or dropped lately: for a deletion that is undone, and for a state that arrives again from a
    /// device that has not forgotten it. Files do not have it, because the record for undo is in memory, too.
    private(set) var forgotten: [ObjectKey: Forgotten] = [:]

    package init(_ device: DeviceID, classes: [Text: ClassShape], rules: Rules.Type = Rules.self) {
        self.device = device
        self.classes = classes
        (identities, counting) = ([device], device)
    }

    /// What the tables contain.
    package var presentation: Presentation { Presentation(visibility, of: objects, classes: classes) }

    /// Which objects and values the tables contain.
    package var visibility: Visibility { Visibility(of: objects, classes: classes) { isHere($0, $1) } }

    /// Whether the object is in one of the device's groups.
    package func isHere(_ key: ObjectKey) -> Bool { group(of: key).map { groups[$0] != nil } ?? false }

    /// The same for an object whose state is at hand: in a class without owners, its group is its own.
    func isHere(_ key: ObjectKey, _ object: ObjectState) -> Bool {
        classes[key.type]?.owners.isEmpty == false ? isHere(key) : groups[object.group.value] != nil
    }

    /// The object that owns an object.
    package func owner(of key: ObjectKey) -> ObjectKey? {
        guard let owners = classes[key.type]?.owners, !owners.isEmpty, let object = objects[key] else { return nil }
        return owners.lazy.compactMap(object.target(of:)).first { objects[$0] != nil }
    }

    /// The group of an object: the group of its owner, or else its own; nil if the object is not known.
    package func group(of key: ObjectKey) -> GroupID? {
        guard let owner = owner(of: key), owner != key, let object = objects[key] else {
            return objects.group(of: key)
        }
        var (last, visited) = (owner, [key, owner])
        while let next = self.owner(of: last), next != last {
            if let index = visited.firstIndex(of: next) {
                // Objects that own each other, by edits on two devices: all have the group of the first of them.
                last = visited[index...].min() ?? last
                break
            }
            visited.append(next)
            last = next
        }
        return objects[last].map { Rules.group(of: object, owner: $0.group.value) }
    }

    mutating func remember(_ gone: Forgotten, _ key: ObjectKey) {
        if forgotten.count >= 4096 { forgotten = [:] }
        forgotten[key] = gone
    }

    /// Gives the object the next number, so that the next batch contains it.
    mutating func touch(_ key: ObjectKey) {
        number += 1
        objects[touched: key] = number
    }

    /// The clock of an edit.
    mutating func tick(after overwritten: Clock) -> Clock {
        clock.next(at: now, after: Rules.exceeded(overwritten), by: device)
    }

    /// A time at which the device had made no change after a number.
    func sentClock(_ number: Int64) -> UInt64 {
        clocks.filter { $0.key <= number }.max { $0.key < $1.key }?.value ?? 0
    }

    /// Remembers the clock of the current number, so that a receipt shows which edits its sender knew.
    mutating func rememberClock() {
        clocks[number] = clock.last
        if clocks.count > 512, let first = clocks.keys.min() { clocks[first] = nil }
    }

    /// Loses what only memory has: the clock, which is remade from the next edits.
    package mutating func restart() { clock = DeviceClock() }

    /// Replaces the classes by those of another version of the program. Properties that it renames are converted.
    package mutating func update(classes: [Text: ClassShape]) {
        self.classes = classes
        let isRenamed = classes.values.contains(where: \.hasRenames)
        for (key, object) in isRenamed ? objects.sorted(by: { $0.key < $1.key }) : [] {
            let current = object.renamed(by: classes[key.type], Rules.self)
            if current != object {
                remember(key)
                objects[key] = current
                touch(key)
            }
        }
        followOwners()
    }
}
