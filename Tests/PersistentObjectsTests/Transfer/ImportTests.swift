import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

struct ImportTests {
    /// Opens a store and calls `body` with a function that writes text to a file for the import.
    private static func withStore(_ body: (Store, (String) throws -> URL) throws -> Void) throws {
        try withTemporaryStore { store, file in
            let url = file.folder.appending(path: "in.jsonl")
            try body(store) { text in
                try Data(text.utf8).write(to: url)
                return url
            }
        }
    }

    /// Copies the export of one store into another, and compares the exports of both.
    private static func expectCopy(
        _ types: [PersistentObject.Type], _ format: TransferFormat, _ fill: (Session) throws -> Void
    ) throws {
        try withTemporaryStore { first, file in
            try first.withSession(fill)
            let (out, again) = (file.folder.appending(path: "a"), file.folder.appending(path: "b"))
            let count = try first.export(types, to: out, as: format)
            try withTemporaryStore { second, _ in
                let report = try second.import(types, from: out)
                #expect(report.count == count && report.skipped.isEmpty)
                try second.export(types, to: again, as: format)
            }
            try expect(Data(contentsOf: out), Data(contentsOf: again))
        }
    }

    @Test(.onSQLite("PostgreSQL has no columns for values of any kind"), arguments: [TransferFormat.jsonLines, .json])
    func `values of each type are equal after an export and an import`(format: TransferFormat) throws {
        var generator = SeededGenerator(seed: 11)
        let all = try (0..<60).map { _ in try Everything.filled(&generator).json }
        try ImportTests.expectCopy([Everything.self], format) { session in
            try session.save(try all.map { try Everything(json: $0) })
        }
    }

    @Test(arguments: SeededGenerator.seeds(12))
    func `graphs with cycles, forward references and subclasses survive an export and an import`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try ImportTests.expectCopy([Worker.self, Firm.self], seed % 2 == 0 ? .json : .jsonLines) { session in
            let firms = (0..<5).map { _ in Firm() }
            let workers = (0..<600).map { $0 % 3 == 0 ? Boss() : Worker() }
            for (index, worker) in workers.enumerated() {
                worker.name = "w\(index)"
                worker.firm = Bool.random(using: &generator) ? firms.randomElement(using: &generator) : nil
                worker.mate = workers.randomElement(using: &generator)
                worker.friends = (0..<3).compactMap { _ in workers.randomElement(using: &generator) }
                worker.desks = ["x": firms[0], "y": firms[index % 5]]
                (worker as? Boss)?.bonus = index
            }
            try session.save(workers)
            try session.delete(Array(workers.prefix(seed.isMultiple(of: 3) ? 0 : 7)))
        }
    }

    @Test func `in a store with rows, imported ids and references are offset`() throws {
        try ImportTests.withStore { store, file in
            try store.withSession { session throws in
                try session.save([Worker(), Worker(), Worker()])
                try session.save([Firm()])
            }
            let url = try file(
                #"""
                {"$class":"Worker","id":1,"name":"Joe","firm":5,"mate":2,"friends":[2,1]}
                {"$class":"Boss","id":2,"name":"Ann","bonus":3}
                {"$class":"Firm","id":5,"name":"Acme"}
                """#)
            let report = try store.import([Worker.self, Firm.self], from: url)
            #expect(report.converted == ["Worker": 1, "Boss": 1, "Firm": 1])
            try store.withSession { _ throws in
                let joe = try Worker.findOnlyBy.name("Joe")
                #expect(joe.id == 4 && joe.firm?.name == "Acme" && joe.firm?.id == 6)
                #expect(joe.mate is Boss && joe.friends == [joe.mate, joe])
                let next = Worker()
                try next.save()
                #expect(TestEngine.isPostgres || next.id == 6)
            }
            let error = try #require(throws: TransferError.self) {
                try store.import([Worker.self, Firm.self], from: url, ids: .kept)
            }
            #expect(error.line == 1 && error.className == "Worker", "\(error)")
            #expect(try store.withSession { _ in try Worker.count() } == 6)
        }
    }

    @Test func `objects without ids get new ids, and references refer to rows of the store`() throws {
        try ImportTests.withStore { store, file in
            try store.withSession { session throws in
                let acme = Firm()
                acme.name = "Acme"
                try session.save([Firm(), acme])
            }
            let url = try file("\u{FEFF}[{\"name\":\"Joe\",\"firm\":2},\r\n {\"name\":\"A]n\\\"n,\"}]\n")
            try expect(store.import(Worker.self, from: url).count, 2)
            try store.withSession { _ throws in
                try expect(Worker.query.order(by: \.name).all().map(\.name), ["A]n\"n,", "Joe"])
                try expect(Worker.findOnlyBy.name("Joe").firm?.name, "Acme")
            }
        }
    }

    @Test func `objects with keys update their rows with the named properties, and references use keys`() throws {
        try ImportTests.withStore { store, file in
            try store.withSession { session throws in
                let (iceland, norway) = (try Country(key: "IS"), try Country(key: "NO"))
                (iceland.name, norway.name) = ("Iceland", "Norway")
                iceland.neighbours = [norway]
                try session.save([iceland, norway])
            }
            let url = try file(
                #"""
                {"id":77,"key":"DK","name":"Denmark","neighbours":["SE","NO"],"ally":"SE"}
                {"key":"NO","ally":"DK","neighbours":["SE"]}
                {"key":"SE","name":"Sweden","ally":"SE"}
                {"key":"IS","name":"Ísland"}
                """#)
            let report = try store.import(Country.self, from: url)
            expect(report.converted, ["Country": 4])
            try store.withSession { _ throws in
                let all = try Country.all()
                let names = Dictionary(uniqueKeysWithValues: all.map { ($0.key ?? "", $0) })
                #expect(all.count == 4 && names["NO"]?.id == 2 && names["IS"]?.id == 1)
                #expect(names["NO"]?.name == "Norway" && names["NO"]?.ally === names["DK"])
                expect(names["NO"]?.neighbours.compactMap(\.key), ["SE"])
                #expect(names["IS"]?.name == "Ísland" && names["IS"]?.neighbours.compactMap(\.key) == ["NO"])
                #expect(names["DK"]?.ally === names["SE"] && names["SE"]?.ally === names["SE"])
                expect(Set(names["DK"]?.neighbours.compactMap(\.key) ?? []), ["NO", "SE"])
            }
            // A second import adds no objects.
            try expect(store.import(Country.self, from: url).count, 4)
            try expect(store.withSession { _ in try Country.count() }, 4)
        }
    }

    @Test(arguments: [
        (
            #"{"name":"a"}"# + "\n" + #"{"name":"b","agee":3}"#,
            "line 2: Worker: The class has no stored property \"agee\""
        ),
        (#"{"age":"x"}"#, "line 1: Worker.age: Expected an integer, not a string: \"x\""),
        ("\n\n{\"age\":1", "line 3: This is not valid JSON: expected a comma or } (byte 8 of the object)"),
        ("{}\n[1]", "line 2: Expected an object, not a list: [1]"), ("{}\n{}x", "line 2: This is not valid JSON"),
        ("[{}\n,{\"age\":{}}]", "line 2: Worker.age: Expected an integer, not an object: {}"),
        ("[{} {}]", "line 1: This is not valid JSON: unexpected characters after the value"),
        ("[{},]", "line 1: This is not valid JSON"),
        ("[{}", "line 1: The list is not terminated"), ("[", "line 1: The list is not terminated"),
        ("[{}]x", "line 1: Unexpected characters after the list"),
        (#"{"id":"7"}"#, "line 1: Worker.id: Expected an integer as the id: \"7\""),
        ("{\"id\":7}\n{}\n{\"id\":7}", "line 3: Worker"),
        (#"{"$class":"Firm"}"#, "line 1: The object's class must be named in the import"),
        ("{\"badge\":\"x\"}\n{\"badge\":\"x\"}\n{}", "line 2: Worker.badge: The value is already taken"),
        ("{}\n{\"id\":4,\"firm\":9}", "Worker.firm #4: The object refers to Firm #9, which is neither in the file nor"),
        ("{\"id\":4,\"friends\":[4,8]}", "Worker.friends #4: The object refers to Worker #8"),
        ("{\"id\":9223372036854775807}\n{}", "line 1: Worker.id: An id must be at most Int64.max - 1"),
        ("{\"id\":9223372036854775806}\n{}", "line 2: Worker: There are no ids left"),
    ])
    func `an error names the line, class and property, and nothing is imported`(
        text: String, words: String
    ) throws {
        try ImportTests.withStore { store, file in
            let error = try #require(throws: TransferError.self) {
                try store.import(Worker.self, from: try file(text))
            }
            #expect("\(error)".contains(words), "\(error)")
            #expect(try store.withSession { _ in try Worker.count() } == 0)
        }
    }

    @Test func `a reference to a missing key is reported with its line`() throws {
        try ImportTests.withStore { store, file in
            let url = try file("{\"key\":\"IS\"}\n{\"key\":\"NO\",\"ally\":\"XX\"}")
            let error = try #require(throws: TransferError.self) { try store.import(Country.self, from: url) }
            #expect("\(error)".hasPrefix("line 2: The object refers to Country with the key \"XX\""), "\(error)")
            #expect(try store.withSession { _ in try Country.count() } == 0)
        }
    }

    @Test func `an object that occurs twice becomes one row with the last values`() throws {
        try ImportTests.withStore { store, file in
            let url = try file(
                #"""
                {"key":"IS","name":"a","ally":"IS"}
                {"key":"NO","ally":"IS"}
                {"key":"IS","name":"b"}
                """#)
            #expect(try store.import(Country.self, from: url).count == 3)
            try store.withSession { _ throws in
                #expect(try Country.all().map(\.name) == ["b", ""])
                #expect(try Country.all().allSatisfy { $0.ally?.name == "b" })
            }
        }
    }

    @Test func `the key of a skipped object can occur again`() throws {
        try ImportTests.withStore { store, file in
            let url = try file(
                #"""
                {"key":"NO","name":3}
                {"key":"NO","name":"Norway","ally":"IS"}
                {"key":"","name":"none"}
                {"key":"IS"}
                """#)
            let report = try store.import(Country.self, from: url, onError: { _ in .skip })
            #expect(report.skipped.map(\.line) == [1, 3] && report.count == 2)
            expect(report.skipped.map(\.property), ["name", "key"])
            try store.withSession { _ throws in try expect(Country.find("NO")?.ally?.key, "IS") }
        }
    }

    @Test func `skipped objects are reported and leave no rows`() throws {
        try ImportTests.withStore { store, file in
            var lines: [String] = []
            for index in 0..<1000 {
                switch index {
                case 100: lines.append(#"{"age":"x"}"#)
                case 300: lines.append("{")
                case 700: lines.append(#"{"badge":"b5","friends":[5]}"#)
                default: lines.append("{\"id\":\(index + 1),\"badge\":\"b\(index)\",\"friends\":[1]}")
                }
            }
            var seen: [Int?] = []
            let report = try store.import(Worker.self, from: try file(lines.joined(separator: "\n"))) { _ in
            } onError: { error in
                seen.append(error.line)
                return .skip
            }
            #expect(report.count == 997 && seen == [101, 301, 701])
            expect(report.skipped.map(\.line), [101, 301, 701])
            try store.withSession { session throws in
                try expect(Worker.count(), 997)
                let rows = try session.rows("SELECT count(*) AS n FROM transfer_worker_friends")
                #expect(try rows[0].value("n") as Int == 997)
            }
            #expect(report.description.hasPrefix("converted: 997 Worker\nskipped: line 101: Worker.age: "))
        }
    }

    @Test func `a cancelled import leaves no rows`() throws {
        try ImportTests.withStore { store, file in
            let line = "{\"name\":\"\(String(repeating: "x", count: 100))\"}\n"
            let url = try file(String(repeating: line, count: 5000))
            var fractions: [Double] = []
            #expect(throws: CancellationError.self) {
                try store.import(Worker.self, from: url) { progress in
                    fractions.append(progress.fractionCompleted)
                    if progress.fractionCompleted > 0.5 { progress.cancel() }
                }
            }
            #expect(fractions == fractions.sorted() && fractions.count > 3 && fractions.count < 9)
            #expect(try store.withSession { _ in try Worker.count() } == 0)
            let progress = Progress(totalUnitCount: 1)
            try store.import(Worker.self, from: url, progress: progress)
            #expect(progress.fractionCompleted == 1)
            #expect(try store.withSession { _ in try Worker.count() } == 5000)
        }
    }

    @Test func `objects of other sessions are refreshed, and an import in a transaction throws`() throws {
        try ImportTests.withStore { store, file in
            let url = try file(#"{"key":"IS","name":"Ísland"}"#)
            try store.withSession { session throws in
                let iceland = try Country(key: "IS")
                try iceland.save()
                try store.import(Country.self, from: url)
                #expect(try Country.all() == [iceland] && iceland.name == "Ísland" && !iceland.hasChanges)
                // In a transaction, the import would deadlock.
                let error = try #require(throws: StoreError.self) {
                    try session.transaction { _ = try store.import(Country.self, from: url) }
                }
                #expect(error.code == .misuse)
            }
        }
    }

    @Test func `timestamps are read from the file, or set to the time of the import`() throws {
        try ImportTests.withStore { store, file in
            let url = try file(
                "{\"name\":\"a\",\"createdAt\":\"2020-01-01\",\"updatedAt\":\"2021-01-01\"}\n{\"name\":\"b\"}")
            let before = Date()
            try store.import(Dated.self, from: url)
            try store.withSession { _ throws in
                let (a, b) = (try Dated.findOnlyBy.name("a"), try Dated.findOnlyBy.name("b"))
                expect(a.createdAt, Date(timeIntervalSince1970: 1_577_836_800))
                expect(a.updatedAt, Date(timeIntervalSince1970: 1_609_459_200))
                let created = try #require(b.createdAt)
                #expect(created >= before && b.updatedAt >= before)
            }
        }
    }

    final class Dated: PersistentObject {
        override class var tableName: String { "transfer_dated" }
        var name = ""
        var createdAt: Date?
        var updatedAt = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test func `a line can be longer than the read buffer`() throws {
        try ImportTests.withStore { store, file in
            let long = String(repeating: "lang ", count: 300_000)
            for text in ["{\"name\":\"\(long)\"}\n{\"name\":\"b\"}", "[{\"name\":\"\(long)\"},{\"name\":\"b\"}]"] {
                try store.withSession { _ in _ = try Worker.deleteAll() }
                try expect(store.import(Worker.self, from: try file(text)).count, 2)
                try store.withSession { _ throws in try expect(Worker.first()?.name, long) }
            }
        }
    }

    @Test func `an empty file contains no objects, and a missing file throws`() throws {
        try ImportTests.withStore { store, file in
            try expect(store.import(Worker.self, from: try file("")).count, 0)
            try expect(store.import(Worker.self, from: try file(" \n\n")).count, 0)
            try expect(store.import(Worker.self, from: try file("[ ]")).count, 0)
            let missing = try file("").appendingPathExtension("x")
            #expect(throws: TransferError.self) { try store.import(Worker.self, from: missing) }
            #expect(throws: TransferError.self) { try store.import([], from: try file("{}")) }
        }
    }
}
