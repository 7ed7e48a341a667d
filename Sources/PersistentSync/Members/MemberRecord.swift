package import Foundation
internal import Sealing

/// What a member states of the members of its group. Records are never changed or removed, and the members are a function
/// of all of them.
package struct MemberRecord: Codable, Hashable, Sendable {
    /// A member whose membership ended, and the hashes of those of its records that remain valid.
    package struct Removal: Codable, Hashable, Sendable {
        package let key: Data
        /// The member's device, for readers that do not have the record that admitted it.
        package let device: DeviceID?
        package let records: [Data]
    }

    /// The secret of an epoch, encrypted for one member.
    package struct SecretBox: Codable, Hashable, Sendable {
        package let epoch: Int
        package let key: Data
        package let box: Data
    }

    /// The members that the author has accepted.
    package var members: [Member]
    package var removed: [Removal] = []
    /// The epoch that begins with this record.
    package var epoch: Int?
    package var secrets: [SecretBox] = []

    package init(members: [Member]) {
        self.members = members.sorted { $0.signing.lexicographicallyPrecedes($1.signing) }
    }

    /// Encrypts the secret of an epoch for members.
    mutating func add(_ secret: Data, of epoch: Int, for members: [Member]) {
        for member in members {
            guard let box = SealedBox.seal(secret.bytes, for: member.sealing.bytes) else { continue }
            secrets.append(SecretBox(epoch: epoch, key: member.signing, box: Data(box)))
        }
    }

    /// The secrets of epochs for the owner of keys.
    func secrets(for keys: MemberKeys) -> [Int: Data] {
        let own = Data(Sealing.publicKey(of: keys.signing.bytes))
        var found: [Int: Data] = [:]
        for secret in secrets where secret.key == own {
            guard let bytes = SealedBox.open(secret.box.bytes, with: keys.sealing.bytes), bytes.count == Sealing.keySize
            else { continue }
            found[secret.epoch] = Data(bytes)
        }
        return found
    }
}

/// What a device that joins writes for the member that invited it.
package struct JoinRequest: Codable, Hashable, Sendable {
    package let member: Member
    /// The last number in the log of each device that it had read; nil from an earlier version.
    package let received: [DeviceID: Int64]?

    package init(_ member: Member, received: [DeviceID: Int64]) { (self.member, self.received) = (member, received) }

    private enum Key: CodingKey { case received }

    // Earlier versions read and write the member only.
    package init(from decoder: any Decoder) throws {
        member = try Member(from: decoder)
        received = try decoder.container(keyedBy: Key.self).decodeIfPresent([DeviceID: Int64].self, forKey: .received)
    }

    package func encode(to encoder: any Encoder) throws {
        try member.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(received, forKey: .received)
    }
}

/// What the holder of an invitation needs to join.
package struct InvitationRecord: Codable, Hashable, Sendable {
    package let name: String
    /// All members, with the author of the invitation.
    package let members: [Member]
    package let secrets: [Int: Data]
    /// The end, in milliseconds since 1970.
    package let end: UInt64
}

/// The JSON of records. It has sorted keys, so that equal records are equal bytes.
package enum RecordJSON {
    static func bytes(of record: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(record))
    }

    package static func record<Record: Decodable>(
        _ bytes: [UInt8], _ type: Record.Type = Record.self
    ) throws(SyncError) -> Record {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw SealedRecord.damaged("it has not the form of its kind")
        }
    }
}
