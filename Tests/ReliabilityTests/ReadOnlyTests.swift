import Foundation
import PersistentObjects
import TestSupport
import Testing

@Suite(.enabled(if: FileAccess.canRemoveWriting, "the right to write cannot be taken away here"))
struct ReadOnlyTests {
    @Test func `opening a file without write permission throws`() throws {
        let file = try TemporaryStore()
        try file.fill(2)
        let error = try FileAccess.withoutWriting(file.path) {
            try #require(throws: StoreError.self) { _ = try file.open() }
        }
        #expect(error.code == .readOnly)
        #expect(error.message.contains(file.path))
        try file.open().withSession { _ throws in #expect(try Person.count() == 2) }
    }

    @Test func `opening a file in a folder without write permission throws`() throws {
        let file = try TemporaryStore()
        try file.fill(2)
        let error = try FileAccess.withoutWriting(file.folder.path(percentEncoded: false)) {
            try #require(throws: StoreError.self) { _ = try file.open() }
        }
        #expect([.readOnly, .cannotOpen].contains(error.code))
        #expect(error.message.contains(file.path))
        try file.open().withSession { _ throws in #expect(try Person.count() == 2) }
    }

    @Test func `creating a file in a folder without write permission throws`() throws {
        let file = try TemporaryStore()
        let failure = try FileAccess.withoutWriting(file.folder.path(percentEncoded: false)) {
            code(of: { _ = try file.open() })
        }
        expect(failure, .cannotOpen)
    }

    @Test func `a log in a folder without write permission is not lost`() throws {
        let source = try TemporaryStore()
        let copy = try TemporaryStore()
        let store = try source.open(configuration: .quiet)
        try store.withSession { session throws in
            try session.save((0..<10).map { person("Name \($0)") })
            for end in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: source.path + end, toPath: copy.path + end)
            }
        }
        let failure = try FileAccess.withoutWriting(copy.folder.path(percentEncoded: false)) {
            code(of: { _ = try copy.open() })
        }
        #expect([.readOnly, .cannotOpen].contains(failure))
        try copy.open().withSession { _ throws in try expect(Person.count(), 10) }
    }
}
