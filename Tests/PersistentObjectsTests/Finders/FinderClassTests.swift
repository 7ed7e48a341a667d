import TestSupport
import Testing

@testable import PersistentObjects

/// Typed finders use the class on which they are called, not the class named in the source.
struct FinderClassTests {
    class Item: PersistentObject {
        override class var tableName: String { "item" }
        var name = "x"
        var isOld = true
        class func find() throws -> [Item] { try findBy.isOld(true) }
        class func findFirst() throws -> Item? { try self.findFirstBy.isOld(true) }
        class func findLast() throws -> Item? { try findLastBy.isOld(true) }
        class func findOnly() throws -> Item { try findOnlyBy.isOld(true) }
        class func number() throws -> Int { try countBy.name(startingWith: "x") }
        class func isThere() throws -> Bool { try existsBy.isOld(true) }
        class func purge() throws -> Int { try deleteBy.isOld(true) }
        class func findOrMake(_ name: String) throws -> Item { try findOrCreateBy.name(name) }
        func likeMe() throws -> Int { try type(of: self).countBy.isOld(isOld) }
    }

    class Draft: Item {}
    final class Sketch: Draft {}

    class Base: PersistentObject {
        override class var isAbstract: Bool { self == Base.self }
        var isPublic = true
        class func publicCount() throws -> Int { try countBy.isPublic(true) }
    }

    final class Page: Base { override class var tableName: String { "page" } }
    final class Post: Base { override class var tableName: String { "post" } }

    /// Saves two items, a draft and two sketches, which are drafts.
    private func withItems(_ body: (Session) throws -> Void) throws {
        try withTemporarySession { session, _ in
            try session.save([Item(), Item(), Draft(), Sketch(), Sketch()])
            try body(session)
        }
    }

    @Test(arguments: [(Item.self, 5), (Draft.self, 3), (Sketch.self, 2)] as [(Item.Type, Int)])
    func `a typed finder on a metatype finds the objects of that class`(type: Item.Type, count: Int) throws {
        try withItems { _ throws in
            #expect(try type.findBy.isOld(true).count == count && type.find().count == count)
            #expect(try type.findBy.isOld(true) == type.where { $0.isOld }.all())
            #expect(try type.findBy.name(in: ["x", "y"]) == type.findByNameIn(["x", "y"]))
            #expect(try type.countBy.isOld(true) == count && type.number() == count)
            #expect(try type.findFirst() === type.all().first && type.findLast() === type.all().last)
            let first = try #require(try type.first())
            #expect(try first.likeMe() == Swift.type(of: first).count())
        }
    }

    @Test func `deleteBy deletes only objects of its class`() throws {
        try withItems { _ throws in
            #expect(try Sketch.purge() == 2 && Sketch.purge() == 0)
            #expect(try Item.count() == 3 && Draft.count() == 1)
            let type: Item.Type = Draft.self
            #expect(try type.deleteBy.isOld(true) == 1)
            #expect(try Item.count() == 2)
            #expect(try Item.purge() == 2)
        }
    }

    @Test func `findOnlyBy, findFirstBy and existsBy on a metatype use that class`() throws {
        try withItems { session throws in
            try session.delete(Sketch.all())
            let draft = try #require(try Draft.first())
            #expect(try Draft.findOnly() === draft && Draft.isThere())
            try draft.delete()
            #expect(throws: StoreError.self) { try Draft.findOnly() }
            #expect(try !Draft.isThere() && Item.isThere())
            #expect(try Draft.findFirst() == nil && Draft.findLast() == nil && Draft.find().isEmpty)
        }
    }

    @Test func `findOrCreateBy on a metatype creates an object of that class`() throws {
        try withItems { _ throws in
            #expect(type(of: try Item.findOrMake("x")) == Item.self)
            #expect(type(of: try Draft.findOrMake("x")) == Draft.self)
            #expect(type(of: try Sketch.findOrMake("y")) == Sketch.self)
            #expect(type(of: try Item.findOrMake("y")) == Sketch.self)
            let byName: Item = try (Draft.self as Item.Type).findOrCreateByName("z")
            #expect(try Draft.findOrMake("z") === byName && type(of: byName) == Draft.self)
            #expect(try Item.count() == 7)
        }
    }

    @Test func `methods of an abstract base class use the table of the class on which they are called`() throws {
        try withTemporarySession { session, _ throws in
            try session.save([Page(), Post(), Post()])
            let types: [Base.Type] = [Page.self, Post.self]
            #expect(try types.map { try $0.publicCount() } == [1, 2])
            #expect(try types.map { try $0.findBy.isPublic(true).count } == [1, 2])
            #expect(throws: (any Error).self) { try Base.publicCount() }
        }
    }
}
