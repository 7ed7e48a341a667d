import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

@Suite(.hangLimit)
struct BackupTests {
    private func copy(in file: TemporaryStore) -> String { file.folder.appending(path: "copy.sqlite").path }

    private func names(in file: TemporaryStore) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: file.folder.path).sorted()
    }

    @Test func `a backup contains the committed data and opens as a store`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            try store.backup(to: path)
            try expect(SQLiteTool.run(path, "PRAGMA integrity_check; SELECT count(*) FROM care_person"), "ok\n5")
            let copied = try Store(path)
            defer { copied.close() }
            try copied.withSession { _ throws in
                let last = try #require(try CareEmployee.all().last)
                expect(last.boss?.salary, 100)
                expect(last.friends.count, 4)
                expect(last.tags, ["tag 0", "tag 1", "tag 2", "tag 3"])
            }
            try CareModel.prepare(copied)
            #expect(try copied.checkIntegrity().description.hasPrefix("no problem found"))
        }
    }

    @Test(.onPlainFiles("the header of an encrypted file has other versions"))
    func `the copy is a single file without a log, readable only by its owner`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            try store.backup(to: path)
            try expect(names(in: file).filter { $0.hasPrefix("copy") }, ["copy.sqlite"])
            // The versions for writing and reading: 1 is a rollback journal, 2 a write-ahead log.
            let header = try #require(FileManager.default.contents(atPath: path))
            #expect(header[18] == 1 && header[19] == 1)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            expect(attributes[.posixPermissions] as? Int, 0o600)
        }
    }

    @Test func `the copy has the file permissions of the configuration`() throws {
        try withCareStore(.init(filePermissions: 0o640, lostEdits: .ignore)) { store, file throws in
            try store.backup(to: copy(in: file))
            let attributes = try FileManager.default.attributesOfItem(atPath: copy(in: file))
            expect(attributes[.posixPermissions] as? Int, 0o640)
        }
    }

    @Test func `a relative path is resolved against the current folder, as for stores`() throws {
        let store = try Store.inMemory()
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        let name = "po-backup-\(UUID().uuidString).sqlite"
        let path = FileManager.default.currentDirectoryPath + "/" + name
        defer { try? FileManager.default.removeItem(atPath: path) }
        try store.backup(to: name)
        try expect(SQLiteTool.run(path, "SELECT count(*) FROM care_person"), "5")
    }

    @Test func `an in-memory store can be copied to a file`() throws {
        let folder = try TemporaryStore()
        let store = try Store.inMemory()
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        try store.backup(to: copy(in: folder))
        try expect(
            SQLiteTool.run(copy(in: folder), "PRAGMA integrity_check; SELECT count(*) FROM care_person"), "ok\n5")
    }

    @Test func `an empty store can be copied`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        try store.backup(to: copy(in: file))
        try expect(SQLiteTool.run(copy(in: file), "PRAGMA application_id; PRAGMA integrity_check"), "1347371594\nok")
    }

    @Test(.onPlainFiles("an encrypted page has at least 4,096 bytes"), arguments: [512, 65536])
    func `databases of any page size are copied`(_ size: Int) throws {
        try withCareStore(.init(lostEdits: .ignore, pageSize: size)) { store, file throws in
            try store.backup(to: copy(in: file))
            try expect(SQLiteTool.run(copy(in: file), "PRAGMA page_size; PRAGMA integrity_check"), "\(size)\nok")
        }
    }

    @Test func `progress is reported in ascending order, up to the total`() throws {
        try withCareStore { store, file throws in
            try store.withSession { session throws in
                let person = CarePerson()
                person.photo = Data(repeating: 7, count: 5_000_000)
                try session.save(person)
            }
            var steps: [BackupProgress] = []
            try store.backup(to: copy(in: file)) { steps.append($0) }
            let last = try #require(steps.last)
            #expect(steps.count > 3)
            #expect(last.donePages == last.totalPages && last.fractionCompleted == 1)
            expect(steps.map(\.donePages), steps.map(\.donePages).sorted())
            #expect(steps[0].fractionCompleted < 0.1)
            try expect(String(last.totalPages), SQLiteTool.run(copy(in: file), "PRAGMA page_count"))
        }
    }

    private struct Enough: Error {}

    @Test func `an error thrown by the progress closure ends the backup and leaves no part of the copy`() throws {
        try withCareStore { store, file throws in
            let before = try names(in: file)
            #expect(throws: Enough.self) { try store.backup(to: copy(in: file)) { _ in throw Enough() } }
            #expect(throws: Enough.self) {
                try store.backup(to: copy(in: file)) { if $0.fractionCompleted == 1 { throw Enough() } }
            }
            #expect(try names(in: file) == before)
            // The store can still be used.
            try store.withSession { _ throws in #expect(try CarePerson.count() == 5) }
        }
    }

    @Test func `cancelling the task ends the backup and leaves no part of the copy`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(lostEdits: .ignore))
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        let before = try names(in: file)
        let path = copy(in: file)
        let task = Task {
            try await store.background.backup(to: path) { _ in
                // The cancellation takes effect at the next step.
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try names(in: file) == before)
    }

    @Test func `the asynchronous method makes the same copy and reports progress`() async throws {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(lostEdits: .ignore))
        defer { store.close() }
        try store.withSession { session in try CareModel.fill(session) }
        let steps = Recorder<BackupProgress>()
        try await store.background.backup(to: copy(in: file)) { steps.add($0) }
        expect(steps.all.last?.fractionCompleted, 1)
        try expect(SQLiteTool.run(copy(in: file), "SELECT count(*) FROM care_person"), "5")
    }

    @Test func `an existing file is kept unless replacing is true`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            _ = try SQLiteTool.run(path, "CREATE TABLE other (x)")
            let error = #expect(throws: StoreError.self) { try store.backup(to: path) }
            #expect(error?.code == .misuse && error?.message.contains("replacing: true") == true)
            #expect(try SQLiteTool.run(path, ".tables").contains("other"))
            try store.backup(to: path, replacing: true)
            #expect(try SQLiteTool.run(path, "SELECT count(*) FROM care_person") == "5")
            #expect(try names(in: file).filter { $0.hasPrefix("copy") } == ["copy.sqlite"])
        }
    }

    @Test func `a file that a store has open is not replaced, and neither is the store's file itself`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            let other = try Store(path)
            defer { other.close() }
            try other.withSession { session throws in
                let company = CareCompany()
                company.name = "Other"
                try session.save(company)
                let error = #expect(throws: StoreError.self) { try store.backup(to: path, replacing: true) }
                #expect(error?.code == .busy && error?.message.contains("in use") == true)
                #expect(try CareCompany.all().map(\.name) == ["Other"])
            }
            #expect(careCode { try store.backup(to: file.path, replacing: true) } == .misuse)
            let link = file.folder.appending(path: "link.sqlite").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file.path)
            #expect(careCode { try store.backup(to: link, replacing: true) } == .misuse)
            #expect(try file.sqlite("SELECT count(*) FROM care_person") == "5")
        }
    }

    @Test func `if the path is a symbolic link, its target is replaced and the link stays`() throws {
        try withCareStore { store, file in
            let link = file.folder.appending(path: "link.sqlite").path
            _ = try SQLiteTool.run(copy(in: file), "CREATE TABLE other (x)")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: copy(in: file))
            try store.backup(to: link, replacing: true)
            try expect(FileManager.default.destinationOfSymbolicLink(atPath: link), copy(in: file))
            try expect(SQLiteTool.run(copy(in: file), "SELECT count(*) FROM care_person"), "5")
        }
    }

    @Test func `a file that another process has open is not replaced`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            _ = try SQLiteTool.run(path, "PRAGMA journal_mode = WAL; CREATE TABLE other (x)")
            let process = try SQLiteProcess(path)
            try process.run("SELECT count(*) FROM other;")
            expect(careCode { try store.backup(to: path, replacing: true) }, .busy)
            try process.quit()
            try store.backup(to: path, replacing: true)
            try expect(SQLiteTool.run(path, "SELECT count(*) FROM care_person"), "5")
        }
    }

    @Test func `a log left by the replaced file does not become part of the copy`() throws {
        try withCareStore { store, file throws in
            let path = copy(in: file)
            // A log that was not checkpointed into its file, as a killed process leaves it.
            let source = file.folder.appending(path: "source.sqlite").path
            let process = try SQLiteProcess(source)
            try process.run("PRAGMA journal_mode = WAL; CREATE TABLE other (x); INSERT INTO other VALUES (1);")
            for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: source + end, toPath: path + end) }
            try process.quit()
            try store.backup(to: path, replacing: true)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
            try expect(SQLiteTool.run(path, "PRAGMA integrity_check; SELECT count(*) FROM care_person"), "ok\n5")
        }
    }

    @Test func `a backup is refused if a log without its database file exists at the path`() throws {
        try withCareStore { store, file throws in
            for end in ["-wal", "-journal"] {
                let left = copy(in: file) + end
                #expect(FileManager.default.createFile(atPath: left, contents: Data([1])))
                let error = #expect(throws: StoreError.self) { try store.backup(to: copy(in: file)) }
                #expect(error?.code == .misuse && error?.message.contains(left) == true)
                try FileManager.default.removeItem(atPath: left)
            }
        }
    }

    @Test func `invalid destinations are refused, and existing files stay`() throws {
        try withCareStore { store, file throws in
            let text = file.folder.appending(path: "text.txt").path
            try "hello, this is no database at all".write(toFile: text, atomically: false, encoding: .utf8)
            expect(careCode { try store.backup(to: text, replacing: true) }, .notADatabase)
            #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("hello"))
            expect(careCode { try store.backup(to: file.folder.path, replacing: true) }, .cannotOpen)
            expect(careCode { try store.backup(to: file.folder.path + "/none/copy.sqlite") }, .cannotOpen)
            expect(careCode { try store.backup(to: "") }, .cannotOpen)
            expect(careCode { try store.backup(to: ":memory:") }, .misuse)
            expect(careCode { try store.backup(to: "/dev/null", replacing: true) }, .cannotOpen)
        }
    }

    @Test(.enabled(if: FileAccess.canRemoveWriting, "the right to write cannot be taken away here"))
    func `a folder that is not writable is an error, and no part of the copy is left`() throws {
        try withCareStore { store, file throws in
            let folder = file.folder.appending(path: "locked")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let path = folder.appending(path: "copy.sqlite").path
            try FileAccess.withoutWriting(folder.path) {
                expect(careCode { try store.backup(to: path) }, .cannotOpen)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func `a closed store cannot be copied`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        store.close()
        expect(careCode { try store.backup(to: copy(in: file)) }, .sessionEnded)
    }

    @Test func `the store can be used in the progress closure`() throws {
        try withCareStore { store, file throws in
            var counts: [Int] = []
            try store.withSession { session throws in
                try store.backup(to: copy(in: file)) { _ in
                    let company = CareCompany()
                    company.name = "meanwhile"
                    try session.save(company)
                    counts.append(try CareCompany.count())
                }
            }
            try expect(#require(counts.first), 3)
            // Data committed after the backup began is not in the copy.
            try expect(SQLiteTool.run(copy(in: file), "SELECT count(*) FROM care_company"), "2")
        }
    }

    // Two tables whose rows belong together, to which two threads write continuously.

    private final class Account: PersistentObject {
        override class var tableName: String { "backup_account" }
        var balance = 0
    }

    private final class Booking: PersistentObject {
        override class var tableName: String { "backup_booking" }
        var amount = 0
        var filler = [UInt8](repeating: 0, count: 2000)
    }

    /// Books until `isDone` has an element, and returns the number of bookings.
    private static func book(_ id: Int64, in store: Store, _ begun: Recorder<Int64>, _ isDone: Recorder<Bool>) throws
        -> Int
    {
        var count = 0
        while isDone.all.isEmpty {
            try store.withSession { session in
                try session.transaction {
                    guard let account = try Account.find(id) else { return }
                    account.balance += 1
                    let booking = Booking()
                    booking.amount = 1
                    try session.save([account, booking])
                }
            }
            count += 1
            begun.add(id)
        }
        return count
    }

    @Test(arguments: [JournalMode.wal, .rollback])
    func `a copy taken while two threads write is consistent`(_ journal: JournalMode) throws {
        let file = try TemporaryStore()
        let store = try file.open(
            configuration: .init(durability: .relaxed, busyTimeout: .seconds(60), lostEdits: .ignore, journal: journal))
        defer { store.close() }
        try store.prepare(Account.self, Booking.self)
        try store.withSession { session in try session.save([Account(), Account()]) }
        let (isDone, begun, counts) = (Recorder<Bool>(), Recorder<Int64>(), Recorder<Result<Int, any Error>>())
        // Threads, because tasks that never suspend would leave no thread for the test.
        for id: Int64 in [1, 2] {
            Thread.detachNewThread { counts.add(Result { try Self.book(id, in: store, begun, isDone) }) }
        }
        while begun.all.count < 100 { Thread.sleep(forTimeInterval: 0.001) }
        let copies = (0..<3).map { copy(in: file) + "\($0)" }
        let copied = Result { for path in copies { try store.backup(to: path) } }
        isDone.add(true)
        while counts.all.count < 2 { Thread.sleep(forTimeInterval: 0.001) }
        try copied.get()
        let written = try counts.all.reduce(0) { try $0 + $1.get() }
        for path in copies {
            let answer = try SQLiteTool.run(
                path,
                """
                PRAGMA integrity_check; SELECT (SELECT sum(balance) FROM backup_account) = \
                (SELECT sum(amount) FROM backup_booking), (SELECT count(*) FROM backup_booking) >= 100
                """)
            expect(answer, "ok\n1|1")
        }
        try expect(file.sqlite("SELECT sum(balance) FROM backup_account"), "\(written)")
    }
}
