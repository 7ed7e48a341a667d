import TestSupport
import Testing

@testable import PersistentObjects

/// Transactions with concurrent changes: nothing is overwritten unseen, even after a rollback.
struct TransactionConflictTests {
    final class Page: PersistentObject {
        override class var tableName: String { "conflict_page" }
        var title = ""
        var number = 0
        var tags: [String] = []
        var next: Page?
    }

    final class Counted: PersistentObject {
        override class var tableName: String { "conflict_counted" }
        override class var versionProperty: AnyKeyPath? { \Counted.version }
        var title = ""
        var version = 0
    }

    struct Failure: Error {}

    private func withPage(
        _ body: (Session, TemporaryStore, Page, ((Page) -> Void) throws -> Void) throws -> Void
    ) throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, file throws in
            let page = Page()
            page.title = "a"
            try page.save()
            try body(session, file, page) { change throws in
                try session.store.withSession { _ throws in
                    let theirs = try #require(try Page.first())
                    change(theirs)
                    try theirs.save()
                }
            }
        }
    }

    @Test func `a conflict ends the transaction and still exists afterwards`() throws {
        try withPage { session, file, page, others throws in
            page.number = 2
            try others { $0.number = 40 }
            for _ in 0..<2 {
                let error = failing(StoreError.self) {
                    try session.transaction { () throws in
                        let new = Page()
                        page.next = new
                        try new.save()
                        try page.save()
                    }
                }
                #expect(error?.code == .staleObject && error?.property == "number")
                expect(page.number, 2)
            }
            page.next = nil
            expect(failing(StoreError.self) { try page.save() }?.code, .staleObject)
            try page.save(.onConflict(.mine))
            try expect(file.sqlite("SELECT number FROM conflict_page"), "2")
        }
    }

    @Test(arguments: [0, 1, 2]) func `a rollback also reverts the resolution of a conflict`(policy: Int) throws {
        try withPage { session, file, page, others throws in
            page.number = 2
            page.tags = ["mine"]
            try others {
                $0.number = 40
                $0.title = "theirs"
            }
            let policies: [SaveOptions] = [
                .onConflict(.mine), .onConflict(.theirs), .onConflict(.resolve { _ in .value(7) }),
            ]
            failing(Failure.self) {
                try session.transaction { () throws in
                    try page.save(policies[policy])
                    #expect(page.title == "theirs" && page.number == [2, 40, 7][policy])
                    throw Failure()
                }
            }
            #expect(page.number == 2 && page.tags == ["mine"])
            expect(page.changes.map(\.name), ["number", "tags"])
            expect(failing(StoreError.self) { try page.save() }?.code, .staleObject)
            #expect(try Page.all() == [page] && page.title == "theirs" && page.number == 2)
            expect(failing(StoreError.self) { try page.save() }?.code, .staleObject)
            try page.save(.onConflict(.theirs))
            expect(page.number, 40)
            try expect(
                file.sqlite("SELECT title, number, value FROM conflict_page, conflict_page_tags"), "theirs|40|mine")
        }
    }

    @Test func `merged changes are merged again after a rollback`() throws {
        try withPage { session, file, page, others throws in
            page.number = 2
            try others { $0.title = "theirs" }
            failing(Failure.self) {
                try session.transaction { () throws in
                    try page.save()
                    expect(page.title, "theirs")
                    throw Failure()
                }
            }
            #expect(page.number == 2 && page.changes.map(\.name) == ["number"])
            try session.transaction { () throws in try page.save() }
            #expect(page.title == "theirs" && !page.hasChanges)
            try expect(file.sqlite("SELECT title, number FROM conflict_page"), "theirs|2")
        }
    }

    @Test func `an edit based on a rolled back row is saved without a conflict`() throws {
        try withPage { session, file, page, _ throws in
            failing(Failure.self) {
                try session.transaction { () throws in
                    try session.execute("UPDATE conflict_page SET number = 30")
                    #expect(try Page.all() == [page] && page.number == 30)
                    page.number = 31
                    throw Failure()
                }
            }
            #expect(page.number == 31 && page.changes.map { $0.old as? Int } == [0])
            try page.save()
            #expect(try file.sqlite("SELECT number FROM conflict_page") == "31")
        }
    }

    @Test func `a retried transaction starts with the changes of other sessions`() throws {
        try withPage { session, file, page, others throws in
            var runs = 0
            try others { $0.number = 10 }
            try session.transaction(retries: 3) { () throws in
                runs += 1
                page.number += 1
                try page.save()
            }
            #expect(runs == 2 && page.number == 11)
            try expect(file.sqlite("SELECT number FROM conflict_page"), "11")
        }
    }

    @Test func `a retried transaction sees links and lists of other sessions`() throws {
        try withPage { session, file, page, others throws in
            try others { theirs in
                theirs.number = 10
                theirs.tags = ["theirs"]
                theirs.next = Page()
                theirs.next?.title = "new"
            }
            var seen: [String] = []
            try session.transaction(retries: 1) { () throws in
                seen.append("\(page.number) \(page.tags) \(page.next?.title ?? "nil")")
                page.number += 1
                page.tags.append("mine")
                try page.save()
            }
            expect(seen, ["0 [] nil", #"10 ["theirs"] new"#])
            #expect(page.tags == ["theirs", "mine"] && !page.hasChanges)
            try expect(file.sqlite("SELECT count(*), max(number) FROM conflict_page"), "2|11")
        }
    }

    @Test func `a rollback restores the version`() throws {
        try withTemporarySession(.init(lostEdits: .ignore)) { session, file throws in
            let page = Counted()
            try page.save()
            page.title = "b"
            try page.save()
            let version = page.version
            for nested in [false, true] {
                failing(Failure.self) {
                    try session.transaction { () throws in
                        let work = {
                            page.title += "c"
                            try page.save()
                            expect(page.version, version + 1)
                        }
                        if nested { try session.transaction(work) } else { try work() }
                        throw Failure()
                    }
                }
                #expect(page.version == version && page.title == "b" && !page.hasChanges)
            }
            page.title = "d"
            try page.save()
            try expect(file.sqlite("SELECT title, version FROM conflict_counted"), "d|\(version + 1)")
        }
    }
}
