import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Archives of `NSKeyedArchiver` in columns of other programs.
struct KeyedArchiveTests {
    final class Holder: PersistentObject {
        override class var tableName: String { "archive_holder" }
        var texts: [String] = []
        var dates: [Date] = []
        var amounts: [Decimal] = []
        var blobs: [Data] = []
        var flags: [Bool] = []
        var members: [String: Int] = [:]
        var tree = Tree()
        var uuids: [UUID] = []
        var links: [URL] = []
        var reals: [Double] = []
    }

    struct Tree: Codable, Equatable {
        var name = ""
        var parts: [[String]] = []
        var rate: Double?
    }

    static func convert(_ columns: [String: Data]) throws -> (holder: Holder?, report: TransferReport) {
        try withTemporaryStore { store, file in
            let path = file.folder.appending(path: "old.sqlite3").path
            let names = columns.keys.sorted()
            _ = try SQLiteTool.run(
                path,
                """
                CREATE TABLE holder (pk INTEGER PRIMARY KEY, \(names.map { "\($0) BLOB" }.joined(separator: ", ")));
                INSERT INTO holder VALUES (1, \(names.map { LegacyFileTests.hex(columns[$0] ?? Data()) }.joined(separator: ", ")));
                """)
            let report = try store.importSQLitePersistentObject(from: path, Holder.self)
            return (try store.withSession { _ in try Holder.first() }, report)
        }
    }

    private static func archive(_ value: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    }

    @Test func `strings, numbers, dates, data and lists of them are converted`() throws {
        let long = (0..<300).map { "t\($0) é👩" }
        let date = Date(timeIntervalSinceReferenceDate: -0.125)
        let uuid = try #require(UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
        let (holder, report) = try KeyedArchiveTests.convert([
            "texts": try KeyedArchiveTests.archive(long),
            "dates": try KeyedArchiveTests.archive([date, Date.distantPast]),
            "amounts": try KeyedArchiveTests.archive(["12.25", "-0.1"]),
            "blobs": try KeyedArchiveTests.archive([Data(), Data([0, 255])]),
            "members": try KeyedArchiveTests.archive(["a": 1, "b": -70_000, "c": Int.max]),
            "tree": try KeyedArchiveTests.archive(["name": "x", "parts": [["a"], []], "rate": 0.1] as [String: Any]),
            "uuids": try KeyedArchiveTests.archive([uuid as NSUUID]),
            "reals": try KeyedArchiveTests.archive([0.1, 1e300, -2.5]),
            "links": try KeyedArchiveTests.archive([try #require(NSURL(string: "http://a.example/b"))]),
        ])
        #expect(report.leftOut.isEmpty, "\(report)")
        let it = try #require(holder)
        #expect(it.texts == long && it.dates == [date, .distantPast] && it.blobs == [Data(), Data([0, 255])])
        expect(it.amounts, [Decimal(1225) / 100, Decimal(-1) / 10])
        #expect(
            it.members == ["a": 1, "b": -70_000, "c": .max] && it.uuids == [uuid] && it.reals == [0.1, 1e300, -2.5])
        expect(it.tree, Tree(name: "x", parts: [["a"], []], rate: 0.1))
        expect(it.links.map(\.absoluteString), ["http://a.example/b"])
    }

    @Test func `archives with other classes are omitted, and these classes are never instantiated`() throws {
        let (holder, report) = try KeyedArchiveTests.convert([
            "texts": try KeyedArchiveTests.archive(NSIndexSet(index: 3)),
            "members": try KeyedArchiveTests.archive([1: 2]),
            "dates": Data("bplist00".utf8), "amounts": Data(),
        ])
        let texts = report.leftOut.map { "\($0)" }
        #expect(holder?.texts == [] && texts.count == 4, "\(texts)")
        #expect(
            texts.contains { $0.contains("Holder.texts: The archive contains the class NSIndexSet, but only strings") })
        #expect(
            texts.contains { $0.contains("Holder.members: The keys of the dictionary in the archive are not strings") })
        #expect(texts.contains { $0.contains("Holder.dates: The archive is damaged") })
    }

    @Test(arguments: SeededGenerator.seeds(10))
    func `a damaged archive is omitted or converted and does not end the import`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = try KeyedArchiveTests.archive(
            ["name": "x", "parts": [["a", "b"], ["c"]], "rate": 0.5] as [String: Any])
        for _ in 0..<20 {
            var columns: [String: Data] = [:]
            for name in ["texts", "tree", "members", "blobs", "dates"] {
                var bytes = [UInt8](whole)
                for _ in 0..<(1 + Int(generator.next() % 3)) {
                    bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
                }
                columns[name] = Data(bytes)
            }
            let (holder, report) = try KeyedArchiveTests.convert(columns)
            #expect(holder != nil && report.count == 1)
        }
    }
}
