internal import Sealing

/// A record of a group as bytes: a clear header, an encrypted body, and the signature of its author.
///
/// Everything that members exchange besides batches is a record.
package struct SealedRecord: Sendable {
    package enum Kind: UInt8, Sendable {
        /// What a member states of the members.
        case members = 1
        /// What the holder of an invitation needs to join.
        case invitation = 2
        /// What the holder of an invitation states of itself.
        case request = 3
        /// The description of a snapshot.
        case snapshot = 4
    }

    package let kind: Kind
    package let group: GroupID
    /// The number of the group's key; 0 if the key of an invitation encrypts the record.
    package let epoch: Int
    /// The public signing key of the author.
    package let author: [UInt8]
    /// The hash of all bytes.
    package let hash: [UInt8]
    private let bytes: [UInt8]
    private let salt: [UInt8]
    private let start: Int

    private static let magic = Array("POSM".utf8)
    private static let version: UInt8 = 1
    private static let saltSize = 24
    private static let signatureSize = 64
    private static let nonce = [UInt8](repeating: 0, count: Sealing.nonceSize)
    /// The largest record, in bytes.
    static let largest = 1 << 20

    /// Encrypts and signs a record.
    package static func bytes(
        _ kind: Kind, _ body: [UInt8], in group: GroupID, epoch: Int, secret: [UInt8], signedBy signingKey: [UInt8]
    ) -> [UInt8] {
        var header = ByteWriter()
        header.write(magic)
        header.write([version, kind.rawValue])
        header.writeFixed(group.number)
        header.writeFixed(UInt32(truncatingIfNeeded: epoch))
        header.write(Sealing.publicKey(of: signingKey))
        let salt = Sealing.random(saltSize)
        header.write(salt)
        let sealed = Sealing.seal(body, key: key(secret, salt), nonce: nonce, header: header.bytes)
        let signed = header.bytes + sealed
        return signed + Sealing.sign(signed, with: signingKey)
    }

    private static func key(_ secret: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        Sealing.derive(secret, salt: salt, info: Array("POSM body".utf8), count: Sealing.keySize)
    }

    /// Reads the clear part, and checks the signature. Whether the author is a member is not checked.
    package init(_ bytes: [UInt8]) throws(SyncError) {
        guard bytes.count <= Self.largest else { throw Self.damaged("it is larger than 1 MiB") }
        var input = ByteReader(bytes[...], memory: Self.largest)
        guard Array(try input.read(4)) == Self.magic else { throw Self.damaged("it is not a record") }
        let version = try input.readByte()
        guard version == Self.version else {
            throw SyncError(
                .newerFormat,
                "A record of the group has the format \(version), and this program reads 1. It was ignored. Update the "
                    + "program")
        }
        guard let kind = Kind(rawValue: try input.readByte()) else { throw Self.damaged("its kind is not known") }
        self.kind = kind
        group = GroupID(try input.readFixed())
        let epoch: UInt32 = try input.readFixed()
        self.epoch = Int(epoch)
        author = Array(try input.read(32))
        salt = Array(try input.read(Self.saltSize))
        start = bytes.count - input.remaining
        guard input.remaining >= Sealing.tagSize + Self.signatureSize else { throw Self.damaged("it ends early") }
        let end = bytes.count - Self.signatureSize
        guard Sealing.isSignature(bytes[end...], of: bytes[..<end], by: author) else {
            throw Self.damaged("its signature is not that of its author")
        }
        self.bytes = bytes
        hash = SealedBatch.hash(of: bytes)
    }

    /// Decrypts the body.
    package func body(secret: [UInt8]) throws(SyncError) -> [UInt8] {
        let sealed = bytes[start..<bytes.count - Self.signatureSize]
        let body = Sealing.open(
            sealed, key: Self.key(secret, salt), nonce: Self.nonce, header: Array(bytes[..<start]))
        guard let body else {
            throw SyncError(
                .wrongKey,
                "A record of the group is encrypted with another key. It was ignored. It is read again when the key "
                    + "arrives")
        }
        return body
    }

    static func damaged(_ problem: String) -> SyncError {
        SyncError(
            .damagedBatch, "A record of the group is damaged: \(problem). It was ignored. It is read again later")
    }
}
