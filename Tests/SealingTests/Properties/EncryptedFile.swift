#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A file with encrypted properties, and its keyring.
    struct EncryptedFile {
        let file: TemporaryStore
        let keys: Keyring

        init() throws {
            file = try TemporaryStore()
            keys = try EncryptedFile.keyring(file, "keys.po")
        }

        static func keyring(_ file: TemporaryStore, _ name: String) throws -> Keyring {
            try Keyring.file(file.folder.appending(path: name).path(percentEncoded: false))
        }

        func configuration(_ keys: Keyring? = nil) -> Store.Configuration {
            var configuration = Store.Configuration(keyring: keys ?? self.keys)
            configuration.onNote = { _ in }
            return configuration
        }

        /// Opens the file, calls `body` in a session, and closes the file.
        func session<R>(_ keys: Keyring? = nil, _ body: (Session) throws -> R) throws -> R {
            let store = try file.open(configuration: configuration(keys))
            defer { store.close() }
            return try store.withSession { try body($0) }
        }

        /// The names of the files in the folder that contain a text.
        func files(containing text: String) throws -> [String] {
            let needle = Data(text.utf8)
            return try FileManager.default.contentsOfDirectory(at: file.folder, includingPropertiesForKeys: nil)
                .filter { try Data(contentsOf: $0).range(of: needle) != nil }.map(\.lastPathComponent)
        }

        static func code(_ body: () throws -> Void) -> StoreError.Code? {
            do { try body() } catch { return (error as? StoreError)?.code }
            return nil
        }

        static func message(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return ""
        }
    }
#endif
