package import Foundation

/// What the author of a snapshot states of it. The objects are in separate files.
package struct SnapshotRecord: Codable, Hashable, Sendable {
    /// The identity that the names and the headers of the parts contain.
    package let id: DeviceID
    /// The device of the author.
    package let device: DeviceID
    /// The hashes of the parts.
    package let parts: [Data]
    /// The last number of each device that the snapshot contains.
    package let received: [DeviceID: Int64]
    /// The devices whose acknowledgements the author awaited.
    package let members: Set<DeviceID>
    package let retired: Set<DeviceID>
    /// The greatest length of a life that was forgotten, by the bytes of the class's name.
    package let floor: [Floor]

    /// Of one class.
    package struct Floor: Codable, Hashable, Sendable {
        package let name: Data
        package let life: Int64
    }

    package init(_ snapshot: Snapshot, id: DeviceID, device: DeviceID, parts: [Data]) {
        (self.id, self.device, self.parts) = (id, device, parts)
        (received, members, retired) = (snapshot.received, snapshot.members, snapshot.retired)
        floor = snapshot.floor.sorted { $0.key < $1.key }.map { Floor(name: Data($0.key.utf8), life: $0.value) }
    }

    /// The snapshot with its objects.
    package func snapshot(of group: GroupID, _ objects: ObjectMap) -> Snapshot {
        Snapshot(
            group: group, objects: objects, received: received, members: members, retired: retired,
            floor: Dictionary(
                floor.filter { (0...Life.longest).contains($0.life) }.map { (Text(utf8: Array($0.name)), $0.life) },
                uniquingKeysWith: max))
    }

    /// Whether another snapshot contains everything that this one contains.
    package func isContained(in other: SnapshotRecord) -> Bool {
        guard received.allSatisfy({ other.received[$0.key] ?? 0 >= $0.value }) else { return false }
        return received != other.received || id < other.id
    }

    /// How much it contains, to compare two snapshots.
    package var extent: Int64 { received.values.reduce(0) { $0 &+ max(0, $1) } }
}
