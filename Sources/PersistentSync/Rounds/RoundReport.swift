/// What one round did.
package struct RoundReport: Sendable {
    package var sentBatches = 0
    package var sentObjects = 0
    package var receivedBatches = 0
    package var changed: [ChangedObjects] = []
    package var conflicts: [SyncConflict] = []
    package var problems: [RoundProblem] = []
    /// The objects whose unsent changes a reset could not keep.
    package var lost: Set<ObjectKey> = []

    package init() {}
}

/// What a round could not do. It is tried again in each round.
package struct RoundProblem: Hashable, Sendable {
    package let error: SyncError
    package let group: GroupID?
    /// The device whose log stopped; nil if the problem concerns this device or the group.
    package let device: DeviceID?
    /// The name of the member.
    package let name: String?
    /// The name of the file.
    package let file: String?
    /// The object, a part of which waits.
    package let object: ObjectKey?

    package init(
        _ error: SyncError, in group: GroupID? = nil, device: DeviceID? = nil, name: String? = nil,
        file: String? = nil, object: ObjectKey? = nil
    ) {
        (self.error, self.group, self.device, self.name, self.file) = (error, group, device, name, file)
        self.object = object
    }
}

/// The store's file was restored from a backup, or is a copy of another device's file.
struct OlderFile: Error {}
