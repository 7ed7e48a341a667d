/// A file that a device wrote for the members of a group, as transports know it: a path and a size.
///
/// It is never changed, so it needs no locks and has no versions.
///
/// ```swift
/// guard let entry = SyncEntry(path: name, size: size) else { continue }      // a file of another program
/// ```
public struct SyncEntry: Hashable, Sendable {
    /// What the file contains.
    package enum Kind: Hashable, Sendable {
        /// A batch of a device.
        case log(DeviceID)
        case members
        case snapshots
        case blobs
    }

    package let groupID: GroupID
    package let kind: Kind
    /// Letters, digits and hyphens, at most 100.
    package let name: String
    /// The number of bytes.
    public let size: Int

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
        (groupID, self.kind, self.name, self.size) = (group, kind, name, size)
    }

    /// The entry of a path; nil if it is not the path of an entry.
    ///
    /// ```swift
    /// let entries = files.compactMap { SyncEntry(path: $0.name, size: $0.size) }
    /// ```
    ///
    /// - Parameters:
    ///   - path: What `path` returned.
    ///   - size: The number of bytes.
    public init?(path: String, size: Int) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard let group = parts.first.flatMap({ HexName.number($0) }).map({ GroupID($0) }), let name = parts.last,
            size >= 0
        else { return nil }
        switch (parts.count, parts.dropFirst().first) {
        case (4, "log"):
            guard let device = HexName.number(parts[2]).map({ DeviceID($0) }) else { return nil }
            self.init(group, .log(device), name: name, size: size)
        case (3, "members"): self.init(group, .members, name: name, size: size)
        case (3, "snapshots"): self.init(group, .snapshots, name: name, size: size)
        case (3, "blobs"): self.init(group, .blobs, name: name, size: size)
        default: return nil
        }
    }

    /// The name of the group: 32 hexadecimal digits.
    public var group: String { HexName.text(groupID.number) }

    /// The path, by which a transport identifies the entry.
    ///
    /// It consists of the group, `log` with a device, `members`, `snapshots` or `blobs`, and a name, separated by "/". Each
    /// part has letters, digits and hyphens; the path has at most 170 characters. Uppercase and lowercase letters differ.
    ///
    /// ```swift
    /// bytes[entry.path] = content
    /// ```
    public var path: String {
        let folder =
            switch kind {
            case .log(let device): "log/\(HexName.text(device.number))"
            case .members: "members"
            case .snapshots: "snapshots"
            case .blobs: "blobs"
            }
        return "\(group)/\(folder)/\(name)"
    }
}

/// What a transport lists.
///
/// ```swift
/// return SyncListing(rows.compactMap { SyncEntry(path: $0.path, size: $0.size) }, cursor: "\(lastRow)")
/// ```
public struct SyncListing: Hashable, Sendable {
    /// The entries, in any order.
    public var entries: [SyncEntry]
    /// For the next call, which then lists later entries only.
    ///
    /// It is nil from a transport that always lists all entries.
    public var cursor: String?

    /// Creates a listing.
    ///
    /// - Parameters:
    ///   - entries: The entries.
    ///   - cursor: What the next call needs to list later entries only.
    public init(_ entries: [SyncEntry], cursor: String? = nil) {
        self.entries = entries
        self.cursor = cursor
    }
}
