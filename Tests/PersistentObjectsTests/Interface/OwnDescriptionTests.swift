import TestSupport
import Testing

@testable import PersistentObjects

/// The descriptions of objects: the library's default, or the class's own.
struct OwnDescriptionTests {
    class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var name = "x"
    }

    final class Tag: PersistentObject, CustomStringConvertible {
        override class var tableName: String { "tag" }
        var name = "x"
        var description: String { "Tag \(name)" }
    }

    final class Note: PersistentObject {
        override class var tableName: String { "note" }
        var description = "a text"
    }

    @Test func `a class without its own description shows its properties`() {
        let plain = Plain()
        let any: any Persistent = plain
        #expect("\(plain)" == "Plain (new) { name: \"x\" }" && String(describing: any) == "\(plain)")
        #expect(plain.description == "\(plain)" && plain.debugDescription == "\(plain)" && "\([plain])" == "[\(plain)]")
        #expect(String(reflecting: plain) == "\(plain)")
    }

    @Test func `a class's own description is printed, and debugDescription shows the properties`() {
        let tag = Tag()
        let object: PersistentObject = tag
        #expect("\(tag)" == "Tag x" && "\(object)" == "Tag x" && String(describing: tag as Any) == "Tag x")
        #expect(tag.debugDescription == "Tag (new) { name: \"x\" }" && "\([tag])" == "[\(tag.debugDescription)]")
    }

    @Test func `a stored property can be named description`() throws {
        try withTemporarySession { session, _ throws in
            let note = Note()
            try session.save([note])
            #expect("\(note)" == "Note #1 { description: \"a text\" }" && note.description == "a text")
            #expect(try Note.findBy.description("a text") == [note])
        }
    }
}
