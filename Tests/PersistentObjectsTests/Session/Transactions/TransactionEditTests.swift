import TestSupport
import Testing

@testable import PersistentObjects

/// Edits that meet rows which a transaction has changed and taken back.
struct TransactionEditTests {
    final class Step: PersistentObject {
        override class var tableName: String { "edited_step" }
        var number = 0
        var tags: [String] = []
    }

    struct Failure: Error {}

    private func step(_ number: Int) -> Step {
        let step = Step()
        step.number = number
        return step
    }

    @Test func `an edit from before that the transaction happens to write too is still an edit`() throws {
        try withTemporarySession { session, file throws in
            let joe = step(1)
            try joe.save()
            joe.number = 7
            joe.tags = ["mine"]
            failing(Failure.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE edited_step SET number = 7")
                    _ = try Step.all()
                    throw Failure()
                }
            }
            #expect(joe.number == 7 && joe.changes.map(\.name) == ["number", "tags"])
            try joe.save()
            #expect(try file.sqlite("SELECT number FROM edited_step") == "7")
        }
    }

    @Test func `an edit from before is still one where the object is deleted in an inner one besides`() throws {
        try withTemporarySession { session, _ throws in
            let joe = step(1)
            try joe.save()
            joe.number = 7
            failing(Failure.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE edited_step SET number = 7")
                    #expect(try Step.all() == [joe] && !joe.hasChanges)
                    failing(Failure.self) {
                        try session.transaction { () throws in
                            try joe.delete()
                            throw Failure()
                        }
                    }
                    throw Failure()
                }
            }
            #expect(joe.number == 7 && joe.changes.map { $0.old as? Int } == [1])
        }
    }

    @Test func `an edit that was taken back is none, whatever the row has had since`() throws {
        try withTemporarySession { session, _ throws in
            let joe = step(1)
            try joe.save()
            failing(Failure.self) {
                try session.transaction { () throws in
                    joe.number = 5
                    try session.execute("UPDATE edited_step SET number = number")
                    #expect(try Step.all() == [joe] && joe.number == 5 && joe.hasChanges)
                    joe.number = 1
                    try session.execute("UPDATE edited_step SET number = 5")
                    #expect(try Step.all() == [joe] && joe.number == 5 && !joe.hasChanges)
                    throw Failure()
                }
            }
            #expect(joe.number == 1 && !joe.hasChanges)
        }
    }
}
