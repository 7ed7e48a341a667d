// Default scopes, soft deletion, joins, and parts of Codable values.
import Foundation
import PersistentObjects

struct Address: Codable {
    var city = ""
    var zip: String?
    var isOwn = false
    var since = Date()
}

class Document: PersistentObject {
    override class var defaultScope: Condition { Document.condition { !$0.isDraft } }
    override class var softDeletes: Bool { true }
    var title = ""
    var isDraft = false
    var deletedAt: Date?
    var address = Address()
    var second: Address?
}

final class Letter: Document {
    override class var defaultScope: Condition { super.defaultScope && Letter.condition { $0.pages > 0 } }
    var pages = 0
}

final class Branch: PersistentObject {
    var city = ""
    var size: Int?
}

func expect<T>(_: T.Type, _ value: T) { print(value) }

func scopes(_ letter: Letter) throws {
    expect([Letter].self, try Letter.unscoped.where { $0.pages == 0 && $0.isDraft }.all())
    expect([Document].self, try Document.unscoped.findBy.title("x"))
    expect([Letter].self, try Letter.withDeleted.all() + Letter.onlyDeleted.where { $0.deletedAt < Date() }.all())
    try letter.delete()
    try letter.restore()
    try letter.deleteForever()
    try Letter.onlyDeleted.restore()
    try Letter.onlyDeleted.deleteForever()
}

func parts() throws {
    let query = Document.where {
        $0.address.city == "Bonn" && $0.second.zip == nil && ($0.address.isOwn || $0.second.city.hasPrefix("B"))
    }
    expect(Int.self, try query.order { $0.address.since }.count())
}

func joins() throws {
    let pairs = Document.query.join(Branch.self) { $0.address.city == $1.city && $1.size > 3 }
        .where { $0.title != "" && ($1.city == "Bonn" || $1.size == nil) }
        .order { $1.city }.order(.descending) { document, _ in document.title }.limit(3).offset(1)
    for (document, branch) in try pairs.all() {
        expect(Document.self, document)
        expect(Branch.self, branch)
    }
    expect((Document, Branch?)?.self, try Document.query.leftJoin(Branch.self) { $0.title == $1.city }.first())
    let three = Document.query.join(Branch.self) { $0.title == $1.city }
        .leftJoin(Branch.self) { $1.size == $2.size && $0.id != $2.id }.where { $0.id != nil && $2.id == nil }
    expect([(Document, Branch, Branch?)].self, try three.all())
    expect(Int.self, try three.count())
    expect(Bool.self, try three.exists())
}
