internal import StoreEngine

/// Where the keys of a keyring are kept.
enum KeySource: Sendable {
    case file(KeyFile)
    case closure(@Sendable (Int) throws -> [UInt8]?)
    #if canImport(Security)
        case keychain(KeychainItem)
    #endif
}

/// The keys of a keyring that are in memory, and their source.
struct KeyState {
    let source: KeySource
    var keys: [UInt32: Secret] = [:]
    var current: UInt32 = 0
    var recovery: Secret?
    var lock: PasswordLock?
    /// Whether the file has a password that is unknown here.
    var isRecovered = false
    var version: KeyFile.Version?

    init(_ source: KeySource) { self.source = source }

    mutating func open(_ file: KeyFile, _ password: String?) throws {
        version = file.version
        var bytes = try file.read()
        if bytes == nil {
            let lock = try password.map { password throws(StoreError) in try PasswordLock(password) }
            let content = KeyContent.new()
            if try file.create(KeyFileForm.bytes(of: content, lock)) {
                self.lock = lock
                version = file.version
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
            lock = try PasswordLock(password, method)
        }
        take(try form.content(lock?.key, path: file.path))
    }

    mutating func take(_ content: KeyContent) {
        keys = content.keys
        recovery = content.recovery
        current = content.greatestNumber
    }

    /// Reads the file again if another process has changed it.
    mutating func reload() {
        guard case .file(let file) = source, let version = file.version, version != self.version,
            let bytes = try? file.read(), let form = try? KeyFileForm(bytes, path: file.path)
        else { return }
        let content =
            isRecovered
            ? recovery.flatMap { try? form.recovered($0, path: file.path) }
            : try? form.content(lock?.key, path: file.path)
        guard let content else { return }
        self.version = version
        take(content)
    }

    /// Changes the content of the file, which another process may have changed, too.
    mutating func change(_ body: (inout KeyContent) throws -> Void) throws {
        switch source {
        case .file(let file):
            guard !isRecovered else {
                throw StoreError(
                    .misuse, "The keyring was opened with its recovery code. Set a password first: changePassword(to:)")
            }
            try rewrite(file, lock?.key, lock, body)
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

    mutating func rewrite(
        _ file: KeyFile, _ key: Secret?, _ lock: PasswordLock?, _ body: (inout KeyContent) throws -> Void
    ) throws {
        try file.replace { bytes in
            let form = try KeyFileForm(bytes, path: file.path)
            var content: KeyContent
            if isRecovered, let recovery {
                content = try form.recovered(recovery, path: file.path)
            } else {
                content = try form.content(key, path: file.path)
            }
            try body(&content)
            take(content)
            return KeyFileForm.bytes(of: content, lock)
        }
        version = file.version
    }
}
