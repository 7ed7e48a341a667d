import Foundation
import PersistentTransfer
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

@Suite(.ownProcesses) struct DiskFullTests {
    /// Lets the file grow by at most this number of pages.
    private func limit(_ session: Session, toPagesMore more: Int?) throws {
        guard case .integer(let count)? = try session.connection.value(SQL("PRAGMA page_count")) else { return }
        let limit = more.map { Int(count) + $0 } ?? 1_000_000
        try session.connection.execute("PRAGMA max_page_count = \(number: limit)")
    }

    private let large = [UInt8](repeating: 1, count: 100_000)

    @Test func `an insert fails if the disk is full, and succeeds once there is space`() throws {
        try withTemporarySession(.quiet) { session, file in
            try person("before").save()
            try limit(session, toPagesMore: 2)
            let joe = person("Smith")
            joe.picture = large
            let error = try #require(throws: StoreError.self) { try joe.save() }
            expect(error.code, .diskFull)
            expect(error.className, "Person")
            expect(error.resultCode, 13)
            #expect(joe.isNew && joe.id == nil && joe.picture == large)
            #expect(!session.isInFileTransaction)
            try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "1\nok")
            try expect(Person.count(), 1)
            try limit(session, toPagesMore: nil)
            try joe.save()
            try expect(file.sqlite("SELECT id, length(picture) FROM person WHERE last_name = 'Smith'"), "2|100000")
        }
    }

    @Test func `an update fails if the disk is full, and succeeds once there is space`() throws {
        try withTemporarySession(.quiet) { session, file in
            let joe = person("Smith")
            try joe.save()
            try limit(session, toPagesMore: 2)
            joe.picture = large
            joe.age = 40
            expect(code(of: { try joe.save() }), .diskFull)
            expect(joe.changes.map(\.name).sorted(), ["age", "picture"])
            try expect(file.sqlite("SELECT age IS NULL, length(picture) FROM person"), "1|0")
            joe.picture = []
            try joe.save()
            try expect(file.sqlite("SELECT age, length(picture) FROM person"), "40|0")
            try limit(session, toPagesMore: nil)
            joe.picture = large
            try joe.save()
            #expect(!joe.hasChanges)
        }
    }

    @Test func `if the disk is full, a save of many objects saves none of them`() throws {
        try withTemporarySession(.quiet) { session, file in
            let old = person("old")
            try old.save()
            try limit(session, toPagesMore: 10)
            old.age = 1
            let new = (0..<2000).map { person("Name \($0) " + String(repeating: "x", count: 100)) }
            #expect(code(of: { try session.save([old] + new) }) == .diskFull)
            #expect(new.allSatisfy { $0.isNew })
            #expect(old.hasChanges)
            #expect(try file.sqlite("SELECT count(*), sum(age) FROM person") == "1|")
            try limit(session, toPagesMore: nil)
            try session.save([old] + new)
            #expect(try file.sqlite("SELECT count(*), sum(age) FROM person") == "2001|1")
            #expect(Set(new.map(\.id)).count == 2000)
        }
    }

    @Test func `creating a table fails if the disk is full, and succeeds once there is space`() throws {
        try withTemporarySession(.quiet) { session, file in
            try limit(session, toPagesMore: 0)
            expect(code(of: { try person("Smith").save() }), .diskFull)
            try expect(file.sqlite("SELECT count(*) FROM sqlite_schema"), "0")
            try limit(session, toPagesMore: nil)
            try person("Smith").save()
            try expect(file.peopleCount, 1)
        }
    }

    #if os(Linux)
        @Test func `a file size quota is reported as a full disk`() async throws {
            let file = try TemporaryStore()
            try file.fill(2)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                // A process that does not ignore the signal is killed by it.
                signal(SIGXFSZ, SIG_IGN)
                var quota = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
                expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &quota), 0)
                let store = try Store(path, configuration: .quiet)
                try store.withSession { _ throws in
                    let joe = person("Smith")
                    joe.picture = [UInt8](repeating: 1, count: 200_000)
                    let error = try #require(throws: StoreError.self) { try joe.save() }
                    expect(error.code, .diskFull, "\(error)")
                    #expect(joe.isNew)
                    joe.picture = []
                    try joe.save()
                }
            }
            try expect(file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check"), "3\nok")
        }

        @Test func `a log that cannot grow is restarted from its beginning`() async throws {
            let file = try TemporaryStore()
            try file.open(configuration: .quiet).withSession { session throws in
                try session.save(
                    (0..<50).map { number in
                        let joe = person("\(number)")
                        joe.picture = [UInt8](repeating: 1, count: 20_000)
                        return joe
                    })
            }
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                // The file has a megabyte, and so has the log after fifty of the updates.
                var quota = rlimit(rlim_cur: 1_100_000, rlim_max: 1_100_000)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &quota) == 0)
                try Store(path, configuration: .quiet).withSession { session throws in
                    let people = try Person.all()
                    for round in 2..<5 {
                        for joe in people {
                            joe.picture = [UInt8](repeating: UInt8(round), count: 20_000)
                            try joe.save()
                        }
                    }
                    // The library does not retry an explicit transaction, but the next attempt has space.
                    func change(_ value: UInt8) throws {
                        try session.transaction {
                            for joe in people.prefix(40) {
                                joe.picture = [UInt8](repeating: value, count: 20_000)
                                try joe.save()
                            }
                        }
                    }
                    for value in 5..<10 as Range<UInt8> {
                        do { try change(value) } catch let error as StoreError where error.code == .diskFull {
                            try change(value)
                        }
                    }
                    try session.delete(people)
                    #expect(try Person.count() == 0)
                }
            }
            #expect(try file.sqlite("SELECT count(*) FROM person; PRAGMA integrity_check") == "0\nok")
        }

        @Test func `opening without space for the log is a full disk, and succeeds once there is space`() async throws {
            let file = try TemporaryStore()
            try file.fill(2)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                var quota = rlimit(rlim_cur: 10_000, rlim_max: 1 << 40)
                expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &quota), 0)
                let error = try #require(throws: StoreError.self) { _ = try Store(path, configuration: .quiet) }
                expect(error.code, .diskFull, "\(error)")
                #expect(error.message.contains(path))
                quota.rlim_cur = 1 << 40
                expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &quota), 0)
                try Store(path, configuration: .quiet).withSession { _ throws in try expect(Person.count(), 2) }
            }
        }

        @Test func `an export without space is a full disk, and leaves no file`() async throws {
            let file = try TemporaryStore()
            try file.fill(5000)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                signal(SIGXFSZ, SIG_IGN)
                let store = try Store(path, configuration: .quiet)
                let folder = URL(filePath: path).deletingLastPathComponent().appending(path: "out")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                var quota = rlimit(rlim_cur: 100_000, rlim_max: 1 << 40)
                expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &quota), 0)
                for format in [TransferFormat.jsonLines, .json, .csv] {
                    let error = try #require(throws: StoreError.self) {
                        try store.export(Person.self, to: folder.appending(path: "a"), as: format)
                    }
                    expect(error.code, .diskFull, "\(error)")
                }
                try expect(FileManager.default.contentsOfDirectory(atPath: folder.path), [])
            }
        }
    #endif
}
