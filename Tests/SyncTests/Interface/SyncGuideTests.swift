#if Sync
    import Foundation
    import PersistentObjects
    import PersistentObjectsTesting
    import PersistentSync
    import Synchronization
    import TestSupport
    import Testing

    final class Memo: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var title = ""
        var tags: Set<String> = []
        @Merged(.counter) var stars = 0
    }

    final class DrawerTransport: SyncTransport {
        private let drawer = Mutex<[String: [UInt8]]>([:])

        func list(_ group: String, after cursor: String?) async throws -> SyncListing {
            let entries = drawer.withLock { $0.compactMap { SyncEntry(path: $0.key, size: $0.value.count) } }
            return SyncListing(entries.filter { $0.group == group })
        }

        func read(_ entry: SyncEntry, from offset: Int) async throws -> [UInt8] {
            guard let bytes = drawer.withLock({ $0[entry.path] }) else {
                throw SyncError(.notReachable, "The drawer has no \(entry.path)")
            }
            return Array(bytes.dropFirst(offset))
        }

        func write(_ entry: SyncEntry, _ bytes: [UInt8]) async throws {
            let kept = drawer.withLock { drawer in
                if drawer[entry.path] == nil { drawer[entry.path] = bytes }
                return drawer[entry.path]
            }
            if kept != bytes { throw SyncError(.clonedDevice, "The drawer has \(entry.path) with other bytes") }
        }

        func remove(_ entry: SyncEntry) async throws { drawer.withLock { $0[entry.path] = nil } }
    }

    /// The program of Docs/Sync.md. The tests of the other guides run without the trait.
    @Suite(.ownProcesses) struct SyncGuideTests {
        @Test func `the program of the guide prints what the guide shows`() async throws {
            let folder = try TemporaryStore()
            await #expect(processExitsWith: .success) {
                [folder = folder.folder.path(percentEncoded: false) as String] in
                try #require(chdir(folder) == 0)
                setenv("XDG_STATE_HOME", folder, 1)
                let printed = try await SyncGuideTests.runProgram()
                let shown = try SyncGuideTests.output()
                try #require(printed == shown, "\(printed)")
            }
        }

        @Test func `the transport of the guide satisfies the rules of transports, and devices meet through it`()
            async throws
        {
            let drawer = DrawerTransport()
            try await checkTransport(drawer)
            let keys = try TemporaryStore()
            let stores = try (0..<2).map { _ in try Store.inMemory() }
            for store in stores { try store.prepare(Memo.self) }
            let settings = Sync.Configuration(stateFolder: keys.folder)
            let devices = try stores.map { try Sync($0, through: drawer, device: "device", configuration: settings) }
            let group = try await devices[0].makeGroup("Family")
            try stores[0].withSession { _ in
                let memo = Memo()
                memo.title = "Shopping"
                try memo.save()
                try group.add(memo)
            }
            try await devices[0].meet()
            _ = try await devices[1].join(try await group.invitation())
            expect(try stores[1].withSession { _ in try Memo.all().map(\.title) }, ["Shopping"])
        }

        private static func runProgram() async throws -> [String] {
            var printed: [String] = []
            func print(_ title: String, _ tags: Set<String>, _ stars: Int) {
                printed.append("\(title) \(tags) \(stars)")
            }

            let folder = URL(filePath: "shared", directoryHint: .isDirectory)
            let (phone, laptop) = (try Store("phone.sqlite"), try Store("laptop.sqlite"))
            for store in [phone, laptop] { try store.prepare(Memo.self) }
            let phoneSync = try Sync(phone, through: .folder(folder), device: "Joe's phone")
            let laptopSync = try Sync(laptop, through: .folder(folder), device: "Joe's laptop")

            let family = try await phoneSync.makeGroup("Family")
            try phone.withSession { _ in
                let memo = Memo()
                memo.title = "Shopping"
                try memo.save()
                try family.add(memo)
            }
            try await phoneSync.meet()
            let code = try await family.invitation()

            _ = try await laptopSync.join(code)
            try laptop.withSession { _ in
                for memo in try Memo.all() {
                    memo.stars += 1
                    memo.tags.insert("home")
                    try memo.save()
                }
            }
            try phone.withSession { _ in
                for memo in try Memo.all() {
                    memo.stars += 1
                    memo.title = "Groceries"
                    try memo.save()
                }
            }

            for sync in [laptopSync, phoneSync, laptopSync] { try await sync.meet() }
            for store in [phone, laptop] {
                try store.withSession { _ in
                    for memo in try Memo.all() { print(memo.title, memo.tags, memo.stars) }
                }
            }
            return printed
        }

        /// The program of the README.
        @MainActor private static func runMemo(_ arguments: [String]) async throws -> [String] {
            var printed: [String] = []
            func print(_ value: some CustomStringConvertible) { printed.append(value.description) }

            let store = try Store.open("\(arguments[1]).sqlite")
            try store.prepare(Memo.self)
            let sync = try Sync(store, through: .folder(URL(filePath: "shared")), device: arguments[1])
            if arguments.count > 2 {
                _ = try await sync.join(arguments[2])
            } else {
                let family = try await sync.makeGroup("Family")
                let memo = Memo()
                memo.title = "Milk"
                try memo.setSyncGroup(family)
                try memo.save()
                print(try await family.invitation())
            }
            try await sync.meet()
            print(try Memo.all().map(\.title))
            return printed
        }

        @Test func `the program of the README shares a memo between two processes`() async throws {
            let place = try TemporaryStore()
            await #expect(processExitsWith: .success) {
                [folder = place.folder.path(percentEncoded: false) as String] in
                try #require(chdir(folder) == 0)
                setenv("XDG_STATE_HOME", folder, 1)
                let printed = try await SyncGuideTests.runMemo(["memo", "phone"])
                try #require(printed.count == 2 && printed[0].hasPrefix("PO1-") && printed[1] == #"["Milk"]"#)
                try printed[0].write(toFile: "invitation", atomically: true, encoding: .utf8)
            }
            await #expect(processExitsWith: .success) {
                [folder = place.folder.path(percentEncoded: false) as String] in
                try #require(chdir(folder) == 0)
                setenv("XDG_STATE_HOME", folder, 1)
                let invitation = try String(contentsOfFile: "invitation", encoding: .utf8)
                let printed = try await SyncGuideTests.runMemo(["memo", "laptop", invitation])
                try #require(printed == [#"["Milk"]"#], "\(printed)")
            }
        }

        private static func text(_ name: String) throws -> String {
            try String(contentsOf: SwiftCompiler.packageFolder.appending(path: name), encoding: .utf8)
        }

        private static func output() throws -> [String] {
            let start = try text("Docs/Sync.md").components(
                separatedBy: "It prints the same line for both stores:\n\n```text\n")
            return try #require(start.last).components(separatedBy: "\n```")[0].components(separatedBy: "\n")
        }

        @Test(arguments: [("Docs/Sync.md", 2), ("README.md", 1)])
        func `the test runs each line of the programs`(_ guide: String, _ count: Int) throws {
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            let blocks = try Self.text(guide).split(separator: /SyncGuideTests runs it.* -->\n```swift\n/).dropFirst()
            expect(blocks.count, count)
            for block in blocks {
                let program = (block.components(separatedBy: "\n```").first ?? "").split(separator: "\n")
                #expect(program.count > 20)
                for line in program where !line.hasPrefix("//") && line != "let arguments = CommandLine.arguments" {
                    let code = line.components(separatedBy: "  //")[0].trimmingCharacters(in: .whitespaces)
                    #expect(lines.contains(code), "\(line)")
                }
            }
        }
    }
#endif
