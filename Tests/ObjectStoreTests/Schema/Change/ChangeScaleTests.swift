import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Changes of many rows: a million with the environment variable `PO_SCHEMA_ROWS=1000000`.
struct ChangeScaleTests {
    enum Old {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name = ""
            var age = 0
            var tag = ""
        }
    }
    enum New {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var name: String?
            var age = ""
            var tag: [String] = []
            @Unique var token = UUID()
        }
    }

    private static let count =
        ProcessInfo.processInfo.environment["PO_SCHEMA_ROWS"].flatMap { Int($0) } ?? Scale.of(20_000)

    /// The resident memory of the process in bytes, or nil if the system does not report it.
    private static var memory: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return pages * 4096
    }

    @Test func `memory does not grow with the number of rows, and progress is reported`() throws {
        let file = try TemporaryStore()
        let first = try Store(file.path, configuration: .init(durability: .relaxed))
        let rows = """
            INSERT INTO person (name, age, tag) WITH RECURSIVE n (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n
            WHERE x < \(Self.count)) SELECT 'name ' || x, x % 100, 'tag ' || (x % 7) FROM n
            """
        try first.prepare(Old.Person.self)
        first.close()
        _ = try file.sqlite(rows)
        let store = try Store(file.path, configuration: .init(durability: .relaxed, cacheSize: 8 << 20))
        defer { store.close() }
        var sizes: [Int] = []
        var told = 0
        let start = ContinuousClock.now
        try store.prepare([New.Person.self]) { progress in
            told += 1
            #expect(progress.completedRows <= progress.totalRows)
            if let memory = Self.memory { sizes.append(memory) }
        }
        let time = ContinuousClock.now - start
        #expect(told > Self.count / 1000)
        // From the middle on, because the cache fills before.
        if let middle = sizes.dropFirst(sizes.count / 2).first, let last = sizes.last, Self.count >= 100_000 {
            #expect(last - middle < 64 << 20, "\(middle >> 20) MB to \(last >> 20) MB")
            print("\(Self.count) rows in \(time), from \(middle >> 20) MB to \(last >> 20) MB")
        }
        let wanted = "\(Self.count)|\(Self.count)|text|0"
        try expect(
            file.sqlite("SELECT count(*), count(DISTINCT token), typeof(max(age)), sum(name IS NULL) FROM person"),
            wanted)
        try expect(file.sqlite("SELECT count(*) FROM person_tag"), "\(Self.count)")
    }
}
