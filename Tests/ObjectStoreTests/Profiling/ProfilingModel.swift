import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The classes of the tests of profiles.
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

/// A store that reports, and what it has reported.
func withProfiles(
    _ configuration: Store.Configuration = .init(),
    _ body: (Store, Recorder<StatementProfile>, TemporaryStore) throws -> Void
) throws {
    let profiles = Recorder<StatementProfile>()
    var configuration = configuration
    configuration.onQuery = { profiles.add($0) }
    try withTemporaryStore(configuration) { store, file throws in try body(store, profiles, file) }
}

/// A session whose tables are there, and which has not reported anything yet.
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
    /// The calls, each once, in their order.
    var calls: [String] {
        var seen: Set<String> = []
        return map { $0.call ?? "-" }.filter { seen.insert($0).inserted }
    }
}
