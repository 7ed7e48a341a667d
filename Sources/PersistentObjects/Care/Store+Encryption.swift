internal import StoreEngine

// The encryption of a store's file.
extension Store {
    /// The encryption of an open store.
    public struct EncryptionState: Sendable, Hashable {
        /// The number of the key that encrypts pages from now on; nil if the file is not encrypted.
        public let fileKey: Int?
        /// The numbers of the keys with which values of encrypted properties were encrypted in this file.
        ///
        /// It includes keys that were used earlier, and keys that the keyring lacks. It is empty if the file cannot be
        /// read.
        public let propertyKeys: Set<Int>
    }

    /// The encryption of the store.
    ///
    /// ```swift
    /// print(store.encryption.fileKey ?? 0)
    /// ```
    ///
    /// - Complexity: One query.
    public var encryption: EncryptionState {
        let keys = try? withSession { session in
            try session.enter { try SealedValues.keyNumbers(session.connection) }
        }
        return EncryptionState(fileKey: keyring?.currentKey, propertyKeys: keys ?? [])
    }

    private var keyring: Keyring? { if case .file(let keys) = configuration.encryption { keys } else { nil } }

    /// Encrypts the file of a store that is not encrypted.
    ///
    /// ```swift
    /// let keys = try Keyring.file("keys.po")
    /// try Store("safe.sqlite").encrypt(with: keys)
    /// ```
    ///
    /// The call writes an encrypted copy next to the file, and replaces the file in one step. A crash leaves the old
    /// file or the new file, complete. Ids do not change. Call it before sessions are opened, because objects and
    /// sessions of the old file cannot continue with the new file. Other programs must have closed the file; they are
    /// locked out during the call. From then on the configuration of this store is `encryption: .file(keys)`. Use the
    /// same configuration when you open the store again.
    ///
    /// The old file is overwritten with zeros afterwards. On flash memory, and on file systems that copy on write, this
    /// does not erase the old bytes. Earlier backups stay as they are.
    ///
    /// - Throws: `StoreError`: `busy` if a session or another program has the file open, `misuse` if the store is in
    ///   memory or already encrypted, `readOnly`, `diskFull`, `unsupported` on a server. Nothing is changed then.
    public func encrypt(with keys: Keyring) throws {
        guard keyring == nil else {
            throw StoreError(.misuse, "The file is already encrypted. To use a new key, call changeFileKey()")
        }
        try convert(to: .file(keys))
    }

    /// Replaces the encrypted file by a file that is not encrypted.
    ///
    /// It works like ``encrypt(with:)``. The pages of the new file keep 56 unused bytes each.
    ///
    /// - Throws: `StoreError`, as ``encrypt(with:)``.
    public func decrypt() throws {
        guard keyring != nil else { throw notEncrypted }
        try convert(to: .none)
    }

    private var notEncrypted: StoreError { StoreError(.misuse, "The store is not encrypted") }

    private func convert(to encryption: Encryption) throws {
        guard !isReadOnly else {
            throw StoreError(.readOnly, "The store is read-only. Open it without isReadOnly to change its encryption")
        }
        forgetConnections()
        try engine.convert(location, options: connectionOptions, to: encryption.form)
        // Connections that were opened in the meantime belong to the old file.
        forgetConnections()
        configuration.encryption = encryption
    }

    /// Encrypts all pages with the current key of the keyring.
    ///
    /// ```swift
    /// try keys.addKey()
    /// try store.changeFileKey()
    /// try store.removeKey(1)
    /// ```
    ///
    /// It is a ``vacuum()``, followed by a ``checkpoint(waiting:)``: other sessions can read meanwhile.
    ///
    /// - Throws: `StoreError`: `misuse` if the store is not encrypted, or in a transaction; `busy` if other sessions
    ///   write, or read until the end so that the log cannot be emptied; `diskFull`, `readOnly`. Every page has one of
    ///   the keys then, and the call can be repeated.
    public func changeFileKey() throws {
        guard keyring != nil else { throw notEncrypted }
        try vacuum()
        guard try checkpoint().isComplete else {
            throw StoreError(
                .busy,
                "The pages were encrypted with the new key, but other sessions are reading, so that the file still "
                    + "contains old pages. Call changeFileKey() again later")
        }
    }

    /// Removes a key from the store's keyring, if no page of the file and no encrypted property uses it.
    ///
    /// Backups and other stores may still use the key; they cannot be opened then.
    ///
    /// - Complexity: Reads the end of each page.
    /// - Throws: `StoreError`: `misuse` if a page uses the key, if it is the current key, or if the keys come from a
    ///   provider; `notFound` if the keyring has no such key; `busy` if other sessions read or write.
    public func removeKey(_ number: Int) throws {
        guard let keyring = configuration.keyring ?? keyring else { throw notEncrypted }
        guard number != keyring.currentKey else {
            throw StoreError(.misuse, "Key \(number) is the current key. Add a key first: addKey()")
        }
        guard let key = UInt32(exactly: number), keyring.keyNumbers.contains(number) else {
            throw StoreError(.notFound, "The keyring has no key \(number)")
        }
        try checkNoValueUses(key)
        // A server has no pages of the store's keys.
        guard engine.capabilities.contains(.upkeep) else { return try keyring.remove(number) }
        try caringAlone { upkeep in
            guard try self.keyring !== keyring || !upkeep.usesKey(key) else {
                throw StoreError(
                    .misuse, "Key \(number) encrypts pages of the file. Call changeFileKey() before you remove the key")
            }
            try keyring.remove(number)
        }
    }
}
