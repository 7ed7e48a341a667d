#if PostgreSQL
    import Foundation
    import TestSupport
    import Testing

    @testable import PersistentObjects
    @testable import PersistentTransfer

    /// Copies between files and servers.
    @Suite(.onSQLite("one of the stores is a file, the other is on a server")) struct ServerCopyTests {
        private struct Stop: Error {}

        private final class Counter {
            var value = 0
        }

        private func withStores(_ body: (Store, Store, PostgresDatabase, TemporaryStore) throws -> Void) throws {
            let database = try PostgresDatabase()
            let server = try Store(.postgres(database.address()))
            defer { server.close() }
            try withTemporaryStore { file, place in try body(file, server, database, place) }
        }

        private func problems(_ body: () throws -> Void) -> String {
            do { try body() } catch { return "\(error)" }
            return "none"
        }

        /// Copies with small parts.
        private func copy(
            _ source: Store, _ target: Store, part: Int,
            _ report: @escaping (TransferProgress) throws -> Void = { _ in }
        ) throws {
            try source.withSession { source in
                try target.withSession { target in
                    _ = try StoreCopy(source, target, leaving: [], partSize: part, report).run(CopiedShop.classes)
                }
            }
        }

        /// Copies until a number of parts, of one class or of all, are written; true if the copy was not complete then.
        private func stops(
            _ source: Store, _ target: Store, part: Int = 10_000, after count: Int, of name: String? = nil
        ) throws -> Bool {
            let counter = Counter()
            do {
                try copy(source, target, part: part) { progress in
                    guard progress.compared == 0, name == nil || name == progress.className else { return }
                    counter.value += 1
                    if counter.value == count { throw Stop() }
                }
                return false
            } catch is Stop { return true }
        }

        @Test func `ten classes are equal on a server, and in a file to which they are copied back`() throws {
            try withStores { file, server, _, _ in
                try file.withSession { try CopiedShop.fill($0, 5) }
                let count = try file.copy(CopiedShop.classes, to: server)
                let contents = try CopiedShop.contents(file)
                expect(try CopiedShop.contents(server), contents)
                try withTemporaryStore { back, place in
                    expect(try server.copy(CopiedShop.classes, to: back), count)
                    expect(try CopiedShop.contents(back), contents)
                    try withTemporaryStore { again, _ in
                        expect(try back.copy(CopiedShop.classes, to: again), count)
                        expect(try CopiedShop.contents(again), contents)
                    }
                    expect(try place.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'po_copy'"), "0")
                }
                // New ids follow, references are checked again, and a second copy is refused.
                let highest = try file.withSession { _ in try CopiedPerson.all().compactMap(\.id).max() ?? 0 }
                try server.withSession { _ in
                    let person = CopiedPerson()
                    try person.save()
                    #expect((person.id ?? 0) > highest)
                    try CopiedPerson.query.first()?.delete()
                }
                let refused = problems { try file.copy(CopiedShop.classes, to: server) }
                #expect(refused.hasPrefix("CopiedCompany: The target contains objects of this class"))
                let report = try server.checkIntegrity()
                #expect(report.isSound, "\(report)")
            }
        }

        /// The program of the guide, after it has opened the stores.
        private func run(_ classes: [PersistentObject.Type], _ file: Store, _ server: Store) throws -> [String] {
            var printed: [String] = []
            func print(_ parts: Any...) { printed.append(parts.map { "\($0)" }.joined(separator: " ")) }
            do {
                let count = try file.copy(classes, to: server) { progress in
                    print(progress.className, Int(100 * progress.fractionCompleted), "%")
                }
                print("copied \(count) objects")
            } catch let error as CopyError {
                for problem in error.problems { print(problem) }
            }
            return printed
        }

        @Test func `the program of the guide works`() throws {
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            var folder = URL(filePath: #filePath)
            while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path + "/Docs/PostgreSQL.md") {
                folder.deleteLastPathComponent()
            }
            let guide = try String(contentsOf: folder.appending(path: "Docs/PostgreSQL.md"), encoding: .utf8)
            let block = try #require(guide.components(separatedBy: "```swift\n").first { $0.contains("file.copy(") })
            let program = try #require(
                block.components(separatedBy: "\ndo {").last?.components(separatedBy: "```").first)
            for line in program.split(separator: "\n") {
                #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
            }
            try withStores { file, server, _, _ in
                try file.withSession { _ in try CopiedVisit().save() }
                // The class refers to other classes.
                #expect(try run([CopiedVisit.self], file, server).count > 1)
                try expect(run(CopiedShop.classes, file, server).last, "copied 1 objects")
            }
        }

        @Test func `a copy that ends at random parts is continued each time`() throws {
            try withStores { file, server, database, _ in
                try file.withSession { try CopiedShop.fill($0, 7) }
                let contents = try CopiedShop.contents(file)
                try withTemporaryStore { back, _ in
                    for (source, target) in [(file, server), (server, back)] {
                        var random = SeededGenerator(seed: 1)
                        let counter = Counter()
                        while try stops(source, target, part: 7, after: Int.random(in: 1...12, using: &random)) {
                            counter.value += 1
                        }
                        #expect(counter.value >= 5)
                        expect(try CopiedShop.contents(target), contents)
                    }
                }
                expect(try database.psql("SELECT count(*) FROM pg_class WHERE relname = 'po_copy'"), "0")
            }
        }

        /// Copies a file to a server, and kills the process some milliseconds after the first part.
        private static func copy(_ path: String, to address: String, endingAfter delay: Int) throws {
            // The server may still be ending what the last process began.
            let configuration = Store.Configuration(busyTimeout: .seconds(600))
            let (file, server) = (try Store(path), try Store(.postgres(address), configuration: configuration))
            let counter = Counter()
            try file.withSession { source in
                try server.withSession { target in
                    let copy = StoreCopy(source, target, leaving: [], partSize: 5) { _ in
                        counter.value += 1
                        guard counter.value == 1 else { return }
                        Thread.detachNewThread {
                            usleep(UInt32(delay * 1000))
                            kill(getpid(), SIGKILL)
                        }
                    }
                    // A copy that was faster than the signal cannot be made again.
                    do { _ = try copy.run(CopiedShop.classes) } catch is CopyError {}
                }
            }
        }

        @Test(.ownProcesses) func `a process that is killed at random moments continues its copy`() async throws {
            let database = try PostgresDatabase()
            let place = try TemporaryStore()
            let file = try place.open()
            try file.withSession { try CopiedShop.fill($0, 9) }
            let contents = try CopiedShop.contents(file)
            file.close()
            var random = SeededGenerator(seed: 3)
            let (path, address) = (place.path, database.address())
            for _ in 0..<(Scale.isFull ? 20 : 3) {
                let delay = Int.random(in: 0...40, using: &random)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, address = address as String, delay = delay as Int] in
                    do { try Self.copy(path, to: address, endingAfter: delay) } catch {
                        try? "\(error)".write(toFile: path + ".error", atomically: true, encoding: .utf8)
                    }
                    kill(getpid(), SIGKILL)
                }
            }
            #expect((try? String(contentsOfFile: path + ".error", encoding: .utf8)) == nil)
            let (source, server) = (try Store(path), try Store(.postgres(address)))
            let isUnfinished = try database.psql("SELECT count(*) FROM pg_class WHERE relname = 'po_copy'") == "1"
            if isUnfinished { try copy(source, server, part: 5) }
            expect(try CopiedShop.contents(server), contents)
            source.close()
            server.close()
        }

        @Test func `the copy has the state at which it began`() throws {
            try withStores { file, server, _, place in
                try file.withSession { try CopiedShop.fill($0, 11) }
                let contents = try CopiedShop.contents(file)
                let counter = Counter()
                try copy(file, server, part: 10) { _ in
                    counter.value += 1
                    guard counter.value % 5 == 0 else { return }
                    _ = try place.sqlite(
                        "UPDATE copied_person SET name = 'changed'; INSERT INTO copied_account (code, balance) "
                            + "VALUES ('new \(counter.value)', 1)")
                }
                expect(try CopiedShop.contents(server), contents)
            }
        }

        @Test func `a continued copy notices that the source has changed`() throws {
            try withStores { file, server, _, place in
                try file.withSession { try CopiedShop.fill($0, 11) }
                expect(try stops(file, server, part: 10, after: 3, of: "CopiedPerson"), true)
                _ = try place.sqlite("UPDATE copied_person SET name = 'late' WHERE id = 3")
                let found = problems { try copy(file, server, part: 10) }
                expect(
                    found,
                    "CopiedPerson #3: The object differs in the two stores. The source was written to after this part "
                        + "was copied, or the target was. Empty the target and copy again")
            }
        }

        private func history(_ store: Store) throws -> [String] {
            try store.withSession { _ in
                try HistoryEntry.query.order(by: \.id).all().map { entry in
                    let values = entry.values.map { "\($0.column) \($0.old as Any) \($0.new as Any)" }.sorted()
                    let elements = entry.elements.sorted { ($0.id ?? 0) < ($1.id ?? 0) }.map {
                        "\($0.table) \($0.change) \($0.key as Any) \($0.old as Any) \($0.new as Any)"
                    }
                    return "\(entry.id ?? 0) \(entry.table) \(entry.object) \(entry.change) \(entry.date) "
                        + "\(entry.author ?? "nil") \(values) \(elements)"
                }
            }
        }

        @Test func `a history is copied both ways, and continued`() throws {
            try withStores { file, server, _, _ in
                try file.withSession { session in
                    session.author = "ann"
                    for number in 0..<6 {
                        let diary = CopiedDiary()
                        (diary.title, diary.tags, diary.pages) = ("d\(number)", ["a", "b"], ["x", "y"])
                        try diary.save()
                        (diary.mood, diary.price) = (Double(number) / 4, Decimal(string: "0.10") ?? 0)
                        diary.tags = ["b", "c\(number)"]
                        diary.pages.insert("z", at: 1)
                        try diary.save()
                        if number == 3 { try diary.delete() }
                    }
                }
                let before = try history(file)
                #expect(before.count >= 13)
                try file.copy([CopiedDiary.self], to: server)
                expect(try history(server), before)
                try withTemporaryStore { back, _ in
                    try server.copy([CopiedDiary.self], to: back)
                    expect(try history(back), before)
                    for store in [server, back] {
                        try store.withSession { _ in
                            let diary: CopiedDiary = try CopiedDiary.findOnlyBy.title("d1")
                            diary.title = "later"
                            try diary.save()
                            try CopiedDiary().save()
                        }
                        let after = try history(store)
                        expect(Array(after.prefix(before.count)), before)
                        expect(after.count, before.count + 2)
                        #expect(after.last?.contains("created") == true)
                    }
                }
            }
        }

        @Test func `collections and objects that are longer than a part are continued in the middle`() throws {
            try withStores { file, server, _, _ in
                try file.withSession { session in
                    let person = CopiedPerson()
                    person.scores = (0..<5000).map { Double($0) }
                    person.photo = Data(repeating: 7, count: 9 << 20)
                    try person.save()
                    try session.save((0..<5).map { _ in CopiedPerson() })
                }
                let contents = try CopiedShop.contents(file)
                let counter = Counter()
                while try stops(file, server, part: 2100, after: 2, of: "CopiedPerson") { counter.value += 1 }
                #expect(counter.value >= 2)
                expect(try CopiedShop.contents(server), contents)
            }
        }

        @Test func `classes that are missing from the list are named before anything is written`() throws {
            try withStores { file, server, database, _ in
                try file.withSession { try CopiedShop.fill($0, 13) }
                let missing = problems { try file.copy([CopiedNote.self, CopiedPerson.self], to: server) }
                #expect(
                    missing.contains("CopiedPerson.employer: The property refers to CopiedCompany, which is not copied")
                )
                #expect(
                    missing.contains(
                        "CopiedTool: The store contains this class, which the copy does not list. List it, or pass "
                            + "leaving: [\"CopiedTool\"]"))
                #expect(
                    problems { try file.copy([CopiedChief.self], to: server) }.contains(
                        "CopiedChief: The class shares the table of CopiedPerson. List CopiedPerson"))
                expect(try database.psql("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'copied%'"), "0")
                let names = CopiedShop.classes.map { "\($0)" }.filter { $0 != "CopiedAccount" }
                expect(try file.copy([CopiedAccount.self], to: server, leaving: Set(names + ["CopiedChief"])), 5)
            }
        }

        @Test func `values that the server cannot store are all named before anything is written`() throws {
            try withStores { file, server, database, place in
                try file.withSession { _ in
                    for number in 0..<4 {
                        let person = CopiedPerson()
                        person.name = number % 2 == 0 ? "a\0b" : "ab"
                        person.tags = number == 3 ? ["x", "y\0"] : ["z"]
                        try person.save()
                    }
                }
                _ = try place.sqliteWithoutForeignKeys("UPDATE copied_person SET employer_id = 77 WHERE id = 4")
                let problem =
                    "The string contains a NUL character, which PostgreSQL cannot store. Change the value"
                let found = problems { try file.copy(CopiedShop.classes, to: server) }
                expect(
                    found.split(separator: "\n").map(String.init).sorted(),
                    [
                        "CopiedPerson.employer #4: The reference points to a row that does not exist. Set it to nil",
                        "CopiedPerson.name #1: \(problem)", "CopiedPerson.name #3: \(problem)",
                        "CopiedPerson.tags #4: \(problem)",
                    ])
                expect(try database.psql("SELECT count(*) FROM pg_tables WHERE tablename LIKE 'copied%'"), "0")
            }
        }

        @Test func `a damaged string is named, and the copy is continued after it is repaired`() throws {
            try withStores { file, server, _, place in
                try file.withSession { _ in
                    for name in ["a", "é"] {
                        let person = CopiedPerson()
                        person.name = name
                        try person.save()
                    }
                }
                _ = try place.sqlite("UPDATE copied_person SET name = CAST(x'61C3' AS TEXT) WHERE id = 2")
                let error = #expect(throws: StoreError.self) { try file.copy(CopiedShop.classes, to: server) }
                expect(error?.code, .typeMismatch)
                expect(error?.className, "CopiedPerson")
                expect(error?.property, "name")
                expect(error?.rowID, 2)
                _ = try place.sqlite("UPDATE copied_person SET name = 'ß' WHERE id = 2")
                expect(try file.copy(CopiedShop.classes, to: server), 2)
                expect(try CopiedShop.contents(server), try CopiedShop.contents(file))
            }
        }
    }
#endif
