#if Sync
    import Foundation
    import PersistentObjects
    import PersistentSync
    import TestSupport
    import Testing

    final class SharedProject: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var name = ""
        @Inverse(\SharedTask.project, where: { !$0.isDone }, order: .by(\.title)) var open: [SharedTask]
    }

    final class SharedTask: PersistentObject {
        override class var identity: Identity { .uuid }
        override class var isSynced: Bool { true }
        var title = ""
        var isDone = false
        var project: SharedProject?
    }

    /// Objects in memory follow received batches as they follow the commits of other sessions.
    @Suite(.hangLimit) struct ReceivedObjectTests {
        private func insert(_ titles: [String], _ project: SharedProject, _ group: SyncGroup) throws {
            for title in titles {
                let task = SharedTask()
                (task.title, task.project) = (title, project)
                try task.setSyncGroup(group)
                try task.save()
            }
        }

        @Test @MainActor func `live queries and filtered inverses in memory follow a batch`() async throws {
            let pair = try StorePair()
            for store in [pair.ann, pair.bob] { try store.prepare(SharedProject.self, SharedTask.self) }
            let group = try await pair.makeGroup()
            try pair.ann.withSession { _ in
                let project = SharedProject()
                project.name = "House"
                try project.setSyncGroup(group)
                try project.save()
                try insert(["paint", "clean"], project, group)
            }
            try await pair.meet()
            try await pair.bob.withSession { _ in
                let project = try #require(try SharedProject.all().first)
                expect(project.open.map(\.title), ["clean", "paint"])
                let live = LiveQuery(SharedTask.where { $0.isDone })
                expect(live.results.count, 0)
                try pair.ann.withSession { _ in
                    let paint = try #require(try SharedTask.where { $0.title == "paint" }.first())
                    paint.isDone = true
                    try paint.save()
                    try insert(["mow"], #require(paint.project), group)
                }
                try await pair.meet()
                await wait { live.results.count == 1 }
                expect(live.results.map(\.title), ["paint"])
                expect(project.open.map(\.title), ["clean", "mow"])
            }
        }

        @Test func `unsaved edits of three sessions survive a batch, and none overwrites it`() async throws {
            let pair = try StorePair()
            let group = try await pair.makeGroup()
            try pair.insert("first", in: group)
            try await pair.meet()
            let sessions = try (0..<3).map { _ in try Session(pair.bob) }
            defer { for session in sessions { session.close() } }
            let notes = try sessions.map { session in
                try session.use { try #require(try SharedNote.all().first) }
            }
            notes[0].title = "mine"
            notes[1].tags = ["mine"]
            notes[2].stars += 1
            try pair.edit(pair.ann) { $0.title = "hers" }
            try await pair.meet()

            let error = try #require(throws: StoreError.self) { try sessions[0].use { try notes[0].save() } }
            expect(error.code, .staleObject)
            let conflict = try #require(error.conflicts.first)
            let values = [conflict.base, conflict.mine, conflict.theirs].map { $0.map { "\($0)" } }
            expect(values, ["first", "mine", "hers"])
            for number in 1...2 {
                try sessions[number].use { try notes[number].save() }
                expect(notes[number].title, "hers")
            }
            try sessions[0].use { try notes[0].save(.onConflict(.theirs)) }
            try await pair.meet()
            for store in [pair.ann, pair.bob] {
                try store.withSession { _ in
                    let note = try #require(try SharedNote.all().first)
                    expect([note.title] + note.tags, ["hers", "mine"])
                    expect(note.stars, 1)
                }
            }
        }
    }
#endif
