import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// All column types, written and read, at their limits and beyond.
@Suite struct ScalarTests {
    @Test(arguments: everyScalar + everyRaw)
    func `extreme values of each type are read back unchanged, also in an optional`(
        _ type: any ScalarEdges.Type
    ) throws {
        try roundTrip(type)
    }

    private func roundTrip<T: ScalarEdges>(_: T.Type) throws {
        let store = try Store.inMemory()
        let edges = T.edges
        try store.withSession { session in
            try session.save(
                edges.map { edge in
                    let cell = Cell<T>()
                    cell.value = edge
                    cell.maybe = edge
                    return cell
                })
            let empty = Cell<T>()
            try empty.save()
            #expect(!empty.hasChanges)
            // Saving a single object uses another code path than saving many.
            for edge in edges {
                empty.value = edge
                empty.maybe = edge
                try empty.save()
                #expect(!empty.hasChanges)
                try empty.reload()
                #expect(empty.value.isIdentical(to: edge), "\(edge) became \(empty.value)")
                expect(empty.maybe?.isIdentical(to: edge), true, "\(edge) became \(String(describing: empty.maybe))")
            }
            empty.maybe = nil
            try empty.save()
        }
        try store.withSession { _ in
            let cells = try Cell<T>.all()
            expect(cells.count, edges.count + 1)
            for (cell, edge) in zip(cells, edges) {
                #expect(cell.value.isIdentical(to: edge), "\(edge) became \(cell.value)")
                expect(cell.maybe?.isIdentical(to: edge), true, "\(edge) became \(String(describing: cell.maybe))")
                #expect(!cell.hasChanges)
            }
            expect(cells.last.map { $0.maybe == nil }, true)
        }
    }

    @Test(arguments: everyScalar + everyRaw)
    func `a cell that the type cannot hold is an error with class, property and row, and other rows are read`(
        _ type: any ScalarEdges.Type
    ) throws {
        try refuseIntruders(type)
    }

    private func refuseIntruders<T: ScalarEdges>(_: T.Type) throws {
        let file = try TemporaryStore()
        let store = try file.open()
        let intruders = T.intruders
        let className = "\(Cell<T>.self)"
        try store.withSession { session in try session.save((0..<2).map { _ in Cell<T>() }) }
        var script = ""
        for (literal, _) in intruders {
            script += "INSERT INTO cell (value, maybe) SELECT \(literal), maybe FROM cell WHERE id = 1;"
        }
        // An optional accepts NULL.
        let optional = intruders.filter { $0.literal != "NULL" }
        for (literal, _) in optional {
            script += "INSERT INTO cell (value, maybe) SELECT value, \(literal) FROM cell WHERE id = 1;"
        }
        try file.sqliteUntyped("cell", columns: ["value", "maybe"], script)
        try store.withSession { _ in
            for (offset, (property, intruder)) in (intruders.map { ("value", $0) } + optional.map { ("maybe", $0) })
                .enumerated()
            {
                let id = Int64(offset) + 3
                let error = #expect(throws: StoreError.self, "\(intruder.literal)") { try Cell<T>.find(id) }
                #expect(error?.code == .typeMismatch)
                #expect(error?.className == className)
                #expect(error?.property == property)
                #expect(error?.rowID == id)
                #expect(error?.message.contains(intruder.complaint) == true, "\(intruder): \(error?.message ?? "")")
            }
            #expect(throws: StoreError.self) { try Cell<T>.all() }
            let others = try Cell<T>.find([2, 1])
            #expect(others.count == 2)
        }
    }

    @Test func `an integer in a REAL column and an integral REAL in an INTEGER column are read`() throws {
        let file = try TemporaryStore()
        try file.open().withSession { _ in
            try Cell<Int8>().save()
        }
        try file.sqliteUntyped(
            "cell", columns: ["value", "maybe"], "INSERT INTO cell (value, maybe) VALUES (3.0, -1e2)")
        try file.open().withSession { _ in
            let cell = try #require(try Cell<Int8>.find(2))
            #expect(cell.value == 3 && cell.maybe == -100)
            #expect(!cell.hasChanges)
        }
        let other = try TemporaryStore()
        try other.open().withSession { _ in try Cell<Double>().save() }
        try other.sqliteUntyped("cell", columns: ["value", "maybe"], "INSERT INTO cell (value, maybe) VALUES (3, 0)")
        try other.open().withSession { _ in
            let cell = try #require(try Cell<Double>.find(2))
            #expect(cell.value == 3 && cell.maybe == 0)
        }
    }

    @Test func `a save refuses numbers above Int64.max and NaN, with class and property`() throws {
        func refuse<T: ScalarEdges>(_ value: T, _ reason: String) throws {
            try Store.inMemory().withSession { _ in
                let cell = Cell<T>()
                cell.value = value
                let error = #expect(throws: StoreError.self) { try cell.save() }
                #expect(error?.code == .notRepresentable)
                #expect(error?.className == "\(Cell<T>.self)" && error?.property == "value" && error?.rowID == nil)
                #expect(error?.message.contains(reason) == true)
                #expect(cell.isNew)
                cell.value = T.edges[0]
                cell.maybe = value
                let other = #expect(throws: StoreError.self) { try cell.save() }
                #expect(other?.property == "maybe")
            }
        }
        try refuse(UInt64.max, "larger than Int64.max")
        try refuse(UInt64(Int64.max) + 1, "larger than Int64.max")
        try refuse(UInt.max, "larger than Int64.max")
        try refuse(Raw(rawValue: UInt64.max), "larger than Int64.max")
        for refusal in [
            nan(Double.nan), nan(Double.signalingNaN), nan(Float.nan), nan(Date(timeIntervalSinceReferenceDate: .nan)),
        ] {
            try refusal()
        }
        try nan(Decimal.nan)()
    }

    private func nan<T: ScalarEdges>(_ value: T) -> () throws -> Void {
        {
            try Store.inMemory().withSession { _ in
                let cell = Cell<T>()
                try cell.save()
                cell.value = value
                let error = #expect(throws: StoreError.self) { try cell.save() }
                #expect(error?.code == .notRepresentable && error?.property == "value" && error?.rowID == 1)
                cell.revert()
                cell.maybe = value
                let other = #expect(throws: StoreError.self) { try cell.save() }
                #expect(other?.property == "maybe")
                cell.maybe = nil
                try cell.save()
            }
        }
    }
}
