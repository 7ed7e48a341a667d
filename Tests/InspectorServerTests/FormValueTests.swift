#if Inspector
    import Foundation
    import LoopbackHTTP
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import InspectorServer
    @testable import PersistentInspector

    /// Values that a form or a browser could change on their way.
    struct FormValueTests {
        struct Spot: Codable {
            var city = ""
            var zip: String?
        }

        final class Letter: PersistentObject {
            override class var tableName: String { "served_letter" }
            var text = ""
            var note: String?
            var isSent = false
            var data = Data()
            var number: Float = 0
            @Unique var code: String?
            @Embedded var place: Spot?
        }

        /// Whether the program's classes write.
        private static let editors = [true, false]

        private func withLetter(
            _ hasClasses: Bool, text: String = "", _ body: (Store, _ path: String, Editing) throws -> Void
        ) throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { session in
                let letters = (0..<2).map { number in
                    let letter = Letter()
                    (letter.text, letter.code) = (number == 0 ? text : "", "c\(number)")
                    return letter
                }
                try session.save(letters)
            }
            let editor: any InspectorEditor =
                hasClasses ? StoreEditor(store, path: file.path) : FileEditor(path: file.path)
            try body(store, file.path, Editing(file.path, editor))
            store.close()
            #expect(try file.isSound)
        }

        private func text(_ path: String, _ column: String = "text") throws -> String {
            try SQLiteTool.run(path, "SELECT hex(\(column)) FROM served_letter WHERE id = 1")
        }

        private func hex(_ text: String) -> String { ValueText.hexadecimal(Array(text.utf8)) }

        @Test(arguments: editors)
        func `a text with line breaks can be edited again and again`(_ hasClasses: Bool) throws {
            try withLetter(hasClasses, text: "one\ntwo") { _, path, editing throws in
                for text in ["one\nthree", "\nfour\n", "five"] {
                    let answer = try editing.submit("/edit/Letter/1", ["v.text": text])
                    #expect(answer.status == 303, "\(answer.text)")
                    #expect(try self.text(path) == hex(text))
                }
            }
        }

        @Test(arguments: editors)
        func `a text keeps its kind of line breaks, and no text is changed by another edit`(_ hasClasses: Bool) throws {
            for (text, changed) in [("a\r\nb", "a\r\nc"), ("a\rb", "a\rc"), ("a\r\nb\nc", nil), ("a\0b", nil)] {
                try withLetter(hasClasses, text: text) { _, path, editing throws in
                    #expect(try editing.submit("/edit/Letter/1", ["v.note": "x"]).status == 303)
                    #expect(try self.text(path) == hex(text))
                    #expect(try self.text(path, "note") == hex("x"))
                    let page = try editing.page("/edit/Letter/1")
                    #expect(page.contains("name=\"v.text\"") == (changed != nil))
                    guard let changed else { return }
                    #expect(try editing.submit("/edit/Letter/1", ["v.text": "a\nc"]).status == 303)
                    #expect(try self.text(path) == hex(changed))
                }
            }
        }

        @Test(arguments: editors)
        func `a text with other characters that are equal in Swift is a change`(_ hasClasses: Bool) throws {
            try withLetter(hasClasses, text: "e\u{301}") { store, path, editing throws in
                let page = try editing.page("/edit/Letter/1")
                #expect(try editing.submit("/edit/Letter/1", ["v.text": "\u{E9}"]).status == 303)
                #expect(try text(path) == hex("\u{E9}"))
                // The form that was shown before has another value now.
                let shown = try #require(page.firstMatch(of: /name="s.text" value="([^"]*)"/)).1
                let late = try editing.submit("/edit/Letter/1", ["v.text": "z", "s.text": String(shown)])
                #expect(late.status == 422 && late.text.contains("Letter #1 was changed meanwhile"))
            }
        }

        @Test(arguments: editors)
        func `a text that is too long for a form is measured, and other properties are edited`(_ hasClasses: Bool)
            throws
        {
            let long = String(repeating: "long line\n", count: 200_000)
            try withLetter(hasClasses, text: long) { _, path, editing throws in
                let page = try editing.page("/edit/Letter/1")
                #expect(page.contains("it has more than 20,000 characters") && page.utf8.count < 100_000)
                #expect(try editing.submit("/edit/Letter/1", ["v.note": "x"]).status == 303)
                let sum = "SELECT length(text), note FROM served_letter WHERE id = 1"
                #expect(try SQLiteTool.run(path, sum) == "2000000|x")
                for address in ["/class/Letter", "/object/Letter/1", "/sql?q=x", "/find?q=x"] {
                    let answer = try editing.send {
                        $0.path = String(address.prefix { $0 != "?" })
                        $0.query["q"] =
                            address.hasPrefix("/sql") ? "SELECT text FROM served_letter" : "Letter.findById(1)"
                    }
                    #expect(answer.status == 200 && answer.body.count < 100_000, "\(address)")
                    #expect(answer.text.contains("long line"))
                }
            }
        }

        @Test(arguments: editors) func `a Bool that is neither true nor false stays what it is`(_ hasClasses: Bool)
            throws
        {
            try withLetter(hasClasses) { store, path, editing throws in
                if hasClasses { return }
                _ = try SQLiteTool.run(path, "UPDATE served_letter SET is_sent = 7")
                #expect(try editing.submit("/edit/Letter/1", ["v.note": "x"]).status == 303)
                #expect(try SQLiteTool.run(path, "SELECT is_sent, note FROM served_letter WHERE id = 1") == "7|x")
                #expect(try editing.submit("/edit/Letter/1", ["v.isSent": "true"]).status == 303)
                #expect(try SQLiteTool.run(path, "SELECT is_sent FROM served_letter WHERE id = 1") == "1")
            }
        }

        @Test(arguments: editors)
        func `numbers are rounded to a Float, digits are bytes, and a number is never infinite`(
            _ hasClasses: Bool
        ) throws {
            try withLetter(hasClasses) { store, path, editing throws in
                let values = ["v.number": "0.1", "v.data": "0012"]
                #expect(try editing.submit("/edit/Letter/1", values).status == 303)
                try store.withSession { _ throws in
                    let letter = try #require(try Letter.find(1))
                    #expect(letter.number == 0.1 && letter.data == Data([0, 0x12]))
                }
                for number in ["1e39", "1e999"] {
                    #expect(try editing.submit("/edit/Letter/1", ["v.number": number]).status == 422)
                }
            }
        }

        @Test func `a value that must be unique is refused with the property`() throws {
            try withLetter(false) { _, path, editing throws in
                let answer = try editing.submit("/edit/Letter/1", ["v.code": "c1"])
                #expect(answer.status == 422 && answer.text.contains("Letter #1.code: another object has the value"))
                #expect(!answer.text.contains("SQLite"))
            }
        }

        @Test func `the fields of an embedded value that is nil are not edited without the classes`() throws {
            try withLetter(false) { store, path, editing throws in
                let page = try editing.page("/edit/Letter/1")
                #expect(page.contains("place is nil, and only its program can make the value"))
                #expect(!page.contains("v.place"))
                try store.withSession { _ throws in
                    let letter = try #require(try Letter.find(1))
                    letter.place = Spot(city: "Graz")
                    try letter.save()
                }
                #expect(try editing.submit("/edit/Letter/1", ["v.place.city": "Wien"]).status == 303)
                let refused = try editing.submit("/edit/Letter/1", ["v.place.city": "", "n.place.city": "1"])
                #expect(refused.status == 422 && refused.text.contains("Letter.place.city cannot be set to nil here"))
                try store.withSession { _ throws in #expect(try Letter.find(1)?.place?.city == "Wien") }
            }
        }

        @Test func `a value of an address can contain NUL`() throws {
            let file = try TemporaryStore()
            let store = try file.open()
            try store.withSession { _ in
                let letter = Letter()
                letter.text = "a\0b"
                try letter.save()
            }
            store.close()
            let inspector = try Inspector.serve(path: file.path)
            defer { inspector.stop() }
            let port = UInt16(try #require(URLComponents(string: inspector.address)?.port))
            let cookie = "Cookie: inspector-\(port)=\(inspector.address.suffix(32))"
            for (text, count) in [("a%00b", 1), ("a%00c", 0)] {
                let request = get("/class/Letter.json?p1=text&o1=is&v1=\(text)", [cookie], port: port)
                #expect(try exchange(request, port: port).contains("\(count) object"), "\(text)")
            }
        }
    }
#endif
