internal import Sealing

/// Into what files batches are divided. Tests use smaller numbers.
package struct BatchLimits: Sendable {
    /// The largest file with a whole batch, in bytes.
    package var file = WireFormat.largestBatch
    /// The largest piece of an object, in bytes.
    package var piece = 4 << 20
    /// The largest object, in bytes. A device leaves out values until its object is smaller.
    package var object = WireFormat.largestObject

    package init() {}
}

/// The object of a batch in separate files, because the object is larger than a file may be: an encrypted content, cut
/// into pieces.
package struct BatchPieces: Hashable, Sendable {
    /// From it and the secret of the group, the key of the content is derived.
    let salt: [UInt8]
    /// The hash of each piece.
    package let hashes: [[UInt8]]
}

/// A batch as files: the batch itself, and the pieces of its object, which are written before it.
package struct BatchFiles: Sendable {
    package fileprivate(set) var batch: [UInt8]
    /// The hashes of the pieces.
    package let hashes: [[UInt8]]
    private let content: [UInt8]
    private let size: Int

    init(batch: [UInt8]) { (self.batch, hashes, content, size) = (batch, [], [], 0) }

    fileprivate init(content: [UInt8], size: Int) {
        (batch, self.content, self.size) = ([], content, size)
        hashes = stride(from: 0, to: content.count, by: size).map { start in
            SealedBatch.hash(of: Array(content[start..<min(start + size, content.count)]))
        }
    }

    package func piece(_ index: Int) -> [UInt8] { Array(content[(index * size)...].prefix(size)) }
}

// Pieces.
extension SealedBatch {
    /// Encrypts and signs a batch. A batch with one object that is too large for a file is divided into pieces, which
    /// depend only on the object and the device, so that they are the same when an interrupted call is repeated.
    ///
    /// It throws `quota` if the batch has several objects and is too large, or if its object is.
    package static func files(
        of batch: Batch, epoch: UInt32, secret: [UInt8], previous: [UInt8], signedBy signingKey: [UInt8],
        limits: BatchLimits
    ) throws(SyncError) -> BatchFiles {
        let header = BatchHeader(of: batch, epoch: epoch, previous: previous)
        do throws(SyncError) {
            return BatchFiles(
                batch: try bytes(of: batch, nil, under: header, secret, signingKey, largest: limits.file))
        } catch {
            guard error.code == .quota, batch.objects.count == 1 else { throw error }
        }
        guard batch.valueBytes <= limits.object else { throw tooLarge("has \(batch.valueBytes) bytes") }
        let content = PayloadWriter.bytes(
            of: Batch(from: batch.device, in: batch.group, after: batch.after, last: batch.last, objects: batch.objects)
        )
        guard content.count <= limits.object else { throw tooLarge("has \(content.count) bytes") }
        try checkMemory(of: content, batch, header, largest: limits.object)
        // Equal contents of a device have equal salts, and other contents have other keys.
        let salt = Array(
            Sealing.hash(content, key: saltKey(secret, batch.device)).prefix(saltSize))
        let sealed = Sealing.seal(
            padded(content), key: contentKey(secret, salt), nonce: nonce, header: WireFormat.magic)
        var files = BatchFiles(content: sealed, size: limits.piece)
        var rest = batch
        rest.objects = [:]
        files.batch = try bytes(
            of: rest, BatchPieces(salt: salt, hashes: files.hashes), under: header, secret, signingKey,
            largest: limits.file)
        return files
    }

    private static func saltKey(_ secret: [UInt8], _ device: DeviceID) -> [UInt8] {
        var salt = ByteWriter()
        salt.writeFixed(device.number)
        return Sealing.derive(secret, salt: salt.bytes, info: Array("POSB salt".utf8), count: Sealing.keySize)
    }

    private static func contentKey(_ secret: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        Sealing.derive(secret, salt: salt, info: Array("POSB pieces".utf8), count: Sealing.keySize)
    }

    /// Decrypts and reads the object that all pieces together contain.
    package static func objects(
        in content: [UInt8], of pieces: BatchPieces, _ header: BatchHeader, secret: [UInt8]
    ) throws(SyncError) -> [ObjectKey: ObjectState] {
        guard
            let plain = Sealing.open(
                content, key: contentKey(secret, pieces.salt), nonce: nonce, header: WireFormat.magic)
        else { throw ByteReader.damaged("its pieces are not encrypted with its key") }
        return try PayloadReader.batch(try unpadded(plain), header, memory: WireFormat.largestObject).objects
    }

    // MARK: The format 2

    /// What a batch of the format 2 has before the content of the format 1.
    package static func prefix(of batch: Batch, _ pieces: BatchPieces?) -> [UInt8] {
        var output = ByteWriter()
        output.writeNumber(batch.passesOnAll ? 0 : 1)
        output.writeCount(pieces?.hashes.count ?? 0)
        if let pieces {
            output.write(pieces.salt)
            for hash in pieces.hashes { output.write(hash) }
        }
        return output.bytes
    }

    /// Reads it, and returns where the content of the format 1 begins.
    package static func readPrefix(
        of payload: ArraySlice<UInt8>
    ) throws(SyncError) -> (passesOnAll: Bool, pieces: BatchPieces?, start: Int) {
        var input = ByteReader(payload, memory: WireFormat.largestMemory)
        let flags = try input.readNumber(upTo: 1, "a flag")
        let count = try input.readCount(ofSize: hashSize)
        guard count <= WireFormat.mostPieces else { throw ByteReader.damaged("it has too many pieces") }
        guard count > 0 else { return (flags == 0, nil, input.position) }
        let salt = Array(try input.read(saltSize))
        var hashes: [[UInt8]] = []
        for _ in 0..<count { hashes.append(Array(try input.read(hashSize))) }
        return (flags == 0, BatchPieces(salt: salt, hashes: hashes), input.position)
    }
}
