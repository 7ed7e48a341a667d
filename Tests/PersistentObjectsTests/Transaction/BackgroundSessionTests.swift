import Foundation
import PersistentObjects
import TestSupport
import Testing

/// `perform` runs in a session of its own, which `Store.session()` returns there.
struct BackgroundSessionTests {
    final class Job: PersistentObject {
        override class var tableName: String { "background_job" }
        var title = ""
    }

    @Test func `Store session is the session of perform, with all that a session offers`() async throws {
        let file = try TemporaryStore()
        let store = try file.open()
        defer { store.close() }
        let called = Recorder<String>()
        let titles = try await store.perform { session in
            let same = try Store.session()
            same.conflictPolicy = .mine
            let job = Job()
            job.title = "one"
            try session.transaction {
                try job.save()
                #expect(same.isInTransaction)
                same.afterCommit { called.add("committed") }
            }
            #expect(called.take() == ["committed"])
            return try Job.all().map(\.title)
        }
        #expect(titles == ["one"])
    }
}
