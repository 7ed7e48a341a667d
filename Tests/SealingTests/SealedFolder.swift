#if Encryption
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects
    @testable import StoreEngine

    /// The class that the stores of these tests hold.
    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        @Indexed var text = ""
        var number = 0
        var data: [UInt8] = []
    }

    /// A file in a folder with a keyring.
    struct SealedFolder {
        let file: TemporaryStore
        var path: String { file.path }
        var keysPath: String { file.folder.appending(path: "keys.po").path(percentEncoded: false) }

        init() throws { file = try TemporaryStore() }
        init(_ file: TemporaryStore) { self.file = file }

        func keys() throws -> Keyring { try Keyring.file(keysPath) }

        func open(
            _ keys: Keyring? = nil, journal: JournalMode = .wal, cacheSize: Int = 1 << 20, pageSize: Int? = nil,
            path: String? = nil
        ) throws -> Store {
            try Store(
                path ?? self.path,
                configuration: .init(
                    busyTimeout: .seconds(20), lostEdits: .ignore, onNote: { _ in }, cacheSize: cacheSize,
                    pageSize: pageSize, journal: journal, encryption: .file(keys ?? self.keys())))
        }

        func openPlain(journal: JournalMode = .wal, path: String? = nil, pageSize: Int? = nil) throws -> Store {
            try Store(
                path ?? self.path,
                configuration: .init(
                    busyTimeout: .milliseconds(200), lostEdits: .ignore, onNote: { _ in }, pageSize: pageSize,
                    journal: journal))
        }

        /// A connection of the engine, for arbitrary SQL.
        func connection(journal: JournalMode = .wal, cacheSize: Int = 0) throws -> SQLiteConnection {
            let form = try Store.Encryption.file(keys()).form
            return try SQLiteConnection(
                .file(path: path),
                options: ConnectionOptions(
                    isFullyDurable: false,
                    file: FileSettings(cacheSize: cacheSize, journal: journal, form: form)))
        }

        /// The files of the folder, except the keyring, that contain this text.
        func files(containing text: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: file.folder.path(percentEncoded: false)).filter {
                name in
                let data = try Data(contentsOf: file.folder.appending(path: name))
                return name != "keys.po" && data.range(of: Data(text.utf8)) != nil
            }
        }

        func remove(_ names: [String]) {
            for name in names { try? FileManager.default.removeItem(at: file.folder.appending(path: name)) }
        }
    }

    /// A text that no other test has.
    let secret = "secretZebra"

    func makeNotes(_ count: Int, from start: Int = 0) -> [Note] {
        (start..<start + count).map { number in
            let note = Note()
            note.text = "\(secret) \(number)"
            note.number = number
            note.data = [UInt8](repeating: UInt8(number & 255), count: number % 700)
            return note
        }
    }

    extension Store {
        func fill(_ count: Int, from start: Int = 0) throws {
            try withSession { session in try session.save(makeNotes(count, from: start)) }
        }

        /// The numbers of all notes, whose text and data must fit; nil if the file is damaged.
        func numbers() throws -> [Int] {
            try withSession { session in
                expect(try session.rows("PRAGMA integrity_check").count, 1)
                return try Note.all().sorted { $0.number < $1.number }.map { note in
                    expect(note.text, "\(secret) \(note.number)")
                    expect(note.data, [UInt8](repeating: UInt8(note.number & 255), count: note.number % 700))
                    return note.number
                }
            }
        }
    }

    func errorCode(_ body: () throws -> Void) -> StoreError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? StoreError)?.code }
    }
#endif
