import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Properties that become collections, collections that change their kind or element type, and collections that
/// become values.
struct CollectionChangeTests {
    /// A version of a class with one optional property.
    enum Version<Value: Sendable> {
        final class Box: PersistentObject {
            override class var tableName: String { "box" }
            var name = ""
            var value: Value? = nil
        }
    }

    /// A version of a class with one required property.
    enum Required<Value: Initial & Sendable> {
        final class Box: PersistentObject {
            override class var tableName: String { "box" }
            var name = ""
            var value = Value.initial
        }
    }

    protocol Initial { static var initial: Self { get } }

    private func change<From: Sendable & Equatable, To: Sendable & Equatable>(
        _ values: [From?], to wanted: [To?]
    ) throws {
        let file = try TemporaryStore()
        try fill(file, values)
        try expect(file, wanted)
        // Objects that are added after the change are stored in the same way.
        try withStore(file) { () throws in
            let box = Version<To>.Box()
            box.value = wanted.last ?? nil
            try box.save()
        }
        try expect(file, wanted + [wanted.last ?? nil])
        #expect(try file.sqlite("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
        #expect(
            try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'po_new%' OR name LIKE 'po_former%'")
                == "0")
    }

    private func refuse<From: Sendable & Equatable, To: Sendable & Equatable>(
        _ values: [From?], to _: To.Type, row: Int64
    ) throws {
        let file = try TemporaryStore()
        try fill(file, values)
        let before = try file.sqlite(".dump")
        let error = #expect(throws: SchemaError.self) { try withStore(file) { _ = try Version<To>.Box.all() } }
        guard case .notConvertible("Box", "value", row, nil, _, _)? = error else {
            throw error ?? .isAbstract(className: "")
        }
        #expect(try file.sqlite(".dump") == before)
    }

    private func fill<From: Sendable>(_ file: TemporaryStore, _ values: [From?]) throws {
        try withStore(file) { () throws in
            for (index, value) in values.enumerated() {
                let box = Version<From>.Box()
                (box.name, box.value) = ("\(index)", value)
                try box.save()
            }
        }
    }

    private func expect<To: Sendable & Equatable>(_ file: TemporaryStore, _ wanted: [To?]) throws {
        try withStore(file) { () throws in
            let found = try Version<To>.Box.query.order(by: \.id).all().map(\.value)
            #expect(found == wanted, "\(To.self)")
        }
    }

    private func withStore(_ file: TemporaryStore, _ body: () throws -> Void) throws {
        let store = try Store(file.path)
        defer { store.close() }
        try store.withSession { _ throws in try body() }
    }

    @Test func `a value becomes the only element of a collection, and nil stays nil`() throws {
        try change([1, nil, 3], to: [[1], nil, [3]] as [[Int]?])
        try change([1, nil, 3], to: [["1"], nil, ["3"]] as [[String]?])
        try change(["a", nil], to: [Set(["a"]), nil])
        try change([7, nil], to: [[0: 7], nil] as [[Int: Int]?])
        try change([Data([1]), nil], to: [[Data([1])], nil] as [[Data]?])
    }

    @Test func `a collection with one element becomes the value, and one with several is refused`() throws {
        try change([[1], nil, [3]] as [[Int]?], to: [1, nil, 3])
        try change([["1"], nil] as [[String]?], to: [1, nil])
        try change([Set(["a"]), nil], to: ["a", nil])
        try change([[0: 7], nil] as [[Int: Int]?], to: [7, nil])
        try refuse([[1], [1, 2]] as [[Int]?], to: Int.self, row: 2)
        try refuse([["a"]] as [[String]?], to: Int.self, row: 1)
    }

    @Test func `elements are converted to another type and keep their order`() throws {
        try change([[3, 1, 2], [], nil] as [[Int]?], to: [["3", "1", "2"], [], nil] as [[String]?])
        try change([["1.5", "2"], nil] as [[String]?], to: [[1.5, 2], nil] as [[Double]?])
        try change(
            [["a": 1, "b": 2], [:], nil] as [[String: Int]?],
            to: [["a": 1.0, "b": 2], [:], nil] as [[String: Double]?])
        try change([[1: "a"], nil] as [[Int: String]?], to: [["1": "a"], nil] as [[String: String]?])
        try change([[1, nil, 3]] as [[Int?]?], to: [["1", nil, "3"]] as [[String?]?])
        try refuse([["1", "x"]] as [[String]?], to: [Int].self, row: 1)
        try refuse([[1], [1, nil]] as [[Int?]?], to: [Int].self, row: 2)
    }

    @Test func `collections change their kind if the conversion is exact`() throws {
        try change([[3, 1, 2], nil] as [[Int]?], to: [Set([1, 2, 3]), nil])
        try change([Set([3, 1, 2]), nil], to: [[1, 2, 3], nil] as [[Int]?])
        try change([["a", "b"], nil] as [[String]?], to: [[0: "a", 1: "b"], nil] as [[Int: String]?])
        try change([[0: "a", 1: "b"], nil] as [[Int: String]?], to: [["a", "b"], nil] as [[String]?])
        try refuse([[1, 2], [1, 1]] as [[Int]?], to: Set<Int>.self, row: 2)
        try refuse([[0: "a", 2: "b"]] as [[Int: String]?], to: [String].self, row: 1)
        try refuse([["x": 1]] as [[String: Int]?], to: [Int].self, row: 1)
    }

    @Test func `an element with invalid UTF-8 is an error with class, property and row, and nothing changes`() throws {
        func refusal<To: Sendable>(_: To.Type) throws -> StoreError? {
            let file = try TemporaryStore()
            try fill(file, [["1"], ["2"]] as [[String]?])
            _ = try file.sqlite("UPDATE box_value SET value = CAST(x'ff' AS TEXT) WHERE owner_id = 2")
            let before = try file.sqlite(".dump")
            let error = #expect(throws: StoreError.self) { () throws in
                try withStore(file) { _ = try Version<To>.Box.all() }
            }
            #expect(try file.sqlite(".dump") == before)
            return error
        }
        for error in [try refusal([Int].self), try refusal(Set<String>.self), try refusal(String.self)] {
            #expect(error?.className == "Box" && error?.property == "value" && error?.rowID == 2)
            #expect(error?.message.contains("UTF-8") == true, "\(String(describing: error))")
        }
    }

    struct Words: Codable, Equatable {
        var list: [String]
        init(_ list: [String]) { self.list = list }
        init(from decoder: any Decoder) throws { list = try decoder.singleValueContainer().decode([String].self) }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(list)
        }
    }

    @Test func `a JSON document that is a list becomes a collection`() throws {
        try change([Words(["b", "a"]), nil], to: [["b", "a"], nil] as [[String]?])
        try change([Words(["b", "a"])], to: [Set(["a", "b"])])
    }

    @Test func `a required property and a required collection are converted into each other`() throws {
        let file = try TemporaryStore()
        try withStore(file) { () throws in
            let box = Required<Int>.Box()
            box.value = 5
            try box.save()
        }
        try withStore(file) { () throws in #expect(try Required<[Int]>.Box.all().map(\.value) == [[5]]) }
        #expect(try file.sqlite("SELECT group_concat(name) FROM pragma_table_info('box')") == "id,name")
        try file.open().takeBack(Required<Int>.Box.self)
        try withStore(file) { () throws in #expect(try Required<Int>.Box.all().map(\.value) == [5]) }
        #expect(try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name = 'box_value'") == "0")
    }
}

extension Int: CollectionChangeTests.Initial { static var initial: Int { 0 } }
extension Array: CollectionChangeTests.Initial { static var initial: [Element] { [] } }
