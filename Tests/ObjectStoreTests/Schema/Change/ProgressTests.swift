import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// The progress of a schema change covers all changes and never decreases.
struct ProgressTests {
    enum Old {
        final class Person: PersistentObject {
            override class var tableName: String { "person" }
            var age = ""
            var size = 0
            var tags: [Int] = []
        }
    }
    final class Person: PersistentObject {
        override class var tableName: String { "person" }
        var age = 0
        var size = ""
        var tags: [String] = []
        @Indexed var new = 1
    }
    final class Other: PersistentObject {
        override class var tableName: String { "progress_other" }
        var name = ""
    }

    private func fractions(rows: Int, _ change: (Store, @escaping (SchemaProgress) -> Void) throws -> Void) throws
        -> [Double]
    {
        let file = try TemporaryStore()
        let old = try Store(file.path)
        try old.withSession { session throws in
            try session.save(
                (0..<rows).map { index in
                    let person = Old.Person()
                    (person.age, person.size, person.tags) = ("\(index)", index, [index])
                    return person
                })
        }
        old.close()
        let store = try Store(file.path)
        defer { store.close() }
        let told = Recorder<Double>()
        try change(store) { progress in
            #expect(progress.completedRows <= progress.totalRows)
            told.add(progress.fractionCompleted)
        }
        return told.all
    }

    @Test(arguments: [0, 1, 2500]) func `progress rises from 0 to 1 over all changes`(rows: Int) throws {
        for runsPlan in [false, true] {
            let told = try fractions(rows: rows) { store, tell in
                if runsPlan {
                    try store.run(try store.schemaPlan(for: Person.self, Other.self), progress: tell)
                } else {
                    try store.prepare([Person.self, Other.self], progress: tell)
                }
            }
            #expect(told.first == 0 && told.last == 1 && told == told.sorted(), "\(told)")
            #expect(told.dropLast().allSatisfy { $0 < 1 } || rows > 0, "\(told)")
            if rows > 1000 { #expect(Set(told).count > 5, "\(told)") }
        }
    }

    @Test func `the progress of a migration step ends at 1`() throws {
        for rows in [1, 1500] {
            let told = try fractions(rows: rows) { store, tell in
                try store.migrate("a", progress: tell) { session in try session.old(Person.self).forEach { _ in } }
            }
            #expect(told.last == 1 && told == told.sorted(), "\(told)")
        }
    }
}
