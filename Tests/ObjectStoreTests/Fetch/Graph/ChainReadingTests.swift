import TestSupport
import Testing

@testable import PersistentObjects

/// Long lists of linked objects are read in batches, each larger than the previous one.
struct ChainReadingTests {
    class Link: PersistentObject {
        override class var tableName: String { "link" }
        var number = 0
        var next: Link?
        override func didLoad() { Heard.calls?.add("\(number) \(next?.number ?? -1)") }
    }

    final class Ring: Link {}

    final class Hen: PersistentObject {
        override class var tableName: String { "hen" }
        var egg: Egg?
    }

    final class Egg: PersistentObject {
        override class var tableName: String { "egg" }
        var hen: Hen?
    }

    final class Branch: PersistentObject {
        override class var tableName: String { "branch" }
        var left: Branch?
        var right: Branch?
    }

    /// Saves a chain of links, some of them of a subclass.
    private static func save(
        _ count: Int, closed: Bool = false, _ session: Session, of make: (Int) -> Link = { _ in Link() }
    ) throws {
        let links = (0..<count).map(make)
        for (number, link) in links.enumerated() { link.number = number + 1 }
        for (link, next) in zip(links, links.dropFirst()) { link.next = next }
        if closed { links[count - 1].next = links[0] }
        try session.save(links)
        try session.reset()
        // A ring would never be released.
        for link in links { link.next = nil }
    }

    private static func numbers(from first: Link?, limit: Int = .max) -> [Int] {
        var found: [Int] = []
        var link = first
        while let each = link, found.count < limit {
            found.append(each.number)
            link = each.next
        }
        return found
    }

    private static func selects(of session: Session, _ body: () throws -> Void) rethrows -> Int {
        try statements(of: session, body).count { $0.hasPrefix("SELECT") || $0.hasPrefix("WITH") }
    }

    @Test func `the number of statements for a chain grows with the logarithm of its length`() throws {
        try withTemporarySession { session, _ throws in
            try Self.save(10_000, session)
            var head: Link?
            let count = try Self.selects(of: session) { head = try Link.find(1) }
            #expect(count <= 12, "\(count)")
            expect(Self.numbers(from: head), Array(1...10_000))
            expect(head?.hasChanges, false)
            #expect(try session.space(of: Link.self).identity.brokenInvariant() == nil)
            let again = try Self.selects(of: session) { _ = try Link.find(5000) }
            #expect(again == 0 && head?.number == 1)
        }
    }

    @Test func `a short chain takes one statement for each link`() throws {
        try withTemporarySession { session, _ throws in
            try Self.save(3, session)
            let log = try statements(of: session) { _ = try Link.find(1) }
            #expect(log.count { $0.hasPrefix("SELECT") } == 3 && !log.contains { $0.hasPrefix("WITH") }, "\(log)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 63, 64, 65, 66, 67, 500])
    func `the last object of a ring refers to the first`(count: Int) throws {
        try withTemporarySession { session, _ throws in
            try Self.save(count, closed: true, session)
            var head: Link?
            #expect(try Self.selects(of: session) { head = try Link.find(1) } <= 8)
            #expect(Self.numbers(from: head, limit: count + 1) == Array(1...count) + [1])
            #expect(try Link.all().count == count)
            var end = head
            for _ in 1..<count { end = end?.next }
            #expect(end?.next === head)
            try session.reset()
            head?.next = nil
        }
    }

    @Test func `didLoad is called once for each link, with its next link loaded, in the order of the chain`() throws {
        try withTemporarySession { session, _ throws in
            try Self.save(300, session)
            var kept: [Link] = []
            let heard = try Heard.by { () throws in kept += [try Link.find(1)].compactMap { $0 } }
            expect(heard, (1...300).map { "\($0) \($0 == 300 ? -1 : $0 + 1)" })
            expect(kept.count, 1)
        }
    }

    @Test(.onSQLite("the tool deletes a row of a file"))
    func `a chain that ends in a missing row is an error`() throws {
        try withTemporaryStore { store, file throws in
            try store.withSession { session throws in try Self.save(200, session) }
            _ = try file.sqlite("DELETE FROM link WHERE id = 150")
            try store.withSession { session throws in
                let error = #expect(throws: StoreError.self) { try Link.find(1) }
                #expect(error?.code == .brokenReference && error?.rowID == 149 && error?.property == "next")
                let links = try session.space(of: Link.self).identity
                #expect(links.liveObjects().isEmpty && links.brokenInvariant() == nil)
                #expect(try Self.numbers(from: Link.find(151)) == Array(151...200))
            }
        }
    }

    @Test func `links in memory keep their identity and their edits`() throws {
        try withTemporarySession { session, _ throws in
            try Self.save(400, session)
            let held = try Link.find(300)
            let edited = held?.next?.next
            edited?.number = -1
            let tail = Link()
            edited?.next = tail
            let head = try Link.find(1)
            expect(Self.numbers(from: head), Array(1...301) + [-1, 0])
            var link = head
            while let each = link, each.id != 300 { link = each.next }
            #expect(link === held && edited?.hasChanges == true)
            try session.saveChanges()
            #expect(edited?.next === tail && tail.id == 401)
        }
    }

    @Test func `a chain of several classes in one table is read in batches too`() throws {
        try withTemporarySession { session, _ throws in
            try Self.save(600, session) { $0 % 3 == 0 ? Ring() : Link() }
            var head: Link?
            #expect(try Self.selects(of: session) { head = try Link.where { $0.number == 2 }.first() } <= 13)
            #expect(Self.numbers(from: head) == Array(2...600))
            var link = head
            while let each = link {
                #expect((each is Ring) == ((each.number - 1) % 3 == 0))
                link = each.next
            }
        }
    }

    @Test func `a chain through two tables is read link by link`() throws {
        try withTemporarySession { session, _ throws in
            let (hens, eggs) = ((0..<40).map { _ in Hen() }, (0..<40).map { _ in Egg() })
            for (hen, egg) in zip(hens, eggs) { hen.egg = egg }
            for (egg, hen) in zip(eggs, hens.dropFirst()) { egg.hen = hen }
            try session.save(hens)
            try session.reset()
            var count = 0
            var hen = try Hen.find(1)
            while let each = hen { (count, hen) = (count + 1, each.egg?.hen) }
            expect(count, 40)
        }
    }

    @Test func `a tree with a long list at one leaf is read completely`() throws {
        try withTemporarySession { session, _ throws in
            let branches = (0..<1023).map { _ in Branch() }
            for (place, branch) in branches.enumerated() where 2 * place + 2 < branches.count {
                (branch.left, branch.right) = (branches[2 * place + 1], branches[2 * place + 2])
            }
            // A long list begins at the last leaf.
            let list = (0..<300).map { _ in Branch() }
            for (branch, next) in zip(list, list.dropFirst()) { branch.right = next }
            branches[1022].right = list[0]
            try session.save(branches)
            try session.reset()
            var root: Branch?
            #expect(try Self.selects(of: session) { root = try Branch.find(1) } <= 25)
            func size(_ branch: Branch?) -> Int {
                guard let branch else { return 0 }
                return 1 + size(branch.left) + size(branch.right)
            }
            #expect(size(root) == 1323)
        }
    }
}
