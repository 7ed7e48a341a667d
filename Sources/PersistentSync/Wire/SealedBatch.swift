internal import Sealing

/// The clear part of a batch: what a transport and each of its users can read, and what the signature protects.
package struct BatchHeader: Hashable, Sendable {
    package let group: GroupID
    /// The number of the group's key.
    package let epoch: UInt32
    package let device: DeviceID
    package let after: Int64
    package let last: Int64
    /// The hash of the device's batch before this one, 16 bytes.
    package let previous: [UInt8]

    package init(
        group: GroupID, epoch: UInt32, device: DeviceID, after: Int64, last: Int64, previous: [UInt8]
    ) {
        (self.group, self.epoch, self.device) = (group, epoch, device)
        (self.after, self.last, self.previous) = (after, last, previous)
    }

    init(of batch: Batch, epoch: UInt32, previous: [UInt8]) {
        self.init(
            group: batch.group, epoch: epoch, device: batch.device, after: batch.after, last: batch.last,
            previous: previous)
    }
}

/// A batch as bytes: header, encrypted body, signature.
package enum SealedBatch {
    static let saltSize = 24
    private static let signatureSize = 64
    package static let hashSize = 16
    /// The key of a body is derived for it alone, so it encrypts with the nonce zero.
    static let nonce = [UInt8](repeating: 0, count: Sealing.nonceSize)

    /// The hash of a batch for the chain of its device.
    package static func hash(of bytes: [UInt8]) -> [UInt8] {
        Array(Sealing.hash(bytes, key: WireFormat.magic).prefix(hashSize))
    }

    /// Encrypts and signs a batch. It throws `quota` if the batch is too large; send fewer objects then.
    package static func bytes(
        of batch: Batch, epoch: UInt32, secret: [UInt8], previous: [UInt8] = [UInt8](repeating: 0, count: hashSize),
        signedBy signingKey: [UInt8]
    ) throws(SyncError) -> [UInt8] {
        try bytes(
            of: batch, nil, under: BatchHeader(of: batch, epoch: epoch, previous: previous), secret, signingKey,
            largest: WireFormat.largestBatch)
    }

    /// - Parameters:
    ///   - pieces: Where the objects are; nil if the batch contains them.
    ///   - limit: The greatest number of bytes.
    static func bytes(
        of batch: Batch, _ pieces: BatchPieces?, under header: BatchHeader, _ secret: [UInt8],
        _ signingKey: [UInt8], largest limit: Int
    ) throws(SyncError) -> [UInt8] {
        let least = batch.valueBytes
        guard least <= limit else { throw tooLarge("has more than \(least) bytes") }
        // Earlier programs read the format 1.
        let isPlain = pieces == nil && batch.passesOnAll
        let payload = PayloadWriter.bytes(of: batch)
        try checkMemory(of: payload, batch, header, largest: WireFormat.largestMemory)
        let bytes = seal(
            isPlain ? payload : prefix(of: batch, pieces) + payload, under: header, secret: secret,
            signedBy: signingKey, version: isPlain ? WireFormat.version : WireFormat.dividedVersion)
        guard bytes.count <= limit else { throw tooLarge("has \(bytes.count) bytes") }
        return bytes
    }

    /// A receiver limits the memory of the content, which may be reached with few bytes.
    static func checkMemory(
        of payload: [UInt8], _ batch: Batch, _ header: BatchHeader, largest limit: Int
    ) throws(SyncError) {
        guard payload.count > WireFormat.smallPayload, payload.count + batch.largestMemory > limit else { return }
        do throws(SyncError) { _ = try PayloadReader.batch(payload[...], header, memory: limit) } catch {
            if error.code == .quota { throw tooLarge("needs more than \(limit >> 20) MiB of memory") }
        }
    }

    static func tooLarge(_ problem: String) -> SyncError {
        SyncError(.quota, "The batch \(problem). Nothing of it was sent. Send its objects in parts")
    }

    /// The content of a batch before it is encrypted.
    package static func content(of batch: Batch) -> [UInt8] { PayloadWriter.bytes(of: batch) }

    /// Reads a content that was decrypted, whose author may lie.
    package static func batch(_ content: [UInt8], under header: BatchHeader) throws(SyncError) -> Batch {
        try PayloadReader.batch(content[...], header)
    }

    /// Encrypts and signs any content, also one that no batch has.
    package static func seal(
        _ payload: [UInt8], under fields: BatchHeader, secret: [UInt8], signedBy signingKey: [UInt8],
        version: UInt8 = WireFormat.version
    ) -> [UInt8] {
        var header = ByteWriter()
        header.write(WireFormat.magic)
        header.write([version, 0])
        header.writeFixed(fields.group.number)
        header.writeFixed(fields.epoch)
        header.writeFixed(fields.device.number)
        header.writeNumber(UInt64(fields.after))
        header.writeNumber(UInt64(fields.last))
        header.write(fields.previous)
        let salt = Sealing.random(saltSize)
        header.write(salt)
        let sealed = Sealing.seal(padded(payload), key: key(secret, salt), nonce: nonce, header: header.bytes)
        let signed = header.bytes + sealed
        return signed + Sealing.sign(signed, with: signingKey)
    }

    /// A content with its length before it and zeros after it.
    static func padded(_ payload: [UInt8]) -> [UInt8] {
        var body = ByteWriter()
        body.writeBlock(payload)
        let padding = WireFormat.padded(body.bytes.count) - body.bytes.count
        body.write(repeatElement(0, count: padding))
        return body.bytes
    }

    static func unpadded(_ plain: [UInt8]) throws(SyncError) -> ArraySlice<UInt8> {
        var input = ByteReader(plain[...], memory: WireFormat.largestMemory)
        let count = try input.readCount()
        let payload = try input.read(count)
        let padding = try input.read(input.remaining)
        guard plain.count == WireFormat.padded(plain.count - padding.count), padding.allSatisfy({ $0 == 0 }) else {
            throw ByteReader.damaged("its padding is wrong")
        }
        return payload
    }

    private static func key(_ secret: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        Sealing.derive(secret, salt: salt, info: Array("POSB body".utf8), count: Sealing.keySize)
    }

    /// Reads the clear part, without any key. A damaged part can have any content; `open` checks it.
    package static func header(of bytes: [UInt8]) throws(SyncError) -> BatchHeader {
        try parts(of: bytes).header
    }

    private static func parts(
        of bytes: [UInt8]
    ) throws(SyncError) -> (header: BatchHeader, version: UInt8, salt: [UInt8], bodyStart: Int) {
        guard bytes.count <= WireFormat.largestBatch else { throw ByteReader.damaged("it is larger than 8 MiB") }
        var input = ByteReader(bytes[...], memory: 1 << 20)
        guard Array(try input.read(4)) == WireFormat.magic else { throw ByteReader.damaged("it is not a batch") }
        let (version, flags) = (try input.readByte(), try input.readByte())
        guard (WireFormat.version...WireFormat.dividedVersion).contains(version), flags == 0 else {
            throw SyncError(
                .newerFormat,
                "The batch has the format \(version).\(flags), and this program reads 1.0 and 2.0. Nothing of it was "
                    + "applied. Update the program")
        }
        let group = GroupID(try input.readFixed())
        let epoch: UInt32 = try input.readFixed()
        let device = DeviceID(try input.readFixed())
        let after = try input.readNumber(upTo: WireFormat.greatestNumber, "a number")
        let last = try input.readNumber(upTo: WireFormat.greatestNumber, "a number")
        guard after < last else { throw ByteReader.damaged("its numbers are not in order") }
        let previous = Array(try input.read(hashSize))
        let salt = Array(try input.read(saltSize))
        guard input.remaining >= Sealing.tagSize + signatureSize else { throw ByteReader.damaged("it ends early") }
        let header = BatchHeader(
            group: group, epoch: epoch, device: device, after: after, last: last, previous: previous)
        return (header, version, salt, bytes.count - input.remaining)
    }

    /// Whether the owner of a key wrote the batch.
    package static func isSigned(_ bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard bytes.count > signatureSize else { return false }
        let end = bytes.count - signatureSize
        return Sealing.isSignature(bytes[end...], of: bytes[..<end], by: publicKey)
    }

    /// Checks the signature, decrypts and reads a batch. If it has pieces, its object is in these.
    package static func open(
        _ bytes: [UInt8], secret: [UInt8], signedBy publicKey: [UInt8]
    ) throws(SyncError) -> (header: BatchHeader, batch: Batch, pieces: BatchPieces?) {
        let (header, version, salt, start) = try parts(of: bytes)
        let end = bytes.count - signatureSize
        guard isSigned(bytes, by: publicKey) else {
            throw ByteReader.damaged("its signature is not that of its device")
        }
        let plain = Sealing.open(
            bytes[start..<end], key: key(secret, salt), nonce: nonce, header: Array(bytes[..<start]))
        guard let plain else {
            throw SyncError(
                .wrongKey,
                "The batch is encrypted with another key of its group. Nothing of it was applied. It is read again "
                    + "when the key arrives")
        }
        let payload = try unpadded(plain)
        guard version == WireFormat.dividedVersion else {
            return (header, try PayloadReader.batch(payload, header), nil)
        }
        let (passesOnAll, pieces, content) = try readPrefix(of: payload)
        var batch = try PayloadReader.batch(payload[content...], header)
        batch.passesOnAll = passesOnAll
        guard pieces == nil || batch.objects.isEmpty else { throw ByteReader.damaged("it has objects and pieces") }
        return (header, batch, pieces)
    }
}
