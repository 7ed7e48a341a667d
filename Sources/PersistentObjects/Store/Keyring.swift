internal import Foundation
internal import StoreEngine

#if Encryption
    internal import Sealing
#endif

/// Keys for encrypted files, by number.
///
/// The current key encrypts new data. All keys decrypt existing data.
///
/// ```swift
/// let keys = try Keyring.file("keys.po")
/// let store = try Store("clinic.sqlite", configuration: .init(encryption: .file(keys)))
/// ```
///
/// If the keys are lost, the data is lost. Keep a copy of the keyring, or its ``recoveryCode`` and its file, apart from
/// the data. A keyring can be used from any thread and by several stores. It requires a program that is built with the
/// package trait `Encryption`; without the trait, every call that creates a keyring throws `unsupported`.
public final class Keyring: Sendable {
    #if Encryption
        private let keys: KeyStore

        private init(_ keys: KeyStore) { self.keys = keys }

        /// The form of files that are encrypted with these keys.
        var fileForm: FileForm { .encrypted(keys) }
    #else
        /// No keyring exists without the trait.
        private init(_ nothing: Never) {}

        var fileForm: FileForm { .plain }

        private static var unavailable: StoreError {
            StoreError(
                .unsupported,
                "This program was built without the package trait Encryption. Add traits: [\"Encryption\"] to the "
                    + "dependency in Package.swift")
        }
    #endif

    /// Opens a keyring file, and creates it with one random key if it is missing.
    ///
    /// Only the owner may access the file: its mode is 0600, and a file that other users may access is refused.
    ///
    /// - Throws: `StoreError`: `wrongKey` if the file has a password, `damaged` if it was changed, `misuse`,
    ///   `cannotOpen`, `unsupported`.
    public static func file(_ path: String) throws -> Keyring {
        #if Encryption
            Keyring(try KeyStore.file(absolute(path), password: nil))
        #else
            throw unavailable
        #endif
    }

    /// Opens a keyring file that is encrypted under a password, and creates it if it is missing.
    ///
    /// The password's key is derived with Argon2id on Linux, and with PBKDF2 on Apple platforms; the file specifies the
    /// method. A file of one platform is opened on the other with the recovery code.
    ///
    /// - Throws: `StoreError`: `wrongKey` if the password is wrong, and as ``file(_:)``.
    public static func password(_ password: String, file path: String) throws -> Keyring {
        #if Encryption
            Keyring(try KeyStore.file(absolute(path), password: password))
        #else
            throw unavailable
        #endif
    }

    /// Opens a keyring file with its recovery code, for example because its password is lost.
    ///
    /// If the file has a password, set a new one with ``changePassword(to:)`` before you add keys.
    ///
    /// - Throws: `StoreError`: `wrongKey` if the code is mistyped or belongs to another keyring, and as ``file(_:)``.
    public convenience init(recoveryCode: String, file path: String) throws {
        #if Encryption
            self.init(try KeyStore.file(Keyring.absolute(path), recoveryCode: recoveryCode))
        #else
            throw Keyring.unavailable
        #endif
    }

    /// Uses the keys of the program, which a closure returns by number; nil if there is no such key.
    ///
    /// ```swift
    /// let keys = try Keyring.provider(current: 2) { number in try vault.key(named: "store-\(number)") }
    /// ```
    ///
    /// - Parameters:
    ///   - current: The number of the key that encrypts new data; 1 or more.
    ///   - key: Returns a key of 32 bytes. It is called once for each key, on any thread. It must not use the store.
    /// - Throws: The errors of `key` for the current key; `StoreError` with the code `misuse` if there is no such key.
    public static func provider(
        current: Int, key: @escaping @Sendable (_ number: Int) throws -> [UInt8]?
    ) throws -> Keyring {
        #if Encryption
            Keyring(try KeyStore.closure(current: current, key))
        #else
            throw unavailable
        #endif
    }

    #if canImport(Security)
        /// Uses the keyring in an item of the keychain, and creates it if it is missing.
        ///
        /// - Parameter name: The account of the item, whose service is `PersistentObjects`.
        public static func keychain(_ name: String) throws -> Keyring {
            #if Encryption
                Keyring(try KeyStore.keychain(name))
            #else
                throw unavailable
            #endif
        }
    #endif

    /// A later change of the current folder must not move the keyring.
    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}

extension Keyring {
    /// The number of the key that encrypts new data.
    public var currentKey: Int {
        #if Encryption
            Int(keys.currentKey)
        #else
            0
        #endif
    }

    /// The numbers of the known keys.
    public var keyNumbers: Set<Int> {
        #if Encryption
            keys.numbers
        #else
            []
        #endif
    }

    /// The recovery code of the keyring file, 52 characters; nil if the keys come from a provider.
    ///
    /// The file contains a copy of its content that is encrypted under this code. Anyone with the file and the code has
    /// the keys. See ``init(recoveryCode:file:)``.
    public var recoveryCode: String? {
        #if Encryption
            keys.recoveryCode
        #else
            nil
        #endif
    }

    /// Adds a random key, which encrypts new data from now on.
    ///
    /// Existing pages keep their key until they are written again; ``Store/changeFileKey()`` writes all pages.
    ///
    /// - Returns: The number of the key.
    /// - Throws: `StoreError`: `misuse` if the keys come from a provider, or an error of the file, such as `diskFull`.
    @discardableResult
    public func addKey() throws -> Int {
        #if Encryption
            try keys.addKey()
        #else
            throw Keyring.unavailable
        #endif
    }

    /// Changes the password of the keyring file; nil removes it.
    ///
    /// Earlier copies of the file keep their password and contain the same keys. If one of them may be known, also add
    /// a key and call ``Store/changeFileKey()``.
    ///
    /// - Throws: `StoreError`: `misuse` if the keyring is not a file.
    public func changePassword(to password: String?) throws {
        #if Encryption
            try keys.changePassword(to: password)
        #else
            throw Keyring.unavailable
        #endif
    }

    /// Removes a key from the keyring; the caller has checked that no page uses it.
    func remove(_ number: Int) throws {
        #if Encryption
            try keys.removeKey(number)
        #else
            throw Keyring.unavailable
        #endif
    }
}

extension Keyring: CustomStringConvertible {
    /// The numbers of the keys, without the keys.
    public var description: String {
        "Keyring with the keys \(keyNumbers.sortedUnspecialized().map(String.init).joined(separator: ", "))"
    }
}
