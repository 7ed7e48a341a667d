import TestSupport
import Testing

@testable import PersistentObjects

/// A deletion is recorded as one entry for each row with all its values. References that the library clears before
/// deleting are not recorded as changes.
struct HistoryDeletionTests {
    class Kept: PersistentObject {
        override class var isAbstract: Bool { true }
        override class var keepsHistory: Bool { true }
    }
    final class Part: Kept { var n = 1 }
    final class Whole: Kept {
        var name = "w"
        @OnDelete(.cascade) var part: Part?
        @OnDelete(.deny) var maker: Maker?
        var plain: Part?
        @OnDelete(.cascade) var pages: [Page] = []
    }
    final class Page: Kept { var text = "p" }
    final class Maker: Kept { var name = "m" }
    final class Owner: Kept {
        var name = "o"
        @Inverse(\Child.owner, onDelete: .cascade) var children: [Child]
    }
    final class Child: Kept {
        var name = "c"
        var owner: Owner?
    }
    final class Folder: Kept {
        var name = "f"
        var parent: Folder?
        var other: Folder?
        @Inverse(\Folder.parent, onDelete: .cascade) var folders: [Folder]
    }
    final class Chain: Kept {
        var name = "n"
        @OnDelete(.cascade) var next: Chain?
    }
    class Item: Kept { var name = "i" }
    final class Left: Item { @OnDelete(.cascade) var part: Part? }
    final class Right: Item { var part: Part? }

    /// The entries of a class except creations: the change and its columns with the old values.
    private func entries<T: PersistentObject>(_ type: T.Type) throws -> [String] {
        try type.history.where { $0.change != .created }.order(by: \.id).all().map { entry in
            let values = entry.values.sorted { $0.column < $1.column }.map { value in
                "\(value.column)=\(value.old.map { "\($0)" } ?? "nil")"
            }
            return "\(entry.change) \(entry.object) \(values.joined(separator: " "))"
        }
    }

    private func check(_ statements: [String]) {
        #expect(statements.allSatisfy { !($0.hasPrefix("UPDATE") && $0.contains("= NULL")) }, "\(statements)")
    }

    @Test func `a deleted row and its cascades have one entry each, and no reference is cleared first`() throws {
        try withTemporarySession { session, file in
            let whole = Whole()
            (whole.part, whole.maker, whole.plain) = (Part(), Maker(), Part())
            whole.pages = [Page(), Page()]
            try whole.save()
            let (part, plain) = (try #require(whole.part), try #require(whole.plain))
            let log = try statements(of: session) { try session.delete([plain, whole]) }
            check(log)
            let entry = try whole.history.where { $0.change != .created }.single()
            #expect(entry.change == .deleted)
            let links: [PersistentID<Part>?] = [try entry.old(\Whole.part), try entry.old(\Whole.plain)]
            #expect(links.map { $0?.value } == [part.id, plain.id])
            let maker: PersistentID<Maker>? = try entry.old(\Whole.maker)
            #expect(try maker?.value == 1 && entry.old(\Whole.name) == "w")
            #expect(throws: StoreError.self) { let _: Part? = try entry.old(\Whole.part) }
            #expect(try Part.history.where { $0.change == .deleted }.count() == 2)
            #expect(try Page.history.where { $0.change == .deleted }.count() == 2)
            #expect(try Part.history.where { $0.change == .changed }.count() == 0)
            #expect(try file.sqlite("SELECT count(*) FROM whole UNION ALL SELECT count(*) FROM part") == "0\n0")
        }
    }

    @Test func `children of a cascading inverse have one entry, deleted alone, by a query or with the owner`() throws {
        try withTemporarySession { session, _ in
            let owner = Owner()
            let children = (0..<4).map { _ in Child() }
            for child in children { child.owner = owner }
            try session.save(children)
            check(try statements(of: session) { try children[0].delete() })
            check(try statements(of: session) { try Child.where { $0.id == 2 }.delete() })
            check(try statements(of: session) { try owner.delete() })
            let wanted = (1...4).map { "deleted \($0) name=text(\"c\") owner_id=integer(1)" }
            #expect(try entries(Child.self) == wanted)
            #expect(try entries(Owner.self) == ["deleted 1 name=text(\"o\")"])
        }
    }

    @Test func `deleted rows of a reference cycle have one entry each, with their references`() throws {
        try withTemporarySession { session, file in
            let folders = (0..<5).map { _ in Folder() }
            for index in 1..<5 { folders[index].parent = folders[(index - 1) / 2] }
            folders[0].other = folders[4]
            folders[4].other = folders[4]
            try session.save(folders)
            // Deleted in a transaction that also changes a row.
            try session.transaction {
                folders[1].name = "g"
                folders[1].other = folders[2]
                try folders[1].save()
                try folders[0].delete()
            }
            let found = try entries(Folder.self).sorted()
            #expect(
                found == [
                    "changed 2 name=text(\"f\") other_id=nil",
                    "deleted 1 name=text(\"f\") other_id=integer(5)",
                    "deleted 2 name=text(\"g\") other_id=integer(3) parent_id=integer(1)",
                    "deleted 3 name=text(\"f\") parent_id=integer(1)",
                    "deleted 4 name=text(\"f\") parent_id=integer(2)",
                    "deleted 5 name=text(\"f\") other_id=integer(5) parent_id=integer(2)",
                ])
            #expect(try file.sqlite("SELECT count(*) FROM folder") == "0")
        }
    }

    @Test func `deleting a long chain has no depth limit, and undo restores its rows`() throws {
        try withTemporarySession { session, _ in
            session.recordsUndo = true
            let chain = (0..<3000).map { _ in Chain() }
            for (one, next) in zip(chain, chain.dropFirst()) { one.next = next }
            try session.save(chain)
            try chain[0].delete()
            #expect(try Chain.count() == 0)
            #expect(try Chain.history.where { $0.change == .changed }.count() == 0)
            #expect(try Chain.history.where { $0.change == .deleted }.count() == 3000)
            #expect(try session.undo())
            #expect(try Chain.count() == 3000)
        }
    }

    @Test func `sibling classes apply their own delete rules for the same column`() throws {
        try withTemporarySession { session, file in
            let (left, right) = (Left(), Right())
            (left.part, right.part) = (Part(), Part())
            try session.save([left, right])
            try session.delete([left, right])
            #expect(try file.sqlite("SELECT group_concat(id) FROM part") == "\(right.part?.id ?? 0)")
            #expect(try Item.history.where { $0.change == .deleted }.count() == 2)
        }
    }
}
