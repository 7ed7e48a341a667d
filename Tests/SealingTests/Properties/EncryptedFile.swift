#if Encryption
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    /// A file with encrypted properties, and its keyring.
    struct EncryptedFile {
        let file: TemporaryStore
        let keys: Keyring

        /// Another view of a file, with another keyring.
        init(file: TemporaryStore, keys: Keyring) { (self.file, self.keys) = (file, keys) }

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

        /// The names of the files in the folder that contain a text; on a server also "server" if its rows contain it.
        func files(containing text: String) throws -> [String] {
            let needle = Data(text.utf8)
            var isOnServer = false
            if TestEngine.isPostgres {
                let dump = try file.sqlite(".dump")
                let digits = needle.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                isOnServer = dump.contains(text) || dump.contains(digits)
            }
            return try (isOnServer ? ["server"] : [])
                + FileManager.default.contentsOfDirectory(at: file.folder, includingPropertiesForKeys: nil)
                .filter { try Data(contentsOf: $0).range(of: needle) != nil }.map(\.lastPathComponent)
        }

        /// Bytes in the SQL of the engine.
        static func literal(_ hex: String) -> String { TestEngine.isPostgres ? "'\\x\(hex)'::bytea" : "x'\(hex)'" }

        /// The number of tables whose names begin with a text.
        func tableCount(beginning prefix: String) throws -> String {
            try file.sqlite(
                TestEngine.isPostgres
                    ? """
                    SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()
                        AND starts_with(tablename, '\(prefix)')
                    """
                    : "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE '\(prefix)%'")
        }

        /// Removes earlier values from free pages and the log. A server does this itself.
        static func clean(_ store: Store) throws {
            if TestEngine.isPostgres { return }
            try store.vacuum()
            try store.checkpoint()
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
