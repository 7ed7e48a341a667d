package import Foundation

/// The members of a group and the secrets of its epochs, as the records of the group state them.
package struct Roster: Sendable {
    /// The present members, by signing key.
    package private(set) var members: [Data: Member] = [:]
    package private(set) var removed: Set<Data> = []
    /// The members that were removed.
    private var former: [Member] = []
    /// The devices that the records name of removed members, by signing key.
    private var removedDevices: [Data: DeviceID] = [:]
    /// The secrets of the epochs, by number.
    package private(set) var secrets: [Int: Data]
    /// The hashes of the valid records, by author.
    private var accepted: [Data: [Data]] = [:]
    /// The members that were removed when the current epoch began.
    private var removedBeforeEpoch: Set<Data> = []
    /// The members that have no secret of the current epoch, because they were admitted when it began.
    package private(set) var withoutSecret: [Member] = []
    package let group: GroupID

    /// An opened record.
    private struct Statement {
        let author: Data
        let hash: Data
        let record: MemberRecord
    }

    /// Determines the members.
    ///
    /// - Parameters:
    ///   - roots: The members that are known without a record: the founder, or those that the invitation named.
    ///   - secrets: The secrets that are known without a record.
    ///   - keys: The keys of this member.
    ///   - records: All records of the group, in any order.
    package init(
        of group: GroupID, roots: [Member], secrets: [Int: Data], keys: MemberKeys, records: [SealedRecord]
    ) {
        (self.group, self.secrets) = (group, secrets)
        var closed = records.filter { $0.kind == .members && $0.group == group }
        var statements: [Statement] = []
        var validated = Validation()
        // A record can contain the secret with which another record is opened.
        while true {
            let count = closed.count
            closed.removeAll { record in
                guard let secret = self.secrets[record.epoch], let body = try? record.body(secret: secret.bytes),
                    let content = try? RecordJSON.record(body, MemberRecord.self)
                else { return false }
                statements.append(Statement(author: Data(record.author), hash: Data(record.hash), record: content))
                return true
            }
            statements.sort { $0.hash.lexicographicallyPrecedes($1.hash) }
            validated = Validation(statements, roots: roots)
            for statement in statements where validated.statements.contains(statement.hash) {
                self.secrets.merge(statement.record.secrets(for: keys)) { known, _ in known }
            }
            if closed.count == count { break }
        }
        (members, removed, former) = (validated.members, validated.removed, validated.former)
        removedDevices = validated.removedDevices
        var current = -1
        var holders: [Int: Set<Data>] = [:]
        for statement in statements where validated.statements.contains(statement.hash) {
            accepted[statement.author, default: []].append(statement.hash)
            for secret in statement.record.secrets { holders[secret.epoch, default: []].insert(secret.key) }
            if let epoch = statement.record.epoch, epoch > current {
                (current, removedBeforeEpoch) = (epoch, Set(statement.record.removed.map(\.key)))
            }
        }
        // Without a record, the secret came with the foundation or the invitation.
        if current > 0 {
            withoutSecret = members.values.filter { holders[current]?.contains($0.signing) != true }
        }
    }

    /// Which statements count, and the members that follow from them.
    private struct Validation {
        var members: [Data: Member] = [:]
        var removed: Set<Data> = []
        var removedDevices: [Data: DeviceID] = [:]
        var former: [Member] = []
        var statements: Set<Data> = []

        init() {}

        /// A removed member may still write records, so only those count that the removing member had accepted.
        init(_ all: [Statement], roots: [Member]) {
            let everybody = Self.closure(all, roots) { _ in true }
            var acknowledged: [Data: Set<Data>] = [:]
            for statement in all where everybody.members[statement.author] != nil {
                for removal in statement.record.removed {
                    removed.insert(removal.key)
                    if let device = removal.device { removedDevices[removal.key] = device }
                    acknowledged[removal.key, default: []].formUnion(removal.records)
                }
            }
            let removed = removed
            let valid = Self.closure(all, roots) { statement in
                !removed.contains(statement.author)
                    || acknowledged[statement.author]?.contains(statement.hash) == true
            }
            members = valid.members.filter { !removed.contains($0.key) }
            former = valid.members.values.filter { removed.contains($0.signing) }
            for member in former { removedDevices[member.signing] = member.device }
            statements = valid.statements
        }

        private static func closure(
            _ all: [Statement], _ roots: [Member], _ counts: (Statement) -> Bool
        ) -> (members: [Data: Member], statements: Set<Data>) {
            var members = Dictionary(roots.map { ($0.signing, $0) }) { first, _ in first }
            var statements: Set<Data> = []
            var isComplete = false
            while !isComplete {
                isComplete = true
                for statement in all where members[statement.author] != nil && !statements.contains(statement.hash) {
                    guard counts(statement) else { continue }
                    statements.insert(statement.hash)
                    isComplete = false
                    for member in statement.record.members where member.isValid && members[member.signing] == nil {
                        members[member.signing] = member
                    }
                }
            }
            return (members, statements)
        }
    }

    /// The number of the epoch with which this member encrypts.
    package var epoch: Int { secrets.keys.max() ?? 0 }

    /// Whether a removed member has the secret of the current epoch, because two members were removed at once.
    package var isEpochKnownToRemoved: Bool { !removed.isSubset(of: removedBeforeEpoch) }

    /// The keys with which a device signed or signs its batches: several if it joined again. None if it is not a member.
    package func signingKeys(of device: DeviceID, orFormer: Bool = false) -> [Data] {
        guard orFormer || devices.contains(device) else { return [] }
        return (Array(members.values) + former).filter { $0.device == device }.map(\.signing)
    }

    /// Whether the key is that of a removed member.
    package func isFormerMember(_ key: Data) -> Bool { former.contains { $0.signing == key } }

    /// The identities of the members' devices.
    package var devices: Set<DeviceID> { Set(members.values.map(\.device)) }

    /// The identities of the devices whose membership ended.
    package var formerDevices: Set<DeviceID> { Set(removedDevices.values).subtracting(devices) }

    /// All members in the order of their names.
    package var list: [Member] {
        members.values.sorted {
            $0.name != $1.name ? $0.name < $1.name : $0.signing.lexicographicallyPrecedes($1.signing)
        }
    }

    // MARK: Records of this member

    /// A record that admits a device.
    package func admission(of member: Member) -> MemberRecord {
        var record = MemberRecord(members: [member])
        for (epoch, secret) in secrets.sorted(by: { $0.key < $1.key }) { record.add(secret, of: epoch, for: [member]) }
        return record
    }

    /// The end of a membership, after which the member's records up to now remain valid.
    package func endedMembership(of key: Data) -> MemberRecord.Removal {
        let device = members[key]?.device ?? removedDevices[key]
        return MemberRecord.Removal(key: key, device: device, records: accepted[key] ?? [])
    }

    /// A record that removes members, and begins an epoch whose secret they do not have.
    package func removal(of keys: Set<Data>, secret: Data) -> MemberRecord {
        let removed = removed.union(keys)
        let rest = list.filter { !removed.contains($0.signing) }
        var record = MemberRecord(members: rest)
        record.removed = removed.sorted { $0.lexicographicallyPrecedes($1) }
            .map(endedMembership)
        // Two members may begin an epoch at once, so its number ends with random bits.
        let next = (epoch >> 16 + 1) << 16 | Int(UInt16.random(in: .min ... .max))
        record.epoch = next
        record.add(secret, of: next, for: rest)
        return record
    }
}
