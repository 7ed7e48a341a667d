import TestSupport
import Testing

@testable import PersistentObjects

/// Transactions nested to any depth; each rollback reverts its own part.
struct NestedTransactionTests {
    final class Step: PersistentObject {
        override class var tableName: String { "step" }
        var number = 0
        var tags: [String] = []
        var next: Step?
    }

    struct Failure: Error, Equatable { var depth = 0 }

    private func step(_ number: Int) -> Step {
        let step = Step()
        step.number = number
        return step
    }

    /// Runs `body` at each depth on the way down, and `after` on the way up.
    private func nest(
        _ session: Session, _ depth: Int, to last: Int, _ body: (Int) throws -> Void, after: (Int) throws -> Void
    ) throws {
        try session.transaction { () throws in
            try body(depth)
            if depth < last { try nest(session, depth + 1, to: last, body, after: after) }
            try after(depth)
        }
    }

    @Test func `fifty nested transactions are one commit`() throws {
        try withTemporarySession { session, file throws in
            let joe = step(0)
            try joe.save()
            try nest(session, 1, to: 50) { depth throws in
                joe.number = depth
                joe.next = step(1000 + depth)
                try joe.save()
                try expect(file.sqlite("SELECT count(*) FROM step"), "1")
            } after: { depth throws in
                joe.tags.append("\(depth)")
                try joe.save()
            }
            try expect(file.sqlite("SELECT number FROM step WHERE id = 1"), "50")
            try expect(file.sqlite("SELECT count(*) FROM step_tags"), "50")
            try expect(Step.count(), 51)
        }
    }

    @Test func `an error through fifty levels rolls all of them back`() throws {
        try withTemporarySession { session, file throws in
            let joe = step(0)
            joe.tags = ["start"]
            try joe.save()
            joe.tags.append("unsaved")
            var made: [Step] = []
            let failure = failing(Failure.self) {
                try nest(session, 1, to: 50) { depth throws in
                    joe.number = depth
                    joe.tags.append("\(depth)")
                    made.append(step(depth))
                    joe.next = made.last
                    try joe.save()
                    if depth == 50 { throw Failure(depth: 50) }
                } after: { _ in
                }
            }
            #expect(failure == Failure(depth: 50))
            #expect(joe.number == 0 && joe.tags == ["start", "unsaved"] && joe.next == nil)
            #expect(joe.changes.map(\.name) == ["tags"] && made.allSatisfy { $0.isNew && $0.id == nil })
            #expect(try file.sqlite("SELECT count(*), max(number) FROM step") == "1|0")
            #expect(!session.isInTransaction && !session.isInFileTransaction)
        }
    }

    @Test(arguments: [1, 2, 17, 49, 50])
    func `an error that ends one level is caught by the level around it`(failing: Int)
        throws
    {
        try withTemporarySession { session, file throws in
            let joe = step(0)
            try joe.save()
            func descend(_ depth: Int) throws {
                joe.number = depth
                joe.tags.append("\(depth)")
                try joe.save()
                guard depth < 50 else { return }
                let new = step(100 + depth)
                do {
                    try session.transaction { () throws in
                        try new.save()
                        try descend(depth + 1)
                        if depth + 1 == failing { throw Failure(depth: failing) }
                    }
                    #expect(new.id != nil)
                } catch let failure as Failure {
                    #expect(failure.depth == failing && depth + 1 == failing)
                    #expect(new.isNew && joe.number == depth && !joe.hasChanges && joe.tags.last == "\(depth)")
                }
            }
            try session.transaction { () throws in try descend(0) }
            let last = failing - 1
            #expect(joe.number == last && joe.tags == (0...last).map(String.init))
            try expect(file.sqlite("SELECT count(*) FROM step_tags"), "\(failing)")
            try expect(file.sqlite("SELECT number FROM step ORDER BY id LIMIT 1"), "\(last)")
            try expect(Step.count(), failing)
        }
    }

    @Test(arguments: 1...4) func `rollBack at a level reverts that level and the levels in it`(level: Int) throws {
        try withTemporarySession { session, file throws in
            let steps = (0...4).map { step($0) }
            try session.save(steps)
            try nest(session, 1, to: 4) { depth throws in
                steps[depth].number += 10
                try steps[depth].save()
            } after: { depth throws in
                if depth == level { session.rollBack() }
            }
            for depth in 1...4 {
                expect(steps[depth].number, depth >= level ? depth : depth + 10)
                #expect(!steps[depth].hasChanges)
            }
            let kept = (1..<level).count
            try expect(file.sqlite("SELECT count(*) FROM step WHERE number > 9"), "\(kept)")
        }
    }

    @Test func `a rollback also reverts nested transactions that succeeded`() throws {
        try withTemporarySession { session, file throws in
            let (joe, ann, new) = (step(1), step(2), step(3))
            ann.tags = ["a"]
            try session.save([joe, ann])
            joe.number = 11
            failing(Failure.self) {
                try session.transaction { () throws in
                    ann.number = 12
                    try session.transaction { () throws in
                        joe.number = 111
                        ann.tags = []
                        ann.next = new
                        try session.save([joe, ann])
                        try joe.delete()
                    }
                    #expect(joe.isDeleted && new.id == 3)
                    new.number = 13
                    try new.save()
                    throw Failure()
                }
            }
            #expect(joe.number == 11 && joe.changes.map(\.name) == ["number"] && !joe.isDeleted)
            #expect(ann.number == 2 && ann.tags == ["a"] && ann.next == nil && !ann.hasChanges)
            #expect(new.isNew && new.number == 3)
            try expect(file.sqlite("SELECT number FROM step ORDER BY id"), "1\n2")
        }
    }

    @Test func `an object saved and deleted at different levels returns to its state at the start of each`() throws {
        try withTemporarySession { session, _ throws in
            let joe = step(1)
            failing(Failure.self) {
                try session.transaction { () throws in
                    try joe.save()
                    let id = joe.id
                    failing(Failure.self) {
                        try session.transaction { () throws in
                            joe.number = 2
                            try joe.save()
                            failing(Failure.self) {
                                try session.transaction { () throws in
                                    try joe.delete()
                                    throw Failure()
                                }
                            }
                            #expect(!joe.isDeleted && joe.number == 2 && joe.id == id && !joe.hasChanges)
                            #expect(try Step.find(#require(id)) === joe)
                            throw Failure()
                        }
                    }
                    #expect(joe.number == 1 && joe.id == id && !joe.hasChanges)
                    try expect(Step.all(), [joe])
                    throw Failure()
                }
            }
            #expect(joe.isNew && joe.number == 1)
            try expect(Step.count(), 0)
        }
    }

    @Test func `a rollback reverts values read and saved in the transaction`() throws {
        try withTemporarySession { session, _ throws in
            let (joe, ann) = (step(1), step(2))
            try session.save([joe, ann])
            for isNested in [false, true] {
                failing(Failure.self) {
                    try session.transaction { () throws in
                        let work = {
                            try session.execute("UPDATE step SET number = number + 40")
                            try expect(Step.findByNumber(41), [joe])
                            joe.tags = ["x"]
                            try joe.save()
                            try ann.delete()
                        }
                        if isNested { try session.transaction(work) } else { try work() }
                        throw Failure()
                    }
                }
                #expect(joe.number == 1 && !joe.hasChanges && ann.number == 2 && !ann.isDeleted && !ann.hasChanges)
            }
        }
    }

    @Test func `a transaction with retries runs its closure again from the initial state`() throws {
        try withTemporarySession { session, file throws in
            let (joe, new) = (step(1), step(9))
            try joe.save()
            var runs = 0
            try session.transaction(retries: 2) { () throws in
                runs += 1
                if runs == 1 { joe.number += 10 } else { joe.number += 1 }
                new.tags.append("\(runs)")
                try new.save()
                try session.transaction { () throws in
                    try joe.save()
                    if runs < 3 { throw StoreError(.staleObject, "the closure's own") }
                }
            }
            #expect(runs == 3 && joe.number == 2 && new.id == 2)
            try expect(file.sqlite("SELECT number FROM step ORDER BY id"), "2\n9")
            failing(StoreError.self) {
                try session.transaction(retries: 1) { () throws in
                    runs += 1
                    joe.number = 0
                    try joe.save()
                    throw StoreError(.busy, "the closure's own")
                }
            }
            #expect(runs == 5 && joe.number == 2)
        }
    }
}
