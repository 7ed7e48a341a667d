#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer
    @testable import PersistentInspector

    /// Forms that change objects, with and without the program's classes.
    struct EditingTests {
        private func withFile(_ body: (_ path: String, Editing) throws -> Void) throws {
            let file = try TemporaryStore()
            let path = try makeServedFile(file)
            try body(path, Editing(path, FileEditor(path: path)))
            #expect(try file.isSound)
        }

        private func withStore(_ body: (Store, _ path: String, Editing) throws -> Void) throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try fillServedStore(store, gadgets: 3)
            try body(store, file.path, Editing(file.path, StoreEditor(store, path: file.path)))
            store.close()
            #expect(try file.isSound)
        }

        // MARK: Without classes

        @Test func `a form without the classes writes the changed values, after the file was copied`() throws {
            try withFile { path, editing throws in
                let page = try editing.page("/edit/Gadget/1")
                #expect(page.contains("The validations and hooks of the program do not run"))
                #expect(page.contains("<option value=\"used\">") && page.contains("placeholder=\"id of a Maker\""))
                #expect(page.contains("it is a collection") && page.contains("only its program can encode"))
                let answer = try editing.submit(
                    "/edit/Gadget/1",
                    [
                        "v.price": "9", "v.condition": "broken", "v.isSold": "false", "v.built": "2020-02-29",
                        "v.maker": "2", "v.name": "nil",
                    ])
                #expect(answer.status == 303 && answer.headers["Location"] == "/object/Gadget/1")
                let sql = "SELECT name, price, condition, is_sold, built, maker_id FROM gadget WHERE id = 1"
                #expect(try SQLiteTool.run(path, sql) == "nil|9|broken|0|604627200.0|2")
                #expect(try SQLiteTool.run(path + ".before-edit", sql).hasPrefix("gadget 0|7|new|1||1"))
                #expect(try editing.submit("/edit/Gadget/1", ["n.built": "1"]).status == 303)
                #expect(try SQLiteTool.run(path, sql) == "nil|9|broken|0||2")
            }
        }

        @Test func `a form without a change writes nothing`() throws {
            try withFile { path, editing throws in
                let before = try Data(contentsOf: URL(filePath: path))
                for object in ["Gadget/1", "Maker/1", "Review/1"] {
                    #expect(try editing.submit("/edit/\(object)", [:]).status == 303)
                }
                #expect(try Data(contentsOf: URL(filePath: path)) == before)
                #expect(!FileManager.default.fileExists(atPath: path + ".before-edit"))
            }
        }

        @Test func `a value that changed meanwhile, or that the property cannot have, is refused with the form`() throws
        {
            try withFile { path, editing throws in
                let old = PlaceText.text(.integer(6))
                let late = try editing.submit("/edit/Gadget/1", ["v.price": "9", "s.price": old])
                #expect(
                    late.status == 422 && late.text.contains("Gadget #1 was changed meanwhile. Nothing was written."))
                for (values, reason) in [
                    (["v.price": "x"], "Gadget.price: "),
                    (["v.condition": "gone"], "has no case with the raw value gone"),
                    (["v.maker": "99"], "has no Maker #99"), (["v.built": "soon", "n.built": nil], "Gadget.built: "),
                    (["v.price": ""], "Gadget.price: "),
                ] as [([String: String?], String)] {
                    let answer = try editing.submit("/edit/Gadget/1", values)
                    #expect(answer.status == 422 && answer.text.contains(reason), "\(values): \(answer.text)")
                }
                let kept = try editing.submit("/edit/Gadget/1", ["v.price": "1x"])
                #expect(kept.text.contains("value=\"1x\""))
                #expect(try SQLiteTool.run(path, "SELECT price FROM gadget WHERE id = 1") == "7")
                #expect(!FileManager.default.fileExists(atPath: path + ".before-edit"))
            }
        }

        @Test func `a deletion shows its effects first, and then has them`() throws {
            try withFile { path, editing throws in
                let preview = try editing.page("/delete/Gadget/1")
                #expect(preview.contains("2 objects of class Review are deleted too."))
                let part = try editing.page("/delete/Gadget/2")
                #expect(part.contains("1 link by Gadget.parts is removed."))
                #expect(try editing.page("/delete/Maker/1").contains("Maker #1.gadgets denies the deletion"))
                #expect(!(try editing.page("/delete/Maker/1").contains("method=\"post\"")))
                let count =
                    "SELECT count(*) FROM gadget; SELECT count(*) FROM review; SELECT count(*) FROM gadget_parts"
                #expect(try SQLiteTool.run(path, count) == "3\n2\n2")
                let late = try editing.submit("/delete/Gadget/1", ["seen": "0"])
                #expect(late.status == 422 && late.text.contains("Nothing was deleted"))
                #expect(try editing.submit("/delete/Gadget/2", [:]).headers["Location"] == "/class/Gadget")
                #expect(try SQLiteTool.run(path, count) == "2\n2\n1")
                #expect(try editing.submit("/delete/Gadget/1", [:]).status == 303)
                #expect(try SQLiteTool.run(path, count) == "1\n0\n0")
                #expect(try SQLiteTool.run(path + ".before-edit", count) == "3\n2\n2")
            }
        }

        @Test func `without the classes no object can be created, and nothing can be undone`() throws {
            try withFile { _, editing throws in
                #expect(try editing.send { $0.path = "/new/Gadget" }.status == 404)
                #expect(!(try editing.page("/object/Gadget/1").contains("action=\"/undo\"")))
            }
        }

        // MARK: With classes

        @Test func `edits through the classes run validations and hooks, and reach the program`() throws {
            try withStore { store, path, editing throws in
                try store.withSession { session throws in
                    let review = try #require(try Review.find(1))
                    #expect(review.stars == 5 && review.saveCount == 1)
                    let refused = try editing.submit("/edit/Review/1", ["v.stars": "9"])
                    #expect(
                        refused.status == 422 && refused.text.contains("stars") && refused.text.contains("value=\"9\""))
                    #expect(try editing.submit("/edit/Review/1", ["v.stars": "3", "v.gadget": "2"]).status == 303)
                    #expect(try Review.findByStars(3) == [review])
                    #expect(review.saveCount == 2 && review.gadget?.name == "gadget 1")
                }
                #expect(try SQLiteTool.run(path, "SELECT stars, save_count FROM review WHERE id = 1") == "3|2")
                #expect(!FileManager.default.fileExists(atPath: path + ".before-edit"))
            }
        }

        @Test func `values of all kinds are written through the classes`() throws {
            try withStore { store, _, editing throws in
                let answer = try editing.submit(
                    "/edit/Gadget/2",
                    [
                        "v.size": "{\"width\":3,\"height\":4}", "v.photo": "00FF", "v.condition": "broken",
                        "v.built": "2020-02-29T12:00:00Z", "n.built": nil, "v.maker": "", "n.maker": "1",
                        "v.name": "a\r\nb",
                    ])
                #expect(answer.status == 303, "\(answer.text)")
                try store.withSession { _ throws in
                    let gadget = try #require(try Gadget.find(2))
                    #expect(gadget.size.width == 3 && gadget.photo == Data([0, 255]) && gadget.condition == .broken)
                    #expect(gadget.built == Date(timeIntervalSinceReferenceDate: 604_670_400))
                    #expect(gadget.maker == nil && gadget.name == "a\nb")
                    #expect(try gadget.history.all().last?.author == "inspector")
                }
                let wrong = try editing.submit("/edit/Gadget/2", ["v.size": "{"])
                #expect(wrong.status == 422 && wrong.text.contains("this is not valid JSON"))
            }
        }

        @Test func `objects are created and deleted through the classes, and each edit can be undone`() throws {
            try withStore { store, path, editing throws in
                let count = "SELECT count(*) FROM gadget; SELECT count(*) FROM review"
                let made = try editing.submit("/new/Review", ["v.text": "new", "v.stars": "1", "v.gadget": "3"])
                #expect(made.headers["Location"] == "/object/Review/3", "\(made.text)")
                #expect(
                    try SQLiteTool.run(path, "SELECT text, stars, gadget_id, save_count FROM review WHERE id = 3")
                        == "new|1|3|1")
                #expect(try editing.submit("/new/Review", ["v.stars": "7"]).status == 422)
                #expect(try editing.submit("/delete/Gadget/1", [:]).status == 303)
                #expect(try SQLiteTool.run(path, count) == "2\n1")
                #expect(try editing.page("/").contains("Undo: Deletion of Gadget #1"))
                #expect(try editing.submit("/live", [:]).status == 404)
                func undo() throws -> Response {
                    try editing.send {
                        ($0.method, $0.path, $0.sentOrigin) = ("POST", "/undo", "http://127.0.0.1:4000")
                        $0.sentForm = ["form": editing.site.access.formToken]
                    }
                }
                #expect(try undo().status == 303)
                #expect(try SQLiteTool.run(path, count) == "3\n3")
                #expect(try undo().status == 303)
                #expect(try SQLiteTool.run(path, count) == "3\n2")
                #expect(!(try editing.page("/").contains("action=\"/undo\"")))
                try store.withSession { _ throws in #expect(try Review.count() == 2) }
            }
        }

        @Test func `a denied deletion is refused by the classes too`() throws {
            try withStore { _, path, editing throws in
                let pages = InspectorPages(path: path, editor: StoreEditor(try Store(path), path: path))
                let file = try InspectedFile(path)
                let state = try file.object(file.description(of: "Maker"), "1").state
                let outcome = try pages.submit("/delete/Maker/1", ["seen": state])
                guard case .refused? = outcome else {
                    Issue.record("The deletion was not refused")
                    return
                }
                #expect(try SQLiteTool.run(path, "SELECT count(*) FROM maker") == "2")
                #expect(!(try editing.page("/delete/Maker/1").contains("method=\"post\"")))
            }
        }
    }
#endif
