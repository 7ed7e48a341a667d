import Foundation
import PersistentObjects
import TestSupport
import Testing

/// SQLite has no checksums, so a damaged file may return wrong data. It must never cause a crash, a hang or an
/// untyped error.
@Suite struct BitFlipTests {
    private static let whole: Data? = {
        guard let file = try? TemporaryStore(), (try? file.fill(60)) != nil else { return nil }
        return try? file.contents
    }()

    /// Opens the store and runs typical operations.
    private func use(_ file: TemporaryStore) throws {
        let store = try file.open(configuration: .waiting(.milliseconds(100)))
        try store.withSession { session in
            let all = try Person.all()
            for person in all { _ = "\(person)" }
            _ = try Person.count()
            _ = try Person.findBy.lastName("Name 7")
            _ = try Person.find(30)
            if let first = all.first {
                first.age = 1
                try first.save()
            }
            try person("New").save()
            try session.delete(Array(all.suffix(3)))
        }
        _ = try store.checkIntegrity()
    }

    /// 300 seeds by default; set `PO_BIT_FLIPS=100000` for more.
    private static let part = (ProcessInfo.processInfo.environment["PO_BIT_FLIPS"].flatMap { UInt64($0) } ?? 300) / 10

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `a file with flipped bits returns data or a typed error`(_ part: UInt64) throws {
        let whole = try #require(Self.whole)
        let file = try TemporaryStore()
        for seed in part * Self.part..<(part + 1) * Self.part {
            var random = SeededGenerator(seed: seed)
            var data = whole
            for _ in 0..<Int.random(in: 1...64, using: &random) {
                // Half of the flips hit the first page, which holds the header and the schema.
                let end = Bool.random(using: &random) ? 4096 : data.count
                data[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            for end in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: file.path + end) }
            try file.write(data)
            do { try use(file) } catch {
                #expect(error is StoreError || error is SchemaError, "seed \(seed): \(error)")
            }
        }
    }

    @Test func `a file with one zeroed page returns data or a typed error`() throws {
        let whole = try #require(Self.whole)
        for page in 0..<whole.count / 4096 {
            let file = try TemporaryStore()
            var data = whole
            data.replaceSubrange(page * 4096..<page * 4096 + 4096, with: Data(repeating: 0, count: 4096))
            try file.write(data)
            do { try use(file) } catch {
                #expect(error is StoreError || error is SchemaError, "page \(page): \(error)")
            }
        }
    }

    @Test func `a damaged b-tree is detected and reported as damage`() throws {
        let file = try TemporaryStore()
        try file.fill(200)
        var data = try file.contents
        // The first byte of the table's root page is its page type, or any byte of an encrypted page.
        let root = try #require(Int(try file.sqlite("SELECT rootpage FROM sqlite_schema WHERE name = 'person'")))
        data[(root - 1) * 4096] ^= 0xff
        try file.write(data)
        let store = try file.open(configuration: .quiet)
        try store.withSession { _ throws in
            let error = try #require(throws: StoreError.self) { _ = try Person.all() }
            expect(error.code, TestEngine.isSealed ? .damaged : .corrupt)
            expect(error.className, "Person")
            #expect(error.message.contains(TestEngine.isSealed ? "were changed" : "may be damaged"))
        }
    }
}
