import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// A single wrong read of the disk does not mean that the file is damaged.
@Suite struct WrongReadTests {
    @Test func `a page that was read incorrectly once is not reported as damage, and is read again`() throws {
        let folder = try FaultyFolder()
        try folder.file.fill(200)
        var codes: Set<StoreError.Code?> = []
        for number in 1...12 {
            let store = try folder.file.open(configuration: .init(lostEdits: .ignore, cacheSize: 0))
            try store.withSession { session throws in
                _ = try Person.count()
                folder.arm(.garble, at: number)
                let error = code(of: { _ = try Person.all() })
                folder.disarm()
                codes.insert(error)
                try expect(Person.all().count, 200, "\(number)")
                expect(session.busyStatementCount, 0)
            }
            store.close()
        }
        // An encrypted page that is wrong is read again at once.
        #expect(codes.contains(.inputOutput) != TestEngine.isSealed, "\(codes)")
        #expect(codes.isDisjoint(with: [.corrupt, .notADatabase, .damaged, .wrongKey]), "\(codes)")
    }

    @Test func `a failed read is never reported as damage`() throws {
        let folder = try FaultyFolder()
        try folder.file.fill(50)
        for number in 1...20 {
            folder.arm(.failure, at: number, of: .read)
            let error = code(of: {
                let store = try folder.file.open(configuration: .init(cacheSize: 0))
                try store.withSession { _ throws in _ = try Person.all() }
            })
            folder.disarm()
            #expect([nil, .inputOutput].contains(error), "\(number): \(String(describing: error))")
        }
    }

    @Test func `a page that is damaged in the file is reported as possible damage`() throws {
        let file = try TemporaryStore()
        try file.fill(200)
        var data = try file.contents
        for page in 3..<data.count / 4096 {
            data.replaceSubrange(page * 4096..<page * 4096 + 100, with: repeatElement(0xEE, count: 100))
        }
        try file.write(data)
        let error = try #require(throws: StoreError.self) {
            try file.open(configuration: .quiet).withSession { _ throws in _ = try Person.all() }
        }
        expect(error.code, TestEngine.isSealed ? .damaged : .corrupt)
        #expect(error.message.contains(TestEngine.isSealed ? "were changed" : "may be damaged"))
    }
}
