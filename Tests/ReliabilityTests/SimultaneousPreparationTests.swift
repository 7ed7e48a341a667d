import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Two processes create the tables of the same classes. A second store takes the role of the other process.
struct SimultaneousPreparationTests {
    class Item: PersistentObject {
        @Unique var number = 0
        var list: [Int] = []
        var parts: [Part] = []
    }

    final class Tool: Item {
        var weight = 1.0
    }

    final class Part: PersistentObject {
        @OnDelete(.cascade) var item: Item?
    }

    @Test func `a first use accepts tables that another process creates meanwhile, at any statement`() throws {
        var statement = 0
        var isOver = false
        while !isOver {
            statement += 1
            let file = try TemporaryStore()
            let (store, other) = (try Store(file.path), try Store(file.path, configuration: .waiting(.zero)))
            try store.withSession { session in
                var count = 0
                session.connection.trace { _ in
                    count += 1
                    guard count == statement else { return }
                    // Once the first store writes, the other store has to wait.
                    do { try other.prepare(Tool.self, Part.self) } catch { isOver = true }
                }
                let (tool, part) = (Tool(), Part())
                (tool.list, tool.parts, part.item) = ([1, 2], [part], tool)
                #expect(throws: Never.self, "at statement \(statement)") { () throws in try tool.save() }
                session.connection.trace(nil)
                isOver = isOver || count < statement
            }
            let report = try store.checkIntegrity()
            #expect(report.problems.isEmpty, "at statement \(statement): \(report)")
            store.close()
            other.close()
        }
        #expect(statement > 4)
    }
}
