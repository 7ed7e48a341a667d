import Foundation
import PersistentObjects
import TestSupport
import Testing

@testable import PersistentInspector

/// Classes with more objects than are counted, and long values.
struct LargeContentTests {
    final class Track: PersistentObject {
        override class var tableName: String { "inspected_track" }
        override class var identity: Identity { .string }
        var name = ""
        var isLive = false
    }

    @Test func `in many objects an id and a key are found, and a page states what it has not read`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.prepare(Track.self)
        store.close()
        _ = try SQLiteTool.run(
            file.path,
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100002)
            INSERT INTO inspected_track (id, key, name) SELECT i, 'key ' || i, 'name ' || i FROM n
            """)
        let pages = InspectorPages(path: file.path)
        func page(_ path: String, _ query: [String: String]) throws -> String {
            try #require(try pages.page(path, query)).json
        }
        for text in ["100002", "key 100002"] {
            #expect(try page("/search", ["q": text]).contains("key 100002"), "\(text)")
        }
        #expect(try page("/search", ["q": "name 500"]).contains("key 500"))
        let none = try page("/search", ["q": "name 100002"])
        #expect(none.contains("No object was found") && none.contains("the strings of the first 100,000 objects"))
        let facet = try #require(try pages.page("/class/Track", ["facet": "isLive"]))
        let facets = facet.sections.compactMap { if case .facets(let facets) = $0 { facets } else { nil } }
        #expect(facets.first?.first?.remark == "among the first 100,000 objects")
    }

    @Test func `deep lists are indented up to a number of characters`() {
        let deep = JSONText.indented(String(repeating: "[", count: 500_000), 20_000)
        #expect((20_001..<50_000).contains(deep.utf8.count))
        #expect(JSONText.indented("{\"a\":[1]}", 20_000) == "{\n  \"a\": [\n    1\n  ]\n}")
    }

    #if Encryption
        @Test func `an encrypted file is refused with what to do`() throws {
            let file = try TemporaryStore()
            let keys = try Keyring.file(file.folder.appending(path: "keys.po").path)
            let store = try file.open(configuration: .init(encryption: .file(keys)))
            try store.prepare(Track.self)
            store.close()
            for words in [[], ["classes"], ["check"]] {
                let message = refusal([file.path] + words)
                #expect(message.contains("is encrypted") && message.contains("encryption: .none"), "\(message)")
            }
        }
    #endif
}
