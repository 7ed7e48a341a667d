import Foundation
import PersistentObjects
import TestSupport
import Testing

/// A condition of another class is reported as such, not as a computed property.
struct OtherClassConditionTests {
    class Story: PersistentObject {
        override class var tableName: String { "other_story" }
        var title = ""
        var teller: Teller?
    }
    final class Fable: Story { var moral = "" }
    final class Teller: PersistentObject {
        override class var tableName: String { "other_teller" }
        var title = ""
    }

    @Test func `the error names both classes`() throws {
        try withTemporarySession { _, _ in
            let condition = Teller.condition { $0.title == "Dr" }
            let calls: [() throws -> Int] = [
                { try Story.where { $0.title == "x" && condition }.count() },
                { try Story.where { _ in condition }.all().count },
                { try Story.where { _ in !condition }.exists() ? 1 : 0 },
                { try Story.where { _ in condition }.delete() },
                { try Story.where { _ in condition }.update { $0.title = "y" } },
                { try Fable.where { _ in condition }.count() },
            ]
            for (index, call) in calls.enumerated() {
                let error = #expect(throws: (any Error).self) { try call() }
                let text = "\(error.map { "\($0)" } ?? "")"
                #expect(text.contains("belongs to Teller, which is another class"), "\(index): \(text)")
                #expect(text.contains(index == 5 ? "Fable" : "Story") && !text.contains("computed"), "\(text)")
            }
        }
    }

    @Test func `a superclass condition applies to subclasses, but not the reverse`() throws {
        try withTemporarySession { _, _ in
            let fable = Fable()
            fable.title = "x"
            try fable.save()
            let condition = Story.condition { $0.title == "x" }
            try expect(Fable.where { _ in condition }.count(), 1)
            let own = Fable.condition { $0.moral == "" }
            let error = #expect(throws: (any Error).self) { try Story.where { _ in own }.count() }
            #expect(
                error.map { "\($0)".contains("belongs to Fable, which is another class") } == true,
                "\(String(describing: error))")
        }
    }
}
