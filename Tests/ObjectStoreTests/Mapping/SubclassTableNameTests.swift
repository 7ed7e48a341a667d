import TestSupport
import Testing

@testable import PersistentObjects

/// A subclass uses the table of its hierarchy's root.
@Suite struct SubclassTableNameTests {
    class Animal: PersistentObject { override class var tableName: String { "animals" } }
    class Dog: Animal { var breed = "" }
    /// Declares another name.
    class Cat: Animal { override class var tableName: String { "cats" } }
    /// Inherits the invalid name.
    final class Lynx: Cat {}
    /// Declares the same name.
    final class Bird: Animal { override class var tableName: String { super.tableName } }

    /// Derives table names from the names of its subclasses.
    class Base: PersistentObject {
        override class var isAbstract: Bool { true }
        override class var tableName: String { "app_\(self)".lowercased() }
    }
    class Chair: Base {
        override class var isAbstract: Bool { false }
    }
    final class Stool: Chair { var legs = 3 }

    @Test func `a subclass that inherits or repeats the table name uses the root's table`() throws {
        #expect(Dog.tableName == "animals" && Bird.tableName == "animals")
        try expect(ClassMap.map(of: Dog.self).table, "animals")
        try expect(ClassMap.map(of: Bird.self).table, "animals")
    }

    @Test func `another table name is refused with the remedy, in subclasses of that class too`() throws {
        let wanted = SchemaError.tableNameDiffers(className: "Cat", root: "Animal")
        #expect(throws: wanted) { try ClassMap.map(of: Cat.self) }
        #expect(throws: wanted) { try ClassMap.map(of: Lynx.self) }
        expect(
            "\(wanted)",
            "Cat: tableName differs from that of Animal, whose table it shares. Override it in Animal only, or declare "
                + "override class var isAbstract: Bool { true } in Animal, so that each subclass has its own table")
    }

    @Test func `a tableName inherited from an abstract class can differ for each class`() throws {
        expect(Stool.tableName, "app_stool")
        try expect(ClassMap.map(of: Stool.self).table, "app_chair")
    }
}
