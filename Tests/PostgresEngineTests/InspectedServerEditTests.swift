#if PostgreSQL
    import Foundation
    import PersistentInspector
    import StoreEngine
    import TestSupport
    import Testing

    @testable import PersistentObjects

    private final class Shelf: PersistentObject {
        override class var tableName: String { "shelf" }
        override class var identity: Identity { .string }
        var label: String?
        @Inverse(\Item.shelf, onDelete: .cascade) var items: [Item] = []
    }

    private final class Item: PersistentObject {
        override class var tableName: String { "item" }
        var name = ""
        var price: Decimal = 0
        var added: Date?
        var code: UUID?
        var isSold = false
        var tags: [String] = []
        var sizes: [String: Int] = [:]
        var marks: Set<Double> = []
        var codes: [UUID] = []
        var parts: [String: [UInt8]] = [:]
        var offers: [Decimal?] = []
        var days: Set<Date> = []
        var rates: [Decimal: UUID] = [:]
        var shelf: Shelf?
    }

    private struct Unexpected: Error {}

    /// Differences between servers, and edits without the classes of a program.
    @Suite(.onPostgres("other tests inspect files")) struct InspectedServerEditTests {
        private func withStore(_ body: (PostgresDatabase, _ address: String) throws -> Void) throws {
            let database = try PostgresDatabase()
            let store = try Store(.postgres(database.address()))
            defer { store.close() }
            try fill(store)
            try body(database, database.address())
        }

        private func fill(_ store: Store) throws {
            try store.withSession { session in
                let shelf = Shelf()
                try shelf.setKey("A")
                let items = (1...3).map { number in
                    let item = Item()
                    (item.name, item.price, item.shelf) = ("item \(number)", Decimal(number) / 4, shelf)
                    (item.tags, item.sizes) = (["x", "y"], ["a": number])
                    return item
                }
                try session.save([shelf])
                try session.save(items)
            }
        }

        private func lines(_ words: String...) throws -> [String] {
            var lines: [String] = []
            try InspectorCommand(words).run { lines.append($0) }
            return lines
        }

        private func refusal(_ words: String...) -> String {
            do { try InspectorCommand(words).run { _ in } } catch { return "\(error)" }
            return ""
        }

        @Test func `an edit shows the old and new values, and is written with yes`() throws {
            try withStore { database, address in
                let words = [
                    address, "edit", "Item", "1", "name=new", "price=12.25", "added=2020-02-29", "isSold=true",
                    "code=5F0C2B9E-8A3D-4C6E-9F10-111213141516", "shelf=nil",
                ]
                var shown: [String] = []
                try InspectorCommand(words).run { shown.append($0) }
                expect(shown.first, "Item #1.name: \"item 1\" → \"new\"")
                expect(shown.last, "Nothing was changed. Add --yes to write")
                try expect(database.psql("SELECT name FROM item WHERE id = 1"), "item 1")
                shown = []
                try InspectorCommand(words + ["--yes"]).run { shown.append($0) }
                expect(shown.contains("A store on a server is not copied. Keep the old values above"), true, "\(shown)")
                let row = "SELECT name, price, added, is_sold, code, shelf_id FROM item WHERE id = 1"
                try expect(database.psql(row), "new|12.25|604627200|1|5f0c2b9e-8a3d-4c6e-9f10-111213141516|")
                try expect(lines(address, "edit", "Item", "1", "added=nil", "--yes").count, 4)
                expect(refusal(address, "edit", "Item", "1", "shelf=99").contains("has no Shelf #99"), true)
                expect(refusal(address, "edit", "Item", "1", "price=abc").isEmpty, false)
                expect(refusal(address, "edit", "Shelf", "A", "key=B").contains("it is the key of the object"), true)
            }
        }

        @Test func `forms edit and delete without the classes`() throws {
            try withStore { database, address in
                let editor = FileEditor(path: address)
                let pages = InspectorPages(path: address, editor: editor)
                expect(editor.remark?.contains("is not copied before an edit"), true)
                func fields(_ path: String) throws -> [String: String] {
                    var form: [String: String] = [:]
                    for case .form(let found) in try #require(try pages.page(path, [:])).sections where found.isPost {
                        for field in found.rows.flatMap({ $0 })
                        where !field.value.isEmpty || !field.name.hasPrefix("n.") {
                            form[field.name] = field.value
                        }
                    }
                    return form
                }
                var form = try fields("/edit/Item/2")
                form["v.name"] = "changed"
                let stale = form
                guard case .done? = try pages.submit("/edit/Item/2", form) else { throw Unexpected() }
                try expect(database.psql("SELECT name, price FROM item WHERE id = 2"), "changed|0.5")
                guard case .refused(let again)? = try pages.submit("/edit/Item/2", stale) else {
                    throw Unexpected()
                }
                expect(again.json.contains("was changed meanwhile"), true)
                let seen = try fields("/delete/Item/3")
                _ = try database.psql("UPDATE item SET price = 9 WHERE id = 3")
                guard case .refused? = try pages.submit("/delete/Item/3", seen) else { throw Unexpected() }
                guard case .done? = try pages.submit("/delete/Item/3", fields("/delete/Item/3")) else {
                    throw Unexpected()
                }
                try expect(database.psql("SELECT count(*) FROM item"), "2")
                guard case .done? = try pages.submit("/delete/Shelf/A", fields("/delete/Shelf/A")) else {
                    throw Unexpected()
                }
                try expect(database.psql("SELECT count(*) FROM item"), "0")
            }
        }

        @Test func `two servers are compared by id or key, with their collections`() throws {
            try withStore { database, address in
                try withStore { other, otherAddress in
                    try expect(lines("diff", address, otherAddress), ["No differences"])
                    try expect(lines("diff", address, address), ["No differences"])
                    _ = try other.psql(
                        """
                        UPDATE item SET price = 3.5, is_sold = 1 WHERE id = 2;
                        INSERT INTO item_tags (owner_id, position, value) VALUES (1, 4096, 'z');
                        DELETE FROM item WHERE id = 3;
                        INSERT INTO shelf (key, label) VALUES ('B', 'new'), ('a', NULL);
                        """)
                    try expect(
                        lines("diff", address, otherAddress),
                        [
                            "~ Item #1 tags: ['x', 'y'] → ['x', 'y', 'z']",
                            "~ Item #2 price: \"0.5\" → \"3.5\", isSold: false → true", "- Item #3", "+ Shelf B",
                            "+ Shelf a",
                        ])
                }
            }
        }

        @Test func `a file is compared with a server`() throws {
            func fillElements(_ store: Store) throws {
                try store.withSession { session in
                    let items = try Item.query.order(by: \.id).all()
                    (items[0].marks, items[0].days) = ([0.1, 2, -1e300, .infinity], [Date(timeIntervalSince1970: 0.5)])
                    items[0].codes = [1, 255].map { byte in
                        UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2))
                    }
                    (items[0].parts, items[0].offers) = (["b": [0, 255], "a": []], [nil, 0.10, 12])
                    (items[0].added, items[0].code) = (Date(timeIntervalSince1970: 1), items[0].codes[0])
                    items[0].rates = [2.50: items[0].codes[1], 10: items[0].codes[0]]
                    (items[1].tags, items[1].sizes) = (["it's \\ \"ü\"\n", ""], ["10": 1, "9": 2, "": .min])
                    try session.save(items)
                }
            }
            let file = try TemporaryStore()
            let local = try Store(file.path, engine: SQLiteEngine())
            try fill(local)
            try fillElements(local)
            local.close()
            try withStore { database, address in
                let server = try Store(.postgres(address))
                defer { server.close() }
                try fillElements(server)
                try expect(lines("diff", file.path, address), ["No differences"])
                try expect(lines("diff", address, file.path), ["No differences"])
                _ = try database.psql(
                    """
                    UPDATE item_marks SET value = 0.25 WHERE value = 2;
                    UPDATE item_parts SET value = '\\x01' WHERE key = 'a';
                    UPDATE item_offers SET value = 0.2 WHERE value = 0.1;
                    """)
                try expect(
                    lines("diff", file.path, address, "Item"),
                    [
                        "~ Item #1 marks: [-1e+300, 0.1, 2.0, inf] → [-1e+300, 0.1, 0.25, inf], "
                            + "parts: ['a': x'', 'b': x'00FF'] → ['a': x'01', 'b': x'00FF'], "
                            + "offers: [NULL, '0.1', '12'] → [NULL, '0.2', '12']"
                    ])
            }
        }
    }
#endif
