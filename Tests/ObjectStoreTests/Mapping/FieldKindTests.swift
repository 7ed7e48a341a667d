import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Each kind of field is stored, ignored, or refused with class, property and reason.
@Suite struct FieldKindTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let type: PersistentObject.Type
        let fieldType: String
        let reason: String
        var property = "field"
        init(_ type: PersistentObject.Type, _ fieldType: String, _ reason: String, property: String = "field") {
            (self.type, self.fieldType, self.reason, self.property) = (type, fieldType, reason, property)
        }
        var testDescription: String { "\(type)" }
    }

    private static let closure = "it is a closure. Mark it @Transient"
    private static let tuple = "it is a tuple. Use a Codable structure"
    private static let unknown = "it is neither a scalar, nor an enumeration with raw values, nor Codable"
    private static let weak = "it is a weak reference to something else than a class of the store"
    private static let abstract = "PersistentObject is abstract and has no table to refer to"
    private static let unowned = "it is an unowned reference. Use an optional"
    private static let reference = "it is a reference that is not optional"

    static let refusals = [
        Refusal(Refused.AClosure.self, "() -> Int", closure),
        Refusal(Refused.OptionalClosure.self, "((Int) -> ())?", closure),
        Refusal(Refused.CFunction.self, "@convention(c) (Int) -> Int", closure),
        Refusal(Refused.ATuple.self, "(Int, String)", tuple),
        Refusal(Refused.LabelledTuple.self, "(a: Int, b: Bool)", tuple),
        Refusal(Refused.OptionalTuple.self, "(Int, Int)?", tuple),
        Refusal(Refused.AnUnowned.self, "Plainly", unowned),
        Refusal(Refused.AnUnownedUnsafe.self, "Plainly", unowned),
        Refusal(Refused.AnUnownedOptional.self, "Plainly?", unowned),
        Refusal(Refused.AWeak.self, "PersistentObject?", abstract),
        Refusal(Refused.AWeakPlain.self, "Plainly?", weak),
        Refusal(Refused.AWeakExistential.self, "ClassTrait?", weak),
        Refusal(Refused.AnExistential.self, "Trait?", unknown),
        Refusal(Refused.AnAny.self, "Any", unknown),
        Refusal(Refused.AnOptionalAny.self, "Any?", unknown),
        Refusal(Refused.AnAnyObject.self, "AnyObject", unknown),
        Refusal(Refused.AnError.self, "Error?", unknown),
        Refusal(Refused.ACodableExistential.self, "(Decodable & Encodable)?", unknown),
        Refusal(Refused.AMetatype.self, "Plainly.Type", unknown),
        Refusal(Refused.AnAnyType.self, "Any.Type", unknown),
        Refusal(Refused.ATraitType.self, "Trait.Type?", unknown),
        Refusal(Refused.ANoncopyable.self, "its type", "a noncopyable type cannot be stored"),
        Refusal(Refused.AnOptionalNoncopyable.self, "its type", "a noncopyable type cannot be stored"),
        Refusal(Refused.AVoid.self, "()", "it holds no value"),
        Refusal(Refused.AnInlineArray.self, "InlineArray<3, Int>", unknown),
        Refusal(Refused.AnOptionalOfOptional.self, "Int??", "it is a nested optional"),
        Refusal(Refused.AnActor.self, "Counter", unknown),
        Refusal(Refused.AKeyPath.self, "KeyPath<String, Int>", unknown),
        Refusal(Refused.AnUnmanaged.self, "Unmanaged<Plainly>?", unknown),
        Refusal(Refused.APointer.self, "UnsafeMutableRawPointer?", unknown),
        Refusal(Refused.AReference.self, "AnActor", reference),
        Refusal(Refused.AnAbstractReference.self, "PersistentObject?", abstract),
        Refusal(Refused.References.self, "[AWeak?]", "it is an array of optional references"),
        Refusal(Refused.APlainInstance.self, "Plainly", unknown),
        Refusal(Refused.AFoundationInstance.self, "NSMutableString", unknown),
        Refusal(Refused.ACStructure.self, "timeval", unknown),
        Refusal(Refused.AOneCaseEnumeration.self, "Lone", unknown),
        Refusal(Refused.AnEnumeration.self, "Plain", unknown),
        Refusal(Refused.APayloadEnumeration.self, "Payload", unknown),
        Refusal(Refused.AStructure.self, "Opaque", unknown),
        Refusal(Refused.AForeignWrapper.self, "Foreign<Int>", unknown, property: "_field"),
        Refusal(Refused.AForeignAroundOurs.self, "Foreign<Indexed<Int>>", unknown, property: "_field"),
    ]

    @Test(arguments: refusals)
    func `a field that cannot be stored is refused with class, property, type and reason`(_ refusal: Refusal) throws {
        let error = try #require(throws: SchemaError.self) { _ = try ClassMap.map(of: refusal.type) }
        guard case .notStorable(let className, let property, let type, let reason) = error else {
            Issue.record("\(error)")
            return
        }
        expect(className, "\(refusal.type)")
        expect(property, refusal.property)
        expect(type, refusal.fieldType)
        #expect(reason.hasPrefix(refusal.reason))
        #expect(error.description.hasPrefix("\(className).\(property): \(type) cannot be stored: "))
    }

    @Test func `each use of a refused class throws, and no table is created`() throws {
        try withTemporarySession { _, file in
            #expect(throws: SchemaError.self) { try Refused.AClosure().save() }
            #expect(throws: SchemaError.self) { try Refused.AClosure.find(1) }
            #expect(throws: SchemaError.self) { try Refused.AClosure.count() }
            let count = try file.sqlite("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%closure%'")
            expect(count, "0")
        }
    }

    @Test func `a refused field can be made transient`() throws {
        final class Mended: PersistentObject {
            override class var tableName: String { "mended" }
            override class var transient: Set<String> { ["tuple", "unowned", "moved", "nothing"] }
            @Transient var closure: () -> Int = { 3 }
            var tuple = (1, 2)
            unowned var unowned: Refused.Plainly = Refused.kept
            var moved = Refused.Moved()
            var nothing: Void = ()
            var name = "n"
        }
        try withTemporarySession { _, file in
            try Mended().save()
            try expect(file.sqlite("SELECT * FROM mended"), "1|n")
        }
    }

    // MARK: Accepted

    /// The properties in the order of their declaration.
    private static func inOrder(_ map: ClassMap) -> [Property] { map.inDeclaredOrder.map { map.properties[$0] } }

    @Test
    func `let, lazy, computed, static and transient fields are ignored, and all other fields are properties`() throws {
        let map = try ClassMap.map(of: Accepted.Fields.self)
        expect(Self.inOrder(map).map(\.name), Accepted.names)
        expect(map.properties.first { $0.name == "nested" }?.column, "deep")
        expect(map.properties.first { $0.name == "nestedOptional" }?.column, "maybe")
        expect(map.properties.first { $0.name == "_foreign" }?.column, "_foreign")
        expect(map.properties.first { $0.name == "nested" }.map { $0.isIndexed && $0.isUnique }, true)
    }

    @Test func `each supported kind of field is read back from the file`() throws {
        let file = try TemporaryStore()
        let store = try file.open()
        try store.withSession { _ in
            let object = Accepted.Fields()
            object.plain = 11
            object.hide(33, 44)
            object.unchecked = 55
            object.final = 66
            object.observed = 77
            object.nested = 88
            object.nestedOptional = "deep"
            object.foreign = 99
            object.vector[2] = 33.5
            object.longVector[15] = 6.5
            object.huge = .min
            object.range = -7 ... -1
            object.note.text = "m"
            object.padded.b = 22
            object.raw = .high
            object.optionalLone = .only
            object.tree = .node(.node(.leaf, 2, .leaf), 3, .leaf)
            object.set = [3, 1, 2]
            object.texts = ["b": [], "c": [3]]
            object.components.month = 7
            object.locale = Locale(identifier: "fr_CA")
            object.late = 1000
            try object.save()
            #expect(!object.hasChanges)
        }
        try store.withSession { _ in
            let object = try #require(try Accepted.Fields.find(1))
            expect(object.calls, 0, "observers must not be called on load")
            let numbers = [object.unchecked, object.final, object.observed, object.nested, object.foreign]
            expect([object.plain, object.readOnly] + object.revealed + numbers, [11, 2, 33, 44, 55, 66, 77, 88, 99])
            expect(object.nestedOptional, "deep")
            #expect(object.vector == SIMD4(1, 2, 33.5, 4) && object.longVector[15] == 6.5)
            expect(object.huge, .min)
            #expect(object.range == -7 ... -1)
            expect(object.note.text, "m")
            expect(object.padded, Accepted.Padded(b: 22))
            #expect(object.lone == .only && object.loneCodable == .only)
            #expect(object.raw == .high && object.optionalLone == .only)
            expect(object.tree, .node(.node(.leaf, 2, .leaf), 3, .leaf))
            expect(object.set, [1, 2, 3])
            expect(object.texts, ["b": [], "c": [3]])
            expect(object.components, DateComponents(year: 2026, month: 7))
            expect(object.locale.identifier, "fr_CA")
            #expect(object.late == 5 && object.constant == 3)
            #expect(!object.hasChanges, "\(object.changes)")
        }
    }

    @Test func `property observers are not called by revert, reload or refresh`() throws {
        try withTemporarySession { session, _ in
            let object = Accepted.Fields()
            try object.save()
            object.observed = 70
            expect(object.calls, 2)
            object.revert()
            expect(object.observed, 7)
            object.observed = 71
            try object.reload()
            expect(object.observed, 7)
            try session.store.withSession { _ in
                let other = try #require(try Accepted.Fields.find(1))
                other.observed = 72
                try other.save()
            }
            _ = try Accepted.Fields.all()
            expect(object.observed, 72)
            expect(object.calls, 4)
        }
    }

    @Test func `a generic class has the types of each specialization`() throws {
        let types = Self.inOrder(try ClassMap.map(of: Accepted.Generic<Double>.self)).map(\.typeName)
        expect(types, ["Double?", "[Double]", "Int8"])
        let map = try ClassMap.map(of: Accepted.OfGeneric.self)
        expect(Self.inOrder(map).map(\.name), ["value", "values", "small", "own"])
        expect(map.properties[0].typeName, "String?")
        try withTemporarySession { session, _ in
            let object = Accepted.OfGeneric()
            object.value = "v"
            object.values = ["x", "y"]
            object.own = 2
            try object.save()
            try session.store.withSession { _ in
                let found = try #require(try Accepted.OfGeneric.find(1))
                #expect(found.value == "v" && found.values == ["x", "y"] && found.small == 3 && found.own == 2)
            }
        }
    }

    @Test func `a chain of subclasses has one table, with the inherited columns first`() throws {
        try withTemporarySession { session, file in
            let leaf = Accepted.Leaf()
            leaf.a = "1"
            leaf.b = "2"
            leaf.c = "3"
            try leaf.save()
            let middle = Accepted.Middle()
            middle.a = "4"
            try middle.save()
            try Accepted.Base().save()
            try expect(file.sqlite("SELECT id, a, class, b, c FROM base"), "1|1|Leaf|2|3\n2|4|Middle|b|\n3|a|Base||")
            try session.store.withSession { _ in
                let found = try Accepted.Leaf.findBy.a("1")
                expect(found.first?.c, "3")
                #expect(try Accepted.Middle.findBy.a("1") == found && Accepted.Middle.findBy.a("a").isEmpty)
                try expect(Accepted.Base.all().count, 3)
                try expect(Accepted.Leaf.findBy.b("2").count, 1)
            }
        }
    }

    @Test func `a class can have more than 64 properties, or no property`() throws {
        try withTemporarySession { session, file in
            let many = Accepted.Many()
            try many.save()
            many.a0 = 1
            many.g3 = 2
            many.g4 = 3
            many.g9 = "x"
            expect(many.changes.map(\.name), ["a0", "g3", "g4", "g9"])
            try many.save()
            try expect(file.sqlite("SELECT a0, g2, g3, g4, g9 FROM many"), "1|0|2|3|x")
            let none = Accepted.None()
            try none.save()
            #expect(!none.hasChanges)
            try expect(file.sqlite("SELECT * FROM none"), "1")
            try session.save([Accepted.None(), Accepted.None()])
            try expect(Accepted.None.count(), 3)
        }
    }
}
