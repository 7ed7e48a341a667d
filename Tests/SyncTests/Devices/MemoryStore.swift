#if Sync
    @testable import PersistentSync

    /// The replica of a device in memory.
    final class MemoryStore: SyncedStore {
        static let own = GroupID(7)

        /// Used by one task at a time.
        nonisolated(unsafe) var content: Replica<StandardRules>
        /// How often something was written.
        nonisolated(unsafe) private(set) var writes = 0
        nonisolated(unsafe) private(set) var token: RoundToken?
        nonisolated(unsafe) var path: String?
        /// Whether the calls fail, as if the process were killed.
        nonisolated(unsafe) var (failsToSetToken, failsToJoin) = (false, false)

        struct Killed: Error {}

        init(_ replica: Replica<StandardRules>, token: RoundToken? = nil) {
            content = replica
            self.token = token
        }

        convenience init(_ device: DeviceID) {
            var replica = Replica<StandardRules>(device, classes: SimulatedModel.classes(version: 2))
            replica.now = 1_000_000
            replica.enter(Self.own)
            self.init(replica)
        }

        private func change<R>(_ body: (inout Replica<StandardRules>) throws -> R) rethrows -> R {
            writes += 1
            return try body(&content)
        }

        func setToken(_ token: RoundToken) throws {
            if failsToSetToken { throw Killed() }
            writes += 1
            self.token = token
        }

        /// A copy of the file.
        func copy() -> MemoryStore { MemoryStore(content, token: token) }

        /// Replaces the file by an earlier copy.
        func restore(_ copy: MemoryStore) { (content, token) = (copy.content, copy.token) }

        // MARK: Edits

        func insert(_ key: ObjectKey, _ value: Int64, in group: GroupID) {
            change { $0.insert(key, ["a": .integer(value), "b": .integer(2)], in: group) }
        }

        func insert(_ key: ObjectKey, set: [SyncValue: Int64], in group: GroupID) {
            change { content in
                content.insert(key, ["a": .integer(1)], in: group)
                content.objects[key]?.sets["c"] = set
            }
        }

        func delete(_ key: ObjectKey) { change { $0.delete([(key, nil)]) } }

        func set(_ value: Int64, of key: ObjectKey) {
            change { $0.set("a", of: key, to: .integer(value)) }
        }

        func value(of key: ObjectKey) -> Int64? {
            guard case .integer(let value)? = content.presentation.value(key, "a") else { return nil }
            return value
        }

        // MARK: SyncedStore

        var device: DeviceID { content.device }
        var number: Int64 { content.number }
        var isRetired: Bool { content.isRetired }
        var ownGroup: GroupID { Self.own }
        var enteredGroups: Set<GroupID> { Set(content.groups.keys).subtracting([Self.own]) }

        func absorb() -> Int { 0 }
        func enter(_ group: GroupID, members: Set<DeviceID>) {
            change { $0.enter(group, members: members) }
        }

        func setMembers(_ members: Set<DeviceID>, of group: GroupID, sent: Int64) {
            guard !content.hasMembers(members, of: group, sent: sent) else { return }
            change { $0.setMembers(members, of: group, sent: sent) }
        }

        func join(_ snapshot: Snapshot, from name: String) throws -> ChangedObjects {
            if failsToJoin { throw Killed() }
            change { $0.join(snapshot) }
            return ChangedObjects()
        }

        func leave(_ group: GroupID, droppingUnsent: Bool) throws -> ChangedObjects {
            try change { try $0.leave(group, droppingUnsent: droppingUnsent) }
            return ChangedObjects()
        }

        func unsentCount(in group: GroupID) -> Int { content.unsentCount(in: group) }

        func batch(for group: GroupID, after number: Int64, limit: Int) -> Batch? {
            content.batch(for: group, after: number, limit: limit)
        }

        func known(_ keys: Set<ObjectKey>) -> Set<ObjectKey> { keys.filter { content.objects[$0] != nil } }

        func receive(_ batch: Batch, from name: String) -> StoredReception {
            let reception = change { $0.receive(batch) }
            return StoredReception(reception: reception, changed: ChangedObjects(), conflicts: [])
        }

        func snapshot(of group: GroupID) -> Snapshot? { content.snapshot(of: group) }
        func sharedSnapshot(of group: GroupID) -> Snapshot? { content.sharedSnapshot(of: group) }
        func progress(of group: GroupID) -> GroupProgress? { content.progress(of: group) }
        func retire(_ other: DeviceID) { change { $0.retire(other) } }

        func reset(
            as newDevice: DeviceID, to snapshots: [Snapshot], from name: String
        ) -> (changed: ChangedObjects, lost: Set<ObjectKey>) {
            (ChangedObjects(), change { $0.reset(as: newDevice, to: snapshots) })
        }
    }
#endif
