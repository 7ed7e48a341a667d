import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Conditions on parts of Codable values that SQL cannot express, and other invalid queries.
struct QueryRefusalTests {
    struct Document: Codable {
        var zero = 1
        enum CodingKeys: String, CodingKey { case zero = "a\0b" }
    }

    /// Its decoder reads list elements without checking for them.
    struct Elements: Codable {
        var first = 0
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            first = try list.decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(first)
        }
    }

    struct Gaps: Codable {
        var first = 0
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            first = try list.decodeNil() ? 0 : 1
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(first)
        }
    }

    struct Inside: Codable {
        var first = 0
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            var inner = try list.nestedUnkeyedContainer()
            first = try inner.decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var inner = list.nestedUnkeyedContainer()
            try inner.encode(first)
        }
    }

    struct Named: Codable {
        var first = 0
        enum CodingKeys: String, CodingKey { case first }
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            let inner = try list.nestedContainer(keyedBy: CodingKeys.self)
            first = try inner.decode(Int.self, forKey: .first)
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var inner = list.nestedContainer(keyedBy: CodingKeys.self)
            try inner.encode(first, forKey: .first)
        }
    }

    struct Above: Codable {
        var first = 0
        init() {}
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            first = try list.superDecoder().singleValueContainer().decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            var inner = list.superEncoder().singleValueContainer()
            try inner.encode(first)
        }
    }

    /// Decodes a value of its own type without checking whether there is one.
    final class Chain: Codable {
        var first = 0
        var next: Chain?
        enum CodingKeys: String, CodingKey { case first, next }
        init() {}
        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            next = try members.decode(Chain.self, forKey: .next)
            first = try members.decode(Int.self, forKey: .first)
        }
        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(first, forKey: .first)
        }
    }

    final class Box: PersistentObject {
        override class var tableName: String { "refused_box" }
        var number = 0
        var tags: [String] = []
        var document = Document()
        var elements = Elements()
        var gaps = Gaps()
        var inside = Inside()
        var named = Named()
        var above = Above()
        var chain = Chain()
    }

    @Test func `a part whose JSON key contains a NUL throws`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: QueryError.self) { try Box.where { $0.document.zero == 1 }.count() }
            #expect("\(String(describing: error))".contains("A JSON key in document contains a NUL"))
            withExtendedLifetime(session) {}
        }
    }

    @Test func `parts of types that decode lists or their own type unconditionally throw`() throws {
        try withTemporarySession { session, _ throws in
            let queries = [
                Box.where { $0.elements.first == 1 }, Box.where { $0.gaps.first == 1 },
                Box.where { $0.inside.first == 1 }, Box.where { $0.named.first == 1 },
                Box.where { $0.above.first == 1 }, Box.where { $0.chain.first == 1 },
            ]
            for query in queries { #expect(throws: QueryError.self) { try query.count() } }
            withExtendedLifetime(session) {}
        }
    }

    @Test func `an update with an invalid condition throws and changes nothing`() throws {
        try withTemporarySession { session, file throws in
            try Box().save()
            let query = Box.where { SQLFunction.named("")($0.number, as: Int.self) == 1 }
            #expect(throws: QueryError.self) { try query.update { $0.number = 3 } }
            #expect(try file.sqlite("SELECT number FROM refused_box") == "0")
            withExtendedLifetime(session) {}
        }
    }

    final class Token: PersistentObject {
        override class var tableName: String { "refused_token" }
        override class var identity: Identity { .uuid }
    }

    @Test func `a string that is not a UUID cannot be compared with UUID keys`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: StoreError.self) { try Token.findByKeyGreaterThan("abc").count }
            #expect(error?.message.contains("the string is not a UUID") == true, "\(String(describing: error))")
            withExtendedLifetime(session) {}
        }
    }

    final class Shelf: PersistentObject {
        override class var tableName: String { "refused_shelf" }
        var box: Box?
        @Column("made", format: .iso8601) var made = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test func `comparing a non-optional collection with nil throws`() throws {
        try withTemporarySession { session, _ throws in
            let error = #expect(throws: QueryError.self) { try Shelf.where { $0.box.tags == nil }.count() }
            #expect(error == .notExpressible("A collection that is not optional is never nil. Use isEmpty"))
            withExtendedLifetime(session) {}
        }
    }

    /// Swift cannot add dates, but a program can make `Date` numeric.
    @Test func `dates stored as strings cannot be added`() throws {
        try withTemporarySession { session, _ throws in
            let query = Shelf.where { shelf in
                let sum = shelf.made.expression.applying(.add, QueryExpression(value: Date()))
                return Condition(sum.applying(.isNotNil))
            }
            let error = #expect(throws: QueryError.self) { try query.count() }
            #expect(error == .notExpressible("SQL cannot calculate with a value that has the format .iso8601"))
            withExtendedLifetime(session) {}
        }
    }

    @Test func `a sum read as another type throws`() throws {
        try withTemporarySession { session, _ throws in
            try Box().save()
            let error = #expect(throws: FinderError.self) { let _: String? = try Box.sumOfNumber() }
            #expect(error.map { "\($0)".contains("Int?") } == true, "\(String(describing: error))")
            withExtendedLifetime(session) {}
        }
    }
}
