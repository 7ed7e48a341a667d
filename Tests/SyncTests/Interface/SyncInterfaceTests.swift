#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import StoreEngine
    import Synchronization
    import TestSupport
    import Testing

    /// What programs use of synchronization, with stores in files.
    @Suite struct SyncInterfaceTests {
        @Test func `two stores show the same objects, and merge edits of one object`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group, lines: ["milk", "bread"])
            try await pair.meet()
            expect(try pair.titles(pair.bob), ["Shopping"])
            try pair.edit(pair.ann) { note in
                note.title = "Groceries"
                note.stars += 1
                note.tags.insert("home")
            }
            try pair.edit(pair.bob) { note in
                note.stars += 1
                note.tags.insert("food")
                note.lines.removeFirst()
            }
            try await pair.meet()
            for store in [pair.ann, pair.bob] {
                try store.withSession { _ in
                    let note = try #require(try SharedNote.all().first)
                    expect(note.title, "Groceries")
                    expect(note.stars, 2)
                    expect(note.tags, ["home", "food"])
                    expect(note.lines.map(\.text), ["bread"])
                }
            }
        }

        @Test func `an object is on this device only until it is added to a group`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.ann.withSession { _ in
                let note = SharedNote()
                #expect(throws: SyncError.self) { try group.add(note) }
                try note.save()
                expect(try pair.annSync.group(of: note)?.name, nil)
            }
            try await pair.meet()
            expect(try pair.titles(pair.bob), [])
            let error = #expect(throws: SyncError.self) {
                try pair.ann.withSession { _ in
                    let note = PrivateNote()
                    try note.save()
                    try group.add(note)
                }
            }
            expect(error?.code, .needsKey)
            try pair.ann.withSession { session in
                let note = try #require(try SharedNote.all().first)
                try? session.transaction {
                    try group.add(note)
                    throw CancellationError()
                }
                expect(try pair.annSync.group(of: note)?.name, nil)
                try group.add(note)
            }
            try await pair.meet()
            expect(try pair.titles(pair.bob), [""])
            try pair.bob.withSession { _ in
                let note = try #require(try SharedNote.all().first)
                expect(try pair.bobSync.group(of: note)?.name, "Family")
            }
        }

        @Test func `a conflict names both values, and the overwritten one can be restored`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group)
            try await pair.meet()
            try pair.edit(pair.ann) { $0.title = "Ann's" }
            try pair.edit(pair.bob) { $0.title = "Bob's" }
            // Ann's edit gets the earlier time.
            _ = try pair.annSync.waiting()
            // Clocks count milliseconds, and the device wins whose random name is greater if they are equal.
            try await Task.sleep(for: .milliseconds(5))
            _ = try await pair.bobSync.meet()
            let conflicts = try await pair.annSync.meet().conflicts
            let conflict = try #require(conflicts.first)
            expect(conflicts.count, 1)
            expect([conflict.className, conflict.property], ["SharedNote", "title"])
            expect(
                [conflict.mine, conflict.theirs].map { "\($0 ?? .null)" }, ["text(\"Ann\\'s\")", "text(\"Bob\\'s\")"])
            expect(conflict.rule, .lastWrite)
            expect(conflict.isMineShown, false)
            expect(try pair.titles(pair.ann), ["Bob's"])
            try conflict.restore()
            try await pair.meet()
            expect(try pair.titles(pair.ann) + pair.titles(pair.bob), ["Ann's", "Ann's"])
        }

        @Test func `handlers receive the ids of the objects that other devices changed`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            let seen = Seen()
            pair.bobSync.onChange(SharedNote.self) { inserted, updated, deleted in
                seen.add("\(inserted.count) \(updated.count) \(deleted.count)")
            }
            try pair.insert("Shopping", in: group)
            try await pair.meet()
            try pair.edit(pair.ann) { $0.title = "Groceries" }
            try await pair.meet()
            try pair.ann.withSession { _ in try SharedNote.all().forEach { try $0.delete() } }
            try await pair.meet()
            expect(seen.all, ["1 0 0", "0 1 0", "0 0 1"])
        }

        @Test func `leaving removes the objects from this device, and throws while some are unsent`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group)
            let error = await #expect(throws: SyncError.self) { try await group.leave() }
            expect(error?.code, .unsentChanges)
            expect(try pair.titles(pair.ann), ["Shopping"])
            try await pair.meet()
            let members = try await group.members
            expect(members.map { "\($0.name) \($0.isThisDevice)" }, ["Ann true", "Bob false"])
            try await group.leave()
            expect(try pair.titles(pair.ann) + pair.titles(pair.bob), ["Shopping"])
            expect(try pair.annSync.groups.count, 0)
            let left = try #require(try pair.bobSync.groups.first)
            expect(try await left.members.map(\.name), ["Bob"])
        }

        @Test func `started devices exchange a commit without being asked`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.annSync.start()
            try pair.bobSync.start()
            try pair.insert("Shopping", in: group)
            // Among thousands of other tests, each step of a round waits for its turn.
            while try pair.titles(pair.bob).isEmpty { try await Task.sleep(for: .milliseconds(100)) }
            expect(try pair.titles(pair.bob), ["Shopping"])
            pair.annSync.stop()
            pair.bobSync.stop()
        }

        @Test func `a backup that is restored takes part as a new device, and keeps its unsent edits`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group)
            try await pair.meet()
            let (file, backup) = (pair.folder.appendingPathComponent("Ann.sqlite").path, "\(pair.folder.path)/backup")
            try pair.ann.backup(to: backup)
            try pair.edit(pair.ann) { $0.title = "Groceries" }
            try await pair.meet()
            pair.ann.close()
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + ending) }
            try FileManager.default.moveItem(atPath: backup, toPath: file)
            let store = try Store(file)
            defer { store.close() }
            try store.prepare(SharedNote.self, SharedLine.self)
            try pair.edit(store) { $0.stars = 4 }
            let sync = try pair.sync(store, "Ann")
            try store.withSession { _ in
                let note = SharedNote()
                note.title = "Unsent"
                try note.save()
                try #require(try sync.groups.first).add(note)
            }
            for device in [sync, pair.bobSync, sync, pair.bobSync] { expect(try await device.meet().problems, []) }
            for store in [store, pair.bob] {
                try store.withSession { _ in
                    let notes = try SharedNote.all().sorted { $0.title < $1.title }
                    expect(notes.map(\.title), ["Groceries", "Unsent"])
                    expect(notes.map(\.stars), [4, 0])
                }
            }
            let members = try await #require(try pair.bobSync.groups.first).members
            expect(members.map(\.name), ["Ann", "Bob"])
        }

        @Test func `an unreachable folder is an error that names it, and nothing is lost`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("Shopping", in: group)
            let shared = pair.folder.appendingPathComponent("shared")
            let aside = pair.folder.appendingPathComponent("aside")
            try FileManager.default.moveItem(at: shared, to: aside)
            try Data().write(to: shared)
            let report = try await pair.annSync.meet()
            expect(report.problems.map(\.error.code), [.notReachable])
            expect(report.problems.map(\.group), ["Family"])
            expect(pair.annSync.problems.count, 1)
            try FileManager.default.removeItem(at: shared)
            try FileManager.default.moveItem(at: aside, to: shared)
            try await pair.meet()
            expect(try pair.titles(pair.bob), ["Shopping"])
            expect(pair.annSync.problems, [])
        }
    }

    private final class Seen: Sendable {
        private let list = Mutex<[String]>([])

        var all: [String] { list.withLock { $0 } }
        func add(_ text: String) { list.withLock { $0.append(text) } }
    }
#endif
