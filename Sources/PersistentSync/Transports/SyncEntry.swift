/// A file that a device wrote for the members of a group. It is never changed, so it needs no locks and has no versions.
package struct SyncEntry: Hashable, Sendable {
    /// What the file contains.
    package enum Kind: Hashable, Sendable {
        /// A batch of a device.
        case log(DeviceID)
        case members
        case snapshots
        case blobs
    }

    package let group: GroupID
    package let kind: Kind
    /// Letters, digits and hyphens, at most 100.
    package let name: String
    /// The number of bytes.
    package let size: Int

    /// nil if the name has other characters, or too many.
    package init?(_ group: GroupID, _ kind: Kind, name: String, size: Int) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard isPlain, (1...100).contains(name.utf8.count) else { return nil }
        (self.group, self.kind, self.name, self.size) = (group, kind, name, size)
    }
}

/// What a transport lists.
package struct SyncListing: Hashable, Sendable {
    package var entries: [SyncEntry]
    /// For the next call, which then lists later entries only. A transport without an order has none.
    package var cursor: [UInt8]?

    package init(_ entries: [SyncEntry], cursor: [UInt8]? = nil) {
        self.entries = entries
        self.cursor = cursor
    }
}
