import Foundation
import PersistentObjects
import TestSupport
import Testing

@Suite struct DamagedFileTests {
    @Test func `a file that is no database is refused at open`() throws {
        let file = try TemporaryStore()
        try Data("This is a letter to my aunt, and she is no database either. Not at all.".utf8).write(to: URL(filePath: file.path))
        #expect { try file.open() } throws: { ($0 as? StoreError)?.code == .notADatabase }
    }
}
