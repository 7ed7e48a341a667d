// A class can have the name of a type of the library. The library's type then needs the module's name as a prefix.
import Foundation
import PersistentObjects

final class Store: PersistentObject {
    var name = ""
    var page: Page?
}

final class Index: PersistentObject {
    var term = ""
    override class var indexes: [PersistentObjects.Index] { [PersistentObjects.Index(\Index.term)] }
}

final class Page: PersistentObject {
    @PersistentObjects.Unique var title = ""
    @PersistentObjects.Indexed var number = 0
}

final class Session: PersistentObject {
    var user = ""
    override func validate(_ problems: inout PersistentObjects.Problems) {
        problems.require(!user.isEmpty, \Session.user, "must not be empty")
    }
}

final class Condition: PersistentObject {
    var text = ""
    override class var defaultScope: PersistentObjects.Condition { Condition.condition { $0.text != "" } }
}

final class Lazy: PersistentObject {
    var inverse: Inverse?
    @PersistentObjects.Lazy var data: Data?
}

final class Inverse: PersistentObject { @PersistentObjects.Inverse(\Lazy.inverse) var lazies: [Lazy] }
final class Column: PersistentObject { @PersistentObjects.Column("x") var number = 0 }
final class Unique: PersistentObject { var number = 0 }
final class Problems: PersistentObject { var number = 0 }

final class HistoryEntry: PersistentObject {
    override class var keepsHistory: Bool { true }
    var number = 0
    func last() throws -> PersistentObjects.HistoryEntry? { try history.order(by: \.id, .descending).first() }
}
final class Row: PersistentObject { var number = 0 }
final class Query: PersistentObject { var number = 0 }
final class Snapshot: PersistentObject { var number = 0 }
final class Finder: PersistentObject { var number = 0 }
final class Term: PersistentObject { var number = 0 }
final class Columns: PersistentObject { var number = 0 }
final class Migration: PersistentObject { var number = 0 }
final class PersistentID: PersistentObject { var number = 0 }
final class StoreError: PersistentObject { var number = 0 }
final class DatabaseValue: PersistentObject { var number = 0 }

func useOwnNames() throws {
    let store: PersistentObjects.Store = try .inMemory()
    try store.withSession { (session: PersistentObjects.Session) in
        print(try Store.findBy.name("x"), try Page.query.page(1, of: 20), Store.where { $0.page.title == "x" })
        let rows: [PersistentObjects.Row] = try session.rows("SELECT 1")
        let id: PersistentObjects.PersistentID<Page>? = Page().persistentID
        let value: PersistentObjects.DatabaseValue = .null
        print(rows, id as Any, value, Snapshot().snapshot())
    }
    do { try Store().save() } catch let error as PersistentObjects.StoreError where error.code == .busy { print(error) }
}
