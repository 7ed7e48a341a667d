import TestSupport
import Testing

@testable import PersistentObjects

/// Edits that `encode(to:)` or `databaseValue` makes during a save are still edits after the save.
@Suite(.serialized) struct EditInEncodingTests {
    nonisolated(unsafe) static var onEncode: (() -> Void)?

    struct Value: Codable {
        var number = 0
        init() {}
        func encode(to encoder: any Encoder) throws {
            EditInEncodingTests.onEncode?()
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(number, forKey: .number)
        }
        enum CodingKeys: CodingKey { case number }
    }

    struct Own: PersistentValue, Equatable {
        static var columnType: ColumnType { .integer }
        var number: Int64 = 0
        init() {}
        init(databaseValue: DatabaseValue) { if case .integer(let number) = databaseValue { self.number = number } }
        var databaseValue: DatabaseValue {
            EditInEncodingTests.onEncode?()
            return .integer(number)
        }
    }

    /// A class without links.
    class Plain: PersistentObject {
        override class var tableName: String { "plain" }
        var first = 0
        var text = ""
        var value = Value()
        var own = Own()
        var last = 0
    }
    final class Linked: PersistentObject {
        override class var tableName: String { "linked" }
        var first = 0
        var value = Value()
        var values: [Value] = []
        var tags: [String] = []
        var friend: Linked?
    }

    /// Runs `body`, and calls `edit` at its first encodings.
    private func whileEncoding(_ edit: @escaping () -> Void, _ body: () throws -> Void) rethrows {
        var left = 40
        EditInEncodingTests.onEncode = {
            if left > 0 { left -= 1 }
            if left == 0 { return }
            edit()
        }
        defer { EditInEncodingTests.onEncode = nil }
        try body()
    }

    @Test func `an edit of the object made while an update encodes it remains an edit`() throws {
        try withTemporarySession { session, file in
            let object = Plain()
            try object.save()
            for change in [{ object.value.number += 1 }, { object.own.number += 1 }] {
                for edit in [{ object.first += 1 }, { object.last += 1 }, { object.text += "x" }] {
                    change()
                    (object.first, object.last, object.text) = (object.first + 1, object.last + 1, object.text + "y")
                    try whileEncoding(edit) { try object.save() }
                    let (first, last, text) = (object.first, object.last, object.text)
                    try session.saveChanges()
                    #expect(try file.sqlite("SELECT first, last, text FROM plain") == "\(first)|\(last)|\(text)")
                    #expect(!object.hasChanges)
                }
            }
        }
    }

    @Test func `an edit made while an insert encodes the object remains an edit, also of links`() throws {
        try withTemporarySession { session, file in
            let friend = Linked()
            try friend.save()
            let object = Linked()
            object.values = [Value()]
            try whileEncoding {
                object.first += 1
                object.friend = friend
                object.tags.append("t")
            } _: {
                try object.save()
            }
            let (first, tags) = (object.first, object.tags.count)
            #expect(first > 0 && object.friend === friend)
            try session.saveChanges()
            #expect(try file.sqlite("SELECT first, friend_id FROM linked WHERE id = 2") == "\(first)|1")
            #expect(try file.sqlite("SELECT count(*) FROM linked_tags") == "\(tags)")
            #expect(!object.hasChanges)
        }
    }
}
