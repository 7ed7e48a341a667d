import Foundation
import PersistentObjects
import TestSupport
import Testing

@Suite struct DamagedFileTests {
    private func error(opening file: TemporaryStore) throws -> StoreError {
        try #require(throws: StoreError.self) {
            // The damage must be detected when the store opens.
            try file.open(configuration: .quiet)
        }
    }

    @Test(arguments: [
        "This is a letter to my aunt, and she is no database either. Not at all.", "x", "SQLite format 4\0", "\0", "\n",
    ])
    func `a text file is rejected and not changed`(_ text: String) throws {
        let file = try TemporaryStore()
        for data in [Data(text.utf8), Data(text.utf8) + Data(repeating: 0x20, count: 5000)] {
            try file.write(data)
            try expect(error(opening: file).code, .notADatabase)
            try expect(file.contents, data)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [10, 99, 100, 512, 4096, 40_000])
    func `a file of random bytes is rejected and not changed`(_ seed: UInt64, _ count: Int) throws {
        var random = SeededGenerator(seed: seed)
        let file = try TemporaryStore()
        let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
        try file.write(data)
        try expect(error(opening: file).code, .notADatabase)
        try expect(file.contents, data)
    }

    @Test func `a valid magic string does not make a database`() throws {
        let file = try TemporaryStore()
        try file.write(Data("SQLite format 3\0".utf8) + Data(repeating: 0xaa, count: 8000))
        let error = try error(opening: file)
        #expect([.notADatabase, .corrupt].contains(error.code))
    }

    enum Cut: CustomTestStringConvertible {
        case at(Int), half, lastByte, lastPage

        var testDescription: String { "\(self)" }

        func size(of whole: Int) -> Int {
            switch self {
            case .at(let size): size
            case .half: whole / 2
            case .lastByte: whole - 1
            case .lastPage: whole - 4096
            }
        }
    }

    @Test(arguments: [
        Cut.at(1), .at(15), .at(16), .at(17), .at(50), .at(99), .at(100), .at(512), .at(4095), .at(4096), .half,
        .lastPage,
        .lastByte,
    ])
    func `a truncated file is rejected at open and not changed`(_ cut: Cut) throws {
        let file = try TemporaryStore()
        try file.fill(300)
        let whole = try file.contents
        try #require(whole.count > 5 * 4096)
        let data = whole.prefix(cut.size(of: whole.count))
        try file.write(data)
        let error = try error(opening: file)
        // Less than the first page of an encrypted file cannot be decrypted.
        let isPart = TestEngine.isSealed && (20..<4096).contains(data.count)
        expect(error.code, isPart ? .damaged : .corrupt)
        #expect(error.message.contains(isPart ? "were changed" : "truncated"))
        #expect(error.message.contains(file.path))
        try expect(file.contents, data)
    }

    @Test func `a file with extra bytes after its end opens`() throws {
        let file = try TemporaryStore()
        try file.fill(20)
        try file.write(try file.contents + Data(repeating: 0, count: 4096))
        try file.open(configuration: .quiet).withSession { _ throws in try expect(Person.count(), 20) }
    }

    /// The files of a process that was interrupted: a database file and its log.
    private func leftBehind(_ change: (inout Data) -> Void) throws -> TemporaryStore {
        let source = try TemporaryStore()
        let copy = try TemporaryStore()
        let store = try source.open(configuration: .quiet)
        try store.withSession { session throws in
            try session.save((0..<100).map { person("Name \($0)") })
            var data = try source.contents
            change(&data)
            try copy.write(data)
            try FileManager.default.copyItem(atPath: source.path + "-wal", toPath: copy.path + "-wal")
        }
        return copy
    }

    @Test func `a file whose pages are still in the log opens with all of them`() throws {
        let file = try leftBehind { _ in }
        try file.open(configuration: .quiet).withSession { _ throws in try expect(Person.count(), 100) }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `a file shorter than its header states is accepted if a log is present`() throws {
        // The power failed while the log was being copied into the file: only page 1 was written.
        let file = try leftBehind { data in data.replaceSubrange(28..<32, with: [0, 0, 0, 50]) }
        try file.open(configuration: .quiet).withSession { _ throws in try expect(Person.count(), 100) }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test(arguments: [0, 40, 99, 4096])
    func `a first page torn by a power failure is restored from the log`(
        _ size: Int
    ) throws {
        let file = try leftBehind { data in
            data.replaceSubrange(0..<512, with: Data(repeating: 0x7e, count: 512))
            if size > 0 { data = data.prefix(size) }
        }
        try file.open(configuration: .quiet).withSession { _ throws in try expect(Person.count(), 100) }
        try expect(file.sqlite("PRAGMA integrity_check"), "ok")
    }

    @Test func `a text file is rejected even if a log or journal is present`() throws {
        let file = try TemporaryStore()
        let letter =
            Data("This is a letter to my aunt, and she is no database either.".utf8)
            + Data(repeating: 0x20, count: 200)
        for suffix in ["-wal", "-journal"] {
            try file.write(letter)
            try letter.write(to: URL(filePath: file.path + suffix))
            try expect(error(opening: file).code, .notADatabase)
            try expect(file.contents, letter)
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }

    @Test func `a log of another file is ignored`() throws {
        let file = try TemporaryStore()
        try file.fill(5)
        try Data(repeating: 7, count: 9000).write(to: URL(filePath: file.path + "-wal"))
        try file.open(configuration: .quiet).withSession { _ throws in try expect(Person.count(), 5) }
    }
}
