/// The keys of encrypted files, by number.
package protocol FileKeys: AnyObject, Sendable {
    /// The number of the key that encrypts new pages.
    var currentKey: UInt32 { get }
    /// Copies the 32 bytes of a key; returns whether it exists.
    func copyKey(_ number: UInt32, to target: UnsafeMutablePointer<UInt8>) -> Bool
}

extension FileKeys {
    /// The 32 bytes of a key; nil if it does not exist.
    package func key(_ number: UInt32) -> [UInt8]? {
        var exists = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            // The buffer has the requested capacity, and `copyKey` initializes all of it.
            exists = buffer.baseAddress.map { copyKey(number, to: $0) } ?? false
            count = exists ? 32 : 0
        }
        return exists ? bytes : nil
    }
}

/// The form of a database file.
package enum FileForm: Sendable {
    /// Not encrypted.
    case plain
    /// Not encrypted, and opened for an encrypted copy, which SQLite makes with the same VFS.
    case convertible
    /// Encrypted, with its log, its journal and its temporary files.
    case encrypted(any FileKeys)

    /// Whether the file is encrypted.
    package var isEncrypted: Bool { if case .encrypted = self { true } else { false } }

    /// The form of a connection that copies the file in another form.
    var convertible: FileForm { if case .plain = self { .convertible } else { self } }
}

extension FileForm: Equatable {
    package static func == (one: FileForm, other: FileForm) -> Bool {
        switch (one, other) {
        case (.plain, .plain), (.convertible, .convertible): true
        case (.encrypted(let one), .encrypted(let other)): one === other
        default: false
        }
    }
}
