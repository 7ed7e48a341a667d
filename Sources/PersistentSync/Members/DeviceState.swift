package import Foundation

/// What a device keeps outside its store's file: its keys, its place in the logs, and a token by which a copied or restored
/// file is noticed.
package struct DeviceState: Codable, Hashable, Sendable {
    package var device: DeviceID
    /// The token that the last round stored in the file. A file with another one was restored or copied.
    package var token: RoundToken?
    /// The token that a round is storing, which a crash can leave in the file.
    package var nextToken: RoundToken?
    /// The path of the file of the last round.
    package var path: String?
    package var groups: [GroupState] = []
    /// The key that signs requests to a service; nil before the first one.
    package var requestKey: Data?

    package init(_ device: DeviceID) { self.device = device }

    package subscript(_ group: GroupID) -> GroupState? {
        get { groups.first { $0.id == group } }
        set {
            guard let index = groups.firstIndex(where: { $0.id == group }) else {
                if let newValue { groups.append(newValue) }
                return
            }
            if let newValue { groups[index] = newValue } else { groups.remove(at: index) }
        }
    }
}

/// What a round stores in the file and in the state at its end.
package struct RoundToken: Codable, Hashable, Sendable {
    package let value: Int64
    /// The store's number at that time.
    package let number: Int64

    package init(_ value: Int64, at number: Int64) { (self.value, self.number) = (value, number) }
}

/// What a device keeps of a group.
package struct GroupState: Codable, Hashable, Sendable {
    /// An invitation that this device made.
    package struct Issued: Codable, Hashable, Sendable {
        package let invitation: Invitation
        /// How many more devices may join by it.
        package var uses: Int
        /// The end, in milliseconds since 1970.
        package let end: UInt64
        /// The epoch of its record; nil before the record was written.
        package var epoch: Int?
    }

    /// Since when a member has acknowledged nothing more than a number.
    package struct Silence: Codable, Hashable, Sendable {
        package let acknowledged: Int64
        /// In milliseconds since 1970.
        package let since: UInt64
    }

    package let id: GroupID
    package var name: String
    package let keys: MemberKeys
    /// The members that are known without a record.
    package var roots: [Member]
    /// The secrets that are known without a record, by epoch.
    package var secrets: [Int: Data]
    /// The last batch that this device sent.
    package var sent = BatchChain()
    /// The hash of the batch that is being sent, which a crash can leave in the log.
    package var sending: Data?
    /// What this device acknowledged with its last batch.
    package var acknowledged: [DeviceID: Int64] = [:]
    /// The retired devices that its last batch named.
    package var announced: Set<DeviceID>?
    /// The last number of a batch with objects, which members acknowledge.
    package var lastChange: Int64?
    /// The members that have not acknowledged it.
    package var silent: [DeviceID: Silence]?
    /// The last received batch of each other device.
    package var received: [DeviceID: BatchChain] = [:]
    /// The values that its batches left out.
    package var withheld: [WithheldValue]?
    package var issued: [Issued] = []
    /// The invitation by which this device asked to join, until a member has admitted it.
    package var request: Invitation?
    /// While it asks, the last number of each device that it had read when it took the group's objects.
    package var joined: [DeviceID: Int64]?
    /// Whether the device is leaving the group, which it completes after a crash.
    package var isLeaving = false

    package init(_ id: GroupID, name: String, keys: MemberKeys, roots: [Member], secrets: [Int: Data]) {
        (self.id, self.name, self.keys, self.roots, self.secrets) = (id, name, keys, roots, secrets)
    }
}
