package import PersistentObjects

/// A group whose entries are in a store.
final class TransportGroup: PersistentObject {
    @Unique var name = ""
    /// The number of the latest entry. It never decreases, so no number is used twice.
    var last = 0
}

/// An entry in a store, with its bytes.
package final class TransportEntry: PersistentObject {
    override package class var indexes: [Index] {
        [Index(\TransportEntry.groupName, \TransportEntry.number, unique: true)]
    }

    @Unique var path = ""
    var groupName = ""
    /// The position in the group.
    var number = 0
    package var size = 0
    /// The account of a service whose space it uses; nil without one.
    package var owner: Int64?
    /// The key of the device that added it to a service; nil without one.
    package var signer: [UInt8]?
    var bytes: [UInt8] = []
}

/// The entries of groups in a store, of the session that is given or current.
///
/// On a server, clients write at once, and ids are allocated in blocks, so an entry can appear after another one with a
/// greater id. A reader that continued after the greatest id would miss it. Therefore each group counts its entries, and a
/// transaction that adds an entry first increases the counter. A second transaction that does so waits for the end of
/// the first one, and is repeated. The numbers of a group appear in their order, so they are cursors.
package enum StoredEntries {
    package struct Item: Sendable {
        package let number: Int
        package let path: String
        package let size: Int
    }

    /// A client of a service, or what is known of it.
    package struct Writer: Sendable {
        package var account: Int64?
        /// The public key of the device.
        package var key: [UInt8]?

        package init(account: Int64? = nil, key: [UInt8]? = nil) { (self.account, self.key) = (account, key) }
    }

    package enum Addition: Sendable {
        case added, present, differs, refused
    }

    package static func prepare(_ store: Store) throws { try store.prepare(TransportGroup.self, TransportEntry.self) }

    /// Adds an entry, unless there is one of that path.
    ///
    /// - Parameters:
    ///   - writer: The account that adds it, and the key of the device.
    ///   - isGranted: Called in the transaction before an entry is added, perhaps again.
    package static func add(
        _ path: String, of group: String, _ bytes: [UInt8], by writer: Writer = Writer(), in session: Session,
        isGranted: () throws -> Bool = { true }
    ) throws -> Addition {
        try session.transaction(retries: 3) {
            if let found = try self.bytes(of: path) { return found == bytes ? .present : .differs }
            guard try isGranted() else { return .refused }
            let counter = try self.counter(of: group, in: session)
            counter.last += 1
            // In a separate statement before the entry, so that concurrent transactions meet here.
            try counter.save()
            let entry = TransportEntry()
            (entry.path, entry.groupName, entry.number) = (path, group, counter.last)
            (entry.size, entry.bytes) = (bytes.count, bytes)
            (entry.owner, entry.signer) = (writer.account, writer.key)
            try entry.save()
            // The caller of a cancelled task has not waited.
            try Task.checkCancellation()
            return .added
        }
    }

    private static func counter(of group: String, in session: Session) throws -> TransportGroup {
        if let found = try TransportGroup.where({ $0.name == group }).first() { return found }
        let new = TransportGroup()
        new.name = group
        return try session.insertMissing([new], on: \.name)[0]
    }

    private static func entries(at path: String) -> Query<TransportEntry> { TransportEntry.where { $0.path == path } }

    /// The entries of a group after a number, in the order in which they appeared.
    package static func list(_ group: String, after number: Int, limit: Int = .max) throws -> [Item] {
        try TransportEntry.where { $0.groupName == group && $0.number > number }.order(by: \.number).limit(limit)
            .values(of: \.number, \.path, \.size).map { Item(number: $0, path: $1, size: $2) }
    }

    /// The number of the latest entry of a group.
    package static func latest(_ group: String) throws -> Int {
        try TransportGroup.where { $0.name == group }.values(of: \.last).first ?? 0
    }

    /// The bytes of an entry; nil if there is no such entry.
    package static func bytes(of path: String) throws -> [UInt8]? { try entries(at: path).values(of: \.bytes).first }

    /// The bytes of all entries of a group.
    package static func space(ofGroup group: String) throws -> Int {
        try TransportEntry.where { $0.groupName == group }.sum(\.size) ?? 0
    }

    /// The size and the writer of an entry; nil if there is no such entry.
    package static func space(of path: String) throws -> (size: Int, writer: Writer)? {
        try entries(at: path).values(of: \.size, \.owner, \.signer).first
            .map { (size: $0.0, writer: Writer(account: $0.1, key: $0.2)) }
    }

    /// Removes an entry, if there is one.
    package static func remove(_ path: String, in session: Session) throws {
        _ = try session.transaction(retries: 3) { try entries(at: path).delete() }
    }
}
