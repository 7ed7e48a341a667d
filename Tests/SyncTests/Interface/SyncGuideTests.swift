#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class Memo: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var title = ""
        var tags: Set<String> = []
        @Merged(.counter) var stars = 0
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

        private static var guide: String {
            get throws {
                try String(contentsOf: SwiftCompiler.packageFolder.appending(path: "Docs/Sync.md"), encoding: .utf8)
            }
        }

        private static func output() throws -> [String] {
            let start = try guide.components(separatedBy: "It prints the same line for both stores:\n\n```text\n")
            return try #require(start.last).components(separatedBy: "\n```")[0].components(separatedBy: "\n")
        }

        @Test func `the test runs each line of the guide's program`() throws {
            let source = try String(contentsOfFile: #filePath, encoding: .utf8)
            let lines = Set(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
            let blocks = try Self.guide.components(separatedBy: "SyncGuideTests runs it -->\n```swift\n").dropFirst()
            expect(blocks.count, 1)
            for block in blocks {
                let program = block.components(separatedBy: "\n```")[0].split(separator: "\n")
                #expect(program.count > 40)
                for line in program where !line.hasPrefix("//") {
                    #expect(lines.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
                }
            }
        }
    }
#endif
