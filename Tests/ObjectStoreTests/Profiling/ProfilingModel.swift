import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The classes of the profiling tests.
enum Profiled {
    class Person: PersistentObject {
        override class var tableName: String { "person" }
        @Indexed var lastName = ""
        var age = 0
        @Unique var email: String?
        var tags: [String] = []
        @Lazy var photo: Data?
        var employer: Company?
    }

    final class Company: PersistentObject {
        override class var tableName: String { "company" }
        var name = ""
        @Inverse(\Person.employer) var staff: [Person]
    }
}

/// Runs `body` with a store that profiles its statements, and the recorded profiles.
func withProfiles(
    _ configuration: Store.Configuration = .init(),
    _ body: (Store, Recorder<StatementProfile>, TemporaryStore) throws -> Void
) throws {
    let profiles = Recorder<StatementProfile>()
    var configuration = configuration
    configuration.onQuery = { profiles.add($0) }
    try withTemporaryStore(configuration) { store, file throws in try body(store, profiles, file) }
}

/// Runs `body` in a session whose tables exist and whose list of profiles is empty.
func withProfiledSession(
    _ configuration: Store.Configuration = .init(), _ body: (Session, Recorder<StatementProfile>) throws -> Void
) throws {
    try withProfiles(configuration) { store, profiles, _ throws in
        try store.prepare(Profiled.Person.self, Profiled.Company.self)
        try store.withSession { session throws in
            _ = profiles.take()
            try body(session, profiles)
        }
    }
}

extension Sequence where Element == StatementProfile {
    /// The distinct calls, in order of their first occurrence.
    var calls: [String] {
        var seen: Set<String> = []
        return map { $0.call ?? "-" }.filter { seen.insert($0).inserted }
    }
}
