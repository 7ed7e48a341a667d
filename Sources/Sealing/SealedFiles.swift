internal import CSealedFile
internal import StoreEngine

/// The cryptographic functions of encrypted files.
enum SealedFiles {
    private static let info = Array("po page 1".utf8)
    private static let isRegistered: Bool = {
        #if !canImport(CryptoKit)
            Sealing.prepare()
        #endif
        var cipher = po_sealed_cipher(
            seal: { Sealing.sealBytes($0, $1, $2, $3, $4, $5, $6, $7) },
            open: { Sealing.openBytes($0, $1, $2, $3, $4, $5, $6, $7) },
            derive: { key, salt, count, derived in
                let key = Array(UnsafeBufferPointer(start: key, count: Sealing.keySize))
                let salt = Array(UnsafeBufferPointer(start: salt, count: Int(count)))
                let bytes = Sealing.derive(key, salt: salt, info: SealedFiles.info, count: 36)
                derived.update(from: bytes, count: bytes.count)
                return 0
            },
            random: { bytes, count in
                bytes.update(from: Sealing.random(Int(count)), count: Int(count))
                return 0
            })
        return po_sealed_register(&cipher) == 0
    }()

    /// Registers the VFS of encrypted files on the first call.
    static func register() { precondition(isRegistered, "SQLite does not accept the VFS of encrypted files") }
}
