import Foundation
import StoreEngine
import TestSupport
import Testing

/// Messages spell types as programs declare them.
struct TypeSpellingTests {
    struct Box<Value> { struct Inner {} }
    struct Pair<A, B> {}
    enum Kind { case one }
    protocol Trait {}

    private static let spellings: [(Any.Type, String)] = [
        (Int.self, "Int"), (Int?.self, "Int?"), (Int??.self, "Int??"), ([Int].self, "[Int]"), ([Int?]?.self, "[Int?]?"),
        ([String: Int].self, "[String: Int]"), ([String: [Int?]]?.self, "[String: [Int?]]?"),
        (Set<Int>.self, "Set<Int>"), (Set<String>?.self, "Set<String>?"), (Kind.self, "Kind"), (Kind?.self, "Kind?"),
        (Box<Int?>.self, "Box<Int?>"), (Pair<[Int], Box<Kind?>>?.self, "Pair<[Int], Box<Kind?>>?"),
        (Dictionary<Int, Pair<Int, Int>>.self, "[Int: Pair<Int, Int>]"), (((Int) -> Void)?.self, "((Int) -> ())?"),
        (((Int?, [Int]) -> [String: Int]).self, "(Int?, [Int]) -> [String: Int]"), ((Int, Int)?.self, "(Int, Int)?"),
        ((Int?, [Kind]).self, "(Int?, [Kind])"), ((any Trait)?.self, "Trait?"),
        ((any Decodable & Encodable)?.self, "(Decodable & Encodable)?"), ((any Trait.Type)?.self, "Trait.Type?"),
        (Any?.self, "Any?"), (AnyObject?.self, "AnyObject?"), (Range<Int>?.self, "Range<Int>?"), (Void.self, "()"),
        ([(Int, String?)].self, "[(Int, String?)]"), ([() -> Int?].self, "[() -> Int?]"),
    ]

    @Test func `optionals, arrays and dictionaries are spelled with ?, [] and [:]`() {
        for (type, name) in Self.spellings { expect(TypeSpelling.of(type), name) }
    }

    @Test func `a value is described by its type`() {
        expect(TypeSpelling.ofValue(nil), "nil")
        expect(TypeSpelling.ofValue([1]), "[Int]")
        expect(TypeSpelling.ofValue("a"), "String")
    }
}
