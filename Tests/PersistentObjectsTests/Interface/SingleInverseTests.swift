import PersistentObjects
import TestSupport
import Testing

/// Single-object inverses to which the file contains several objects.
@Suite struct SingleInverseTests {
    final class Holder: PersistentObject {
        override class var tableName: String { "single_holder" }
        var name = ""
        @Inverse(\Paper.holder) var paper: Paper?
        @Inverse(\Paper.holder, where: { $0.isValid }) var valid: Paper?
    }
    final class Paper: PersistentObject {
        override class var tableName: String { "single_paper" }
        var number = 0
        var isValid = true
        var holder: Holder?
    }

    private func papers(_ session: Session) throws -> (Holder, [Paper]) {
        let holder = Holder()
        let papers = (0..<3).map { number in
            let paper = Paper()
            (paper.number, paper.isValid, paper.holder) = (number, number > 0, holder)
            return paper
        }
        try session.save(papers)
        return (holder, papers)
    }

    @Test func `several objects are not an edit, and saving the owner removes none`() throws {
        try withTemporarySession { session, _ in
            let (holder, papers) = try papers(session)
            try holder.reload()
            #expect(holder.paper === papers[0] && holder.valid === papers[1] && !holder.hasChanges)
            holder.name = "x"
            try holder.save()
            #expect(try Paper.where { $0.holder == holder }.count() == 3)
            #expect(papers.allSatisfy { $0.holder === holder } && !session.hasChanges)
        }
    }

    @Test func `saving another object while the inverse is loaded is not an edit`() throws {
        try withTemporarySession { session, _ in
            let (holder, papers) = try papers(session)
            #expect(holder.paper != nil && holder.valid === papers[1])
            let paper = Paper()
            paper.holder = holder
            try paper.save()
            #expect(holder.paper != nil && holder.valid === papers[1] && !holder.hasChanges)
            holder.name = "x"
            try holder.save()
            try expect(Paper.where { $0.holder == holder }.count(), 4)
            try papers[1].delete()
            #expect(holder.valid === papers[2] && !holder.hasChanges)
            try papers[0].delete()
            #expect(!holder.hasChanges)
            try holder.reload()
            #expect(holder.paper === papers[2])
        }
    }

    @Test func `setting the inverse replaces only the object that it showed`() throws {
        try withTemporarySession { session, _ in
            let (holder, papers) = try papers(session)
            let paper = Paper()
            try holder.reload()
            #expect(holder.valid === papers[1])
            holder.valid = paper
            try holder.save()
            #expect(papers[1].holder == nil && paper.holder === holder && papers[2].holder === holder)
            #expect(holder.valid === papers[2] && papers[0].holder === holder)
            try holder.reload()
            holder.paper = nil
            try holder.save()
            #expect(try Paper.where { $0.holder == holder }.count() == 2 && papers[0].holder == nil)
        }
    }
}
