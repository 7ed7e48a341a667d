internal import StoreEngine

/// The content of a keyring file: keys by number, and the key of the recovery code.
struct KeyContent {
    var recovery: Secret
    var keys: [UInt32: Secret]

    /// A keyring with one key.
    static func new() -> KeyContent {
        KeyContent(
            recovery: Secret(Sealing.random(Sealing.keySize)), keys: [1: Secret(Sealing.random(Sealing.keySize))])
    }

    var bytes: [UInt8] {
        keys.sorted { $0.key < $1.key }.reduce(recovery.bytes + UInt32(keys.count).bigEndianBytes) {
            $0 + $1.key.bigEndianBytes + $1.value.bytes
        }
    }

    init?(_ bytes: [UInt8]) {
        let (start, size) = (Sealing.keySize + 4, 4 + Sealing.keySize)
        guard bytes.count >= start else { return nil }
        let count = Int(UInt32(bigEndianBytes: bytes[Sealing.keySize..<start]))
        guard count > 0, bytes.count == start + count * size else { return nil }
        recovery = Secret(bytes[..<Sealing.keySize])
        keys = [:]
        for index in 0..<count {
            let place = start + index * size
            keys[UInt32(bigEndianBytes: bytes[place..<place + 4])] = Secret(bytes[(place + 4)..<(place + size)])
        }
    }

    init(recovery: Secret, keys: [UInt32: Secret]) {
        self.recovery = recovery
        self.keys = keys
    }

    var greatestNumber: UInt32 { keys.keys.max() ?? 0 }
}

/// The form of a keyring file.
///
/// "POKEYS01", the password method (25 bytes, the first is 0 without a password), the size of the content (4), the
/// content, a copy of the content that is encrypted under the recovery key, and a checksum (32). With a password, the
/// content is encrypted, too. An encrypted part is a nonce (12), the encrypted bytes, and a tag (16).
struct KeyFileForm {
    private static let magic = Array("POKEYS01".utf8)
    private static let headSize = magic.count + PasswordMethod.size + 4

    /// Nil without a password.
    let method: PasswordMethod?
    private let head: [UInt8]
    private let content: [UInt8]
    private let copy: [UInt8]

    private static func sealed(_ content: KeyContent, _ key: Secret, _ head: [UInt8]) -> [UInt8] {
        let nonce = Sealing.random(Sealing.nonceSize)
        return nonce + Sealing.seal(content.bytes, key: key.bytes, nonce: nonce, header: head)
    }

    private static func opened(_ part: [UInt8], _ key: Secret, _ head: [UInt8]) -> KeyContent? {
        guard part.count > Sealing.nonceSize else { return nil }
        return Sealing.open(
            part[Sealing.nonceSize...], key: key.bytes, nonce: Array(part[..<Sealing.nonceSize]), header: head
        ).flatMap { KeyContent($0) }
    }

    /// The bytes of a file.
    static func bytes(of content: KeyContent, _ lock: PasswordLock?) -> [UInt8] {
        let head = magic + (lock?.method.bytes ?? [UInt8](repeating: 0, count: PasswordMethod.size))
        let main = lock.map { sealed(content, $0.key, head) } ?? content.bytes
        let all = head + UInt32(main.count).bigEndianBytes + main + sealed(content, content.recovery, head)
        return all + Sealing.hash(all, key: magic)
    }

    /// Reads the bytes of a file.
    init(_ bytes: [UInt8], path: String) throws(StoreError) {
        let checked = bytes.count - 32
        guard checked > Self.headSize, bytes.starts(with: Self.magic) else {
            throw StoreError(.damaged, "\(path) is not a keyring file. Use a backup of the keyring")
        }
        let size = Int(UInt32(bigEndianBytes: bytes[(Self.headSize - 4)..<Self.headSize]))
        guard Sealing.hash(Array(bytes[..<checked]), key: Self.magic) == Array(bytes[checked...]),
            Self.headSize + size < checked
        else { throw Self.changed(path) }
        head = Array(bytes[..<(Self.headSize - 4)])
        method = PasswordMethod(head[Self.magic.count...])
        guard method != nil || head[Self.magic.count] == 0 else { throw Self.changed(path) }
        content = Array(bytes[Self.headSize..<(Self.headSize + size)])
        copy = Array(bytes[(Self.headSize + size)..<checked])
    }

    private static func changed(_ path: String) -> StoreError {
        StoreError(.damaged, "The keyring file \(path) was changed or is incomplete. Use a backup of the keyring")
    }

    /// The content of a file; `key` is the key of the password.
    func content(_ key: Secret?, path: String) throws(StoreError) -> KeyContent {
        guard method != nil else {
            guard let content = KeyContent(content) else { throw Self.changed(path) }
            return content
        }
        guard let key else {
            throw StoreError(
                .wrongKey, "The keyring \(path) has a password. Open it with Keyring.password(_:file:)")
        }
        guard let content = Self.opened(content, key, head) else {
            throw StoreError(.wrongKey, "The password of the keyring \(path) is wrong")
        }
        return content
    }

    /// The content, decrypted with the recovery key.
    func recovered(_ key: Secret, path: String) throws(StoreError) -> KeyContent {
        guard let content = Self.opened(copy, key, head) else {
            throw StoreError(.wrongKey, "The recovery code does not belong to the keyring \(path)")
        }
        return content
    }
}

/// A password's method and the key that was derived from it.
struct PasswordLock: Sendable {
    let method: PasswordMethod
    let key: Secret

    init(_ password: String, _ method: PasswordMethod = Sealing.standardMethod) throws(StoreError) {
        guard !password.isEmpty else { throw StoreError(.misuse, "The password of the keyring is empty") }
        guard let key = Sealing.password(password, method) else {
            throw StoreError(
                .unsupported,
                "The key of the password cannot be derived. There is not enough memory, or the keyring file was "
                    + "written on a platform with another method. Use the recovery code")
        }
        self.method = method
        self.key = Secret(key)
    }
}
