internal import Foundation
internal import StoreEngine

/// The keys of a keyring, by number, with their source.
package final class KeyStore: @unchecked Sendable {  // the state is reached under the lock only
    private enum Source {
        case file(KeyFile)
        case closure(@Sendable (Int) throws -> [UInt8]?)
        #if canImport(Security)
            case keychain(KeychainItem)
        #endif
    }

    private struct State {
        var keys: [UInt32: Secret] = [:]
        var current: UInt32 = 0
        var recovery: Secret?
        var lock: PasswordLock?
        /// Whether the file has a password that is unknown here.
        var isRecovered = false
        var version: KeyFile.Version?
    }

    private let source: Source
    /// Not a `Mutex`: ThreadSanitizer cannot see its locking on Linux and reports false races.
    private let lock = NSLock()
    private var state = State()

    private init(_ source: Source) {
        self.source = source
        SealedFiles.register()
    }

    // MARK: Files

    /// Opens a keyring file, and creates it if it is missing.
    package static func file(_ path: String, password: String?) throws -> KeyStore {
        let store = KeyStore(.file(KeyFile(path: path)))
        try store.lock.withLock { try store.open(KeyFile(path: path), password) }
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
        store.lock.withLock {
            store.take(content)
            store.state.isRecovered = form.method != nil
        }
        return store
    }

    private func open(_ file: KeyFile, _ password: String?) throws {
        state.version = file.version
        var bytes = try file.read()
        if bytes == nil {
            let lock = try password.map { password throws(StoreError) in try PasswordLock(password) }
            let content = KeyContent.new()
            if try file.create(KeyFileForm.bytes(of: content, lock)) {
                state.lock = lock
                state.version = file.version
                return take(content)
            }
            bytes = try file.read()
        }
        guard let bytes else { throw StoreError(.cannotOpen, "The keyring \(file.path) was deleted") }
        let form = try KeyFileForm(bytes, path: file.path)
        if let password {
            guard let method = form.method else {
                throw StoreError(
                    .misuse,
                    "The keyring \(file.path) has no password. Open it with Keyring.file(_:), and set a password with "
                        + "changePassword(to:)")
            }
            state.lock = try PasswordLock(password, method)
        }
        take(try form.content(state.lock?.key, path: file.path))
    }

    private func take(_ content: KeyContent) {
        state.keys = content.keys
        state.recovery = content.recovery
        state.current = content.greatestNumber
    }

    /// Reads the file again if another process has changed it.
    private func reload() {
        guard case .file(let file) = source, let version = file.version, version != state.version,
            let bytes = try? file.read(), let form = try? KeyFileForm(bytes, path: file.path)
        else { return }
        let content =
            state.isRecovered
            ? state.recovery.flatMap { try? form.recovered($0, path: file.path) }
            : try? form.content(state.lock?.key, path: file.path)
        guard let content else { return }
        state.version = version
        take(content)
    }

    /// Changes the content of the file, which another process may have changed, too.
    private func change(_ body: (inout KeyContent) throws -> Void) throws {
        switch source {
        case .file(let file):
            guard !state.isRecovered else {
                throw StoreError(
                    .misuse, "The keyring was opened with its recovery code. Set a password first: changePassword(to:)")
            }
            try rewrite(file, state.lock?.key, state.lock, body)
        case .closure:
            throw StoreError(
                .misuse,
                "The keys of a provider belong to the program. Add or remove them there, and open the store again"
            )
        #if canImport(Security)
            case .keychain(let item):
                guard var content = try item.read() else {
                    throw StoreError(.cannotOpen, "The keyring is no longer in the keychain")
                }
                try body(&content)
                try item.write(content)
                take(content)
        #endif
        }
    }

    private func rewrite(
        _ file: KeyFile, _ key: Secret?, _ lock: PasswordLock?, _ body: (inout KeyContent) throws -> Void
    ) throws {
        try file.replace { bytes in
            let form = try KeyFileForm(bytes, path: file.path)
            var content: KeyContent
            if state.isRecovered, let recovery = state.recovery {
                content = try form.recovered(recovery, path: file.path)
            } else {
                content = try form.content(key, path: file.path)
            }
            try body(&content)
            take(content)
            return KeyFileForm.bytes(of: content, lock)
        }
        state.version = file.version
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
        store.lock.withLock {
            store.state.keys[number] = Secret(bytes)
            store.state.current = number
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
            if let content { store.lock.withLock { store.take(content) } }
            return store
        }
    #endif
}

// Keys.
extension KeyStore {
    /// The numbers of the known keys.
    package var numbers: Set<Int> { lock.withLock { Set(state.keys.keys.map { Int($0) }) } }

    /// The recovery code; nil if the keys belong to a closure.
    package var recoveryCode: String? { lock.withLock { state.recovery.map { RecoveryCode.text(of: $0.bytes) } } }

    /// Adds a random key, which is the current key from now on; returns its number.
    package func addKey() throws -> Int {
        try lock.withLock {
            try change { content in
                content.keys[content.greatestNumber + 1] = Secret(Sealing.random(Sealing.keySize))
            }
            return Int(state.current)
        }
    }

    /// Removes a key that nothing uses.
    package func removeKey(_ number: Int) throws {
        try lock.withLock {
            guard let number = UInt32(exactly: number), state.keys[number] != nil else {
                throw StoreError(.notFound, "The keyring has no key \(number)")
            }
            guard number != state.current else {
                throw StoreError(.misuse, "Key \(number) is the current key. Add a key first: addKey()")
            }
            try change { $0.keys[number] = nil }
        }
    }

    /// Sets the password of the file; nil removes it.
    package func changePassword(to password: String?) throws {
        try lock.withLock {
            guard case .file(let file) = source else {
                throw StoreError(.misuse, "Only a keyring in a file has a password")
            }
            let new = try password.map { password throws(StoreError) in try PasswordLock(password) }
            try rewrite(file, state.lock?.key, new) { _ in }
            state.lock = new
            state.isRecovered = false
        }
    }
}

extension KeyStore: FileKeys {
    package var currentKey: UInt32 { lock.withLock { state.current } }

    package func copyKey(_ number: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Bool {
        lock.withLock {
            if state.keys[number] == nil {
                if case .closure(let key) = source, let bytes = try? key(Int(number)), bytes.count == Sealing.keySize {
                    state.keys[number] = Secret(bytes)
                } else {
                    reload()
                }
            }
            guard let key = state.keys[number] else { return false }
            key.copy(to: target)
            return true
        }
    }
}
