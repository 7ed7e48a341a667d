internal import StoreEngine

extension Store {
    /// The encryption of a store's file.
    public enum Encryption: Sendable {
        /// The file is not encrypted.
        case none
        /// The file is encrypted with the current key of a keyring.
        ///
        /// Its log, its journal and its temporary files are encrypted, too.
        case file(Keyring)

        /// The form of the file.
        var form: FileForm {
            switch self {
            case .none: .plain
            case .file(let keys): keys.fileForm
            }
        }
    }

    /// The encryption of a backup.
    public enum BackupEncryption: Sendable {
        /// The backup is encrypted with the keyring of the store, or not encrypted if the store is not.
        case same
        /// The backup is not encrypted.
        case none
        /// The backup is encrypted with the current key of a keyring.
        case file(Keyring)

        /// The form of the backup; nil for the form of the store.
        var form: FileForm? {
            switch self {
            case .same: nil
            case .none: .plain
            case .file(let keys): keys.fileForm
            }
        }
    }
}

extension Store.Configuration {
    /// The keys of encrypted properties; nil without a keyring.
    var propertyKeys: (any FileKeys)? {
        var keys = keyring
        if keys == nil, case .file(let own) = encryption { keys = own }
        guard case .encrypted(let found)? = keys?.fileForm else { return nil }
        return found
    }
}
