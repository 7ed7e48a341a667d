import TestSupport
import Testing

@testable import PersistentObjects

/// `requireValid`: problems of referenced objects.
struct AssociationTests {
    final class Node: PersistentObject {
        override class var tableName: String { "node" }
        var name = ""
        var next: Node?
        var others: [Node] = []

        override func validate(_ problems: inout Problems) {
            problems.require(!name.isEmpty, \Node.name, "must not be empty")
            problems.requireValid(\Node.next)
            problems.requireValid(\Node.others, "has bad ones")
        }
    }

    private func chain(_ count: Int) throws -> [Node] {
        let nodes = (0..<count).map { _ in Node() }
        for (index, node) in nodes.enumerated() {
            node.name = "\(index)"
            if index + 1 < count { node.next = nodes[index + 1] }
        }
        return nodes
    }

    @Test func `an object that refers to an invalid object is invalid`() throws {
        try withTemporarySession { session, file throws in
            let nodes = try chain(3)
            try nodes[0].save()
            _ = try file.sqlite("UPDATE node SET name = '' WHERE id = (SELECT max(id) FROM node)")
            try session.refresh()
            let broken = try #require(nodes.first { $0.name.isEmpty })
            // The object is not validated itself, because it has no changes to save.
            #expect(try broken.isValid)
            let head = Node()
            (head.name, head.others) = ("head", [nodes[0], nodes[1]])
            let error = #expect(throws: StoreError.self) { () throws in try head.save() }
            expect(error?.problems.map(\.description), ["Node.others: has bad ones"])
            head.others = []
            head.next = broken
            try expect(head.problems.map(\.message), ["is not valid: name must not be empty"])
            head.next = nil
            try head.save()
        }
    }

    @Test func `validation of rings terminates`() throws {
        try withTemporarySession { _, _ throws in
            let nodes = try chain(3)
            nodes[2].next = nodes[0]
            try nodes[0].save()
            nodes[1].name = ""
            let error = #expect(throws: StoreError.self) { () throws in try nodes[0].save() }
            expect(error?.problems.map(\.description), ["Node.name #2: must not be empty"])
            nodes[0].next = nodes[1]
            nodes[0].name = "new"
            #expect(try nodes[0].isValid)
            nodes[2].next = nil
        }
    }

    @Test func `a long chain is validated without a deep stack`() throws {
        try onSmallStack {
            try withTemporarySession { _, _ throws in
                let nodes = try self.chain(20_000)
                nodes[19_999].name = ""
                let error = #expect(throws: StoreError.self) { () throws in try nodes[0].save() }
                #expect(error?.problems.count == 20_000)
                nodes[19_999].name = "end"
                try nodes[0].save()
                #expect(try Node.count() == 20_000)
            }
        }
    }
}
