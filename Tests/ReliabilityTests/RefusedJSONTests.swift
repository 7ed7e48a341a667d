import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// JSON that is invalid, or that contains values that no object can hold, is an error and changes no object.
struct RefusedJSONTests {
    @Test(arguments: [
        #"{"tags":["a" "b"]}"#, #"{"age":-}"#, "{\"name\":\"a\u{1}b\"}", #"{"name":"\"#, #"{"name":"\ud800\u0041"}"#,
        #"{"name":"\u12g4"}"#, #"{"name":"\ud800x"}"#, #"{"name":""#, #"{"name":"a",}"#, #"{"name" 1}"#, "[1", "{]",
    ])
    func `creating an object from invalid JSON throws`(text: String) throws {
        try withTemporarySession(.quiet) { _, _ throws in
            let error = #expect(throws: TransferError.self) { try FaultMember(json: Data(text.utf8)) }
            expect(error?.description.isEmpty, false)
        }
    }

    @Test func `creating an object from JSON that is not valid UTF-8 throws`() throws {
        try withTemporarySession(.quiet) { _, _ throws in
            let bytes = Array(#"{"name":""#.utf8) + [0xff, 0xc0] + Array(#""}"#.utf8)
            #expect(throws: TransferError.self) { try FaultMember(json: Data(bytes)) }
        }
    }

    @Test(arguments: [
        #"{"friend":1.5}"#, #"{"friend":"one"}"#, #"{"club":5}"#, #"{"scores":[1]}"#, #"{"tags":{"a":1}}"#,
        #"{"letters":{"a":1}}"#, #"{"name":null}"#, #"{"name":5}"#, #"{"age":"five"}"#, #"{"members":[]}"#,
        #"{"nothing":1}"#, #"{"friend":99}"#, #"{"byName":[1]}"#, #"{"born":"yesterday"}"#, #"{"photo":"*"}"#,
    ])
    func `a value that a property cannot hold is rejected, and the error names the property`(text: String) throws {
        try withTemporarySession(.quiet) { _, _ throws in
            let error = #expect(throws: TransferError.self) { try FaultMember(json: Data(text.utf8)) }
            let name = text.split(separator: "\"")[1]
            expect(error?.description.contains(name), true)
        }
    }

    @Test func `an inverse in JSON is rejected, and the error names the property`() throws {
        try withTemporarySession(.quiet) { _, _ throws in
            let error = #expect(throws: TransferError.self) {
                try FaultClub(json: Data(#"{"key":"go","members":[1]}"#.utf8))
            }
            expect(error?.description.contains("members"), true)
        }
    }

    @Test func `an object that occurs twice in a set is rejected`() throws {
        try withTemporarySession(.quiet) { _, _ throws in
            let member = FaultMember()
            try member.save()
            let id = try #require(member.id)
            let error = #expect(throws: TransferError.self) {
                try FaultTrainer(json: Data("{\"trained\":[\(id),\(id)]}".utf8))
            }
            expect(error?.description.contains("trained"), true)
        }
    }

    @Test(arguments: [#"{"name":"a"}"#, #"{"$class":5,"name":"a"}"#, #"{"$class":"Nobody","name":"a"}"#, "[{},"])
    func `a file without valid class names imports nothing`(text: String) throws {
        try withTemporaryStore(.quiet) { store, file throws in
            let url = file.folder.appending(path: "objects.json")
            try Data(text.utf8).write(to: url)
            #expect(throws: TransferError.self) { try store.import([FaultMember.self, FaultClub.self], from: url) }
            let count = try store.withSession { _ throws in try FaultMember.count() }
            #expect(count == 0)
        }
    }

    @Test func `importing from a URL that is not a file throws`() throws {
        try withTemporaryStore(.quiet) { store, _ throws in
            let url = try #require(URL(string: "https://example.org/members.json"))
            #expect(throws: TransferError.self) { try store.import(FaultMember.self, from: url) }
        }
    }
}
