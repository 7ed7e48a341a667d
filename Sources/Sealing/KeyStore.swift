@_spi(Locks) internal import StoreEngine

/// The keys of a keyring, by number, with their source.
package final class KeyStore: Sendable {
    private let state: Locked<KeyState>

    private init(_ source: KeySource) {
        state = Locked(KeyState(source))
        SealedFiles.register()
    }

    // MARK: Files

    /// Opens a keyring file, and creates it if it is missing.
    package static func file(_ path: String, password: String?) throws -> KeyStore {
        let store = KeyStore(.file(KeyFile(path: path)))
        try store.state.withLock { try $0.open(KeyFile(path: path), password) }
        return store
    }

    /// Opens a keyring file with its recovery code.
    package static func file(_ path: String, recoveryCode: String) throws -> KeyStore {
        guard let key = RecoveryCode.key(of: recoveryCode) else {
            throw StoreError(.wrongKey, "The recovery code is mistyped. A code has 52 characters")
        }
        let file = KeyFile(path: path)
        guard let bytes = try file.read() else {
            throw StoreError(.cannotOpen, "There is no keyring file \(path)")
        }
        let form = try KeyFileForm(bytes, path: path)
        let store = KeyStore(.file(file))
        let content = try form.recovered(Secret(key), path: path)
        store.state.withLock {
            $0.take(content)
            $0.isRecovered = form.method != nil
        }
        return store
    }

    // MARK: Closures

    /// Uses the keys that a closure returns. The current key must exist.
    package static func closure(current: Int, _ key: @escaping @Sendable (Int) throws -> [UInt8]?) throws -> KeyStore {
        let store = KeyStore(.closure(key))
        guard let number = UInt32(exactly: current), number > 0 else {
            throw StoreError(.misuse, "The number of a key is \(current). Use 1 or more")
        }
        guard let bytes = try key(current) else {
            throw StoreError(.misuse, "The provider returns no key for the current number \(current)")
        }
        guard bytes.count == Sealing.keySize else {
            throw StoreError(.misuse, "The provider's key \(current) has \(bytes.count) bytes. A key has 32 bytes")
        }
        store.state.withLock {
            $0.keys[number] = Secret(bytes)
            $0.current = number
        }
        return store
    }

    #if canImport(Security)
        /// Uses an item of the keychain, and creates it if it is missing.
        package static func keychain(_ name: String) throws -> KeyStore {
            let item = KeychainItem(name: name)
            let store = KeyStore(.keychain(item))
            var content = try item.read()
            if content == nil {
                let new = KeyContent.new()
                try item.write(new)
                content = new
            }
            if let content { store.state.withLock { $0.take(content) } }
            return store
        }
    #endif
}

// Keys.
extension KeyStore {
    /// The numbers of the known keys.
    package var numbers: Set<Int> { state.withLock { Set($0.keys.keys.map { Int($0) }) } }

    /// The recovery code; nil if the keys belong to a closure.
    package var recoveryCode: String? { state.withLock { $0.recovery.map { RecoveryCode.text(of: $0.bytes) } } }

    /// Adds a random key, which is the current key from now on; returns its number.
    package func addKey() throws -> Int {
        try state.withLock { state in
            try state.change { content in
                content.keys[content.greatestNumber + 1] = Secret(Sealing.random(Sealing.keySize))
            }
            return Int(state.current)
        }
    }

    /// Removes a key that nothing uses.
    package func removeKey(_ number: Int) throws {
        try state.withLock { state in
            guard let number = UInt32(exactly: number), state.keys[number] != nil else {
                throw StoreError(.notFound, "The keyring has no key \(number)")
            }
            guard number != state.current else {
                throw StoreError(.misuse, "Key \(number) is the current key. Add a key first: addKey()")
            }
            try state.change { $0.keys[number] = nil }
        }
    }

    /// Sets the password of the file; nil removes it.
    package func changePassword(to password: String?) throws {
        try state.withLock { state in
            guard case .file(let file) = state.source else {
                throw StoreError(.misuse, "Only a keyring in a file has a password")
            }
            let new = try password.map { password throws(StoreError) in try PasswordLock(password) }
            try state.rewrite(file, state.lock?.key, new) { _ in }
            state.lock = new
            state.isRecovered = false
        }
    }
}

extension KeyStore: FileKeys {
    package var currentKey: UInt32 { state.withLock { $0.current } }

    package func copyKey(_ number: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        state.withLock { state in
            if state.keys[number] == nil {
                if case .closure(let key) = state.source, let bytes = try? key(Int(number)),
                    bytes.count == Sealing.keySize
                {
                    state.keys[number] = Secret(bytes)
                } else {
                    state.reload()
                }
            }
            guard let key = state.keys[number] else { return false }
            key.copy(to: target)
            return true
        }
    }
}
