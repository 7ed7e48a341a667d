import TestSupport
import Testing

@testable import PersistentObjects

/// The table of a subclass is that of its hierarchy's root, whatever it says.
@Suite struct SubclassTableNameTests {
    class Animal: PersistentObject { override class var tableName: String { "animals" } }
    class Dog: Animal { var breed = "" }
    /// Says another name.
    class Cat: Animal { override class var tableName: String { "cats" } }
    /// Inherits what is wrong.
    final class Lynx: Cat {}
    /// Says the same name.
    final class Bird: Animal { override class var tableName: String { super.tableName } }

    /// Names its subclasses' tables by their own names.
    class Base: PersistentObject {
        override class var isAbstract: Bool { true }
        override class var tableName: String { "app_\(self)".lowercased() }
    }
    class Chair: Base {
        override class var isAbstract: Bool { false }
    }
    final class Stool: Chair { var legs = 3 }

    @Test func `a subclass that inherits it, or says the same, is in the root's table`() throws {
        #expect(Dog.tableName == "animals" && Bird.tableName == "animals")
        try expect(ClassMap.map(of: Dog.self).table, "animals")
        try expect(ClassMap.map(of: Bird.self).table, "animals")
    }

    @Test func `another name is refused with what to do, in its subclasses too`() throws {
        let wanted = SchemaError.tableNameDiffers(className: "Cat", root: "Animal")
        #expect(throws: wanted) { try ClassMap.map(of: Cat.self) }
        #expect(throws: wanted) { try ClassMap.map(of: Lynx.self) }
        expect(
            "\(wanted)",
            "Cat: tableName differs from that of Animal, whose table it shares. Override it in Animal only, or declare "
                + "override class var isAbstract: Bool { true } in Animal, so that each subclass has its own table")
    }

    @Test func `what is inherited and says another name for each class is no mistake of theirs`() throws {
        expect(Stool.tableName, "app_stool")
        try expect(ClassMap.map(of: Stool.self).table, "app_chair")
    }
}
