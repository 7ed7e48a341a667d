import Foundation
import PersistentObjects
import PersistentObjectsTesting
import Testing

@testable import Atlas

struct FinderNameTests {
    @Test func `all finders are spelled correctly, except the finder that demonstrates the error`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Atlas")
            .standardizedFileURL.path(percentEncoded: false)
        let error = try #require(throws: FinderProblems.self) {
            try PersistentObject.checkFinders(
                of: [City.self, Country.self, Currency.self],
                inSources: sources)
        }
        #expect(error.problems.count == 1)
        #expect("\(error)".contains("/Tour/Tour+Objects.swift:") && "\(error)".contains(": City.findByNmae: "))
    }
}
