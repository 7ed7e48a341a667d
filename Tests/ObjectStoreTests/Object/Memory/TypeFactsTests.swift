import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Detection of types that contain only values, so that equal bits mean no change.
@Suite struct TypeFactsTests {
    final class Reference {}
    final class CodableReference: Codable {}
    struct OfPlain {
        var a = 1
        var b = "b"
        var c = [Date()]
    }
    struct OfReference { var reference = Reference() }
    struct Deep {
        var inner = OfPlain()
        var reference: OfReference?
    }
    struct OfClosure { var closure: () -> Void = {} }
    struct OfExistential { var any: any Sendable = 1 }
    struct OfWeak { weak var reference: Reference? }
    struct OfUnowned { unowned var reference: Reference }
    struct Empty {}
    struct Generic<T> { var value: T }
    enum Plain { case a, b }
    enum PlainPayload { case a(Int), b(Double) }
    enum TextPayload { case a(String), b }
    enum ReferencePayload { case a(Reference), b }
    indirect enum Tree { case leaf, node(Tree) }
    indirect enum TextTree {
        case leaf(String)
        case node(left: TextTree, right: [TextTree])
    }
    indirect enum ReferenceTree { case leaf(Reference?), node(ReferenceTree) }
    enum Labelled { case a(text: String) }
    enum ManyPayloads {
        case a(String), b(Int8), c([UInt8]), d, e, f(Data), g(Decimal), h(UUID), i(OfPlain), j(Plain, String?)
    }
    enum EmptyPayloads { case a(Void), b(String), c(Never) }
    enum Payload<T> { case a(T), b(String) }
    /// Each case contains the type with another argument.
    enum Endless<T> {
        case leaf(T, String)
        indirect case more(Endless<[T]>)
    }
    enum ClosurePayload { case a(() -> Void), b }
    enum ExistentialPayload { case a(any Sendable), b }
    enum HashablePayload { case a(AnyHashable), b }
    enum KeyPathPayload { case a(KeyPath<OfPlain, Int>) }
    enum TuplePayload { case a((Int, (String, Reference?))), b }
    struct Outer<T> {
        enum Inner { case a(String), b(T) }
        var inner: Inner
    }
    struct Node {
        var name = ""
        var children: [Node] = []
    }
    struct ReferenceNode {
        var children: [ReferenceNode] = []
        var reference: Reference?
    }
    final class Box<T> {
        enum Content { case a(String), b(T) }
    }

    @Test(
        arguments: [
            Int.self, Bool.self, Double.self, Int8?.self, Int??.self, String.self, String?.self, Substring.self,
            Character.self,
            [Int].self, [String?].self, [[UInt8]].self, Set<String>.self, [String: [Int: Date]].self,
            ContiguousArray<Int>.self,
            ArraySlice<String>.self, Data.self, Data?.self, URL.self, UUID.self, Date.self, Decimal.self, OfPlain.self,
            OfPlain?.self, [OfPlain].self, Plain.self, PlainPayload.self, Empty.self, Generic<String>.self,
            SIMD4<Float>.self,
            Int128.self, PaddedValue.self, (Int, Bool).self, Indexed<String>.self, InlineArray<3, Int>.self,
            TextPayload.self, TextPayload?.self, [TextPayload].self, [String: TextPayload].self, Tree.self,
            TextTree.self, Labelled.self, ManyPayloads.self, EmptyPayloads.self, Payload<Int>.self,
            Payload<[TextTree]>.self, Outer<Int>.self, Outer<String>.Inner.self, Box<Int>.Content.self, Node.self,
            Result<String, CancellationError>.self, Range<String>.self, IndexPath.self, (String, Int).self,
            (text: String, tree: [Tree?]).self,
        ] as [Any.Type])
    func `types that contain only values are plain values`(_ type: Any.Type) {
        #expect(TypeFacts(type).isPlainValue)
    }

    @Test(
        arguments: [
            Reference.self, CodableReference.self, OfReference.self, Deep.self, OfClosure.self, OfExistential.self,
            OfWeak.self,
            OfUnowned.self, [Reference].self, [String: CodableReference].self,
            Reference?.self,
            [OfReference?].self, Any.self, (any Sendable).self, AnyObject.self, (() -> Void).self,
            Generic<Reference>.self,
            ReferencePayload.self, ReferencePayload?.self, [ReferencePayload].self, ReferenceTree.self,
            Payload<Reference>.self, Payload<[ReferenceTree]>.self, Endless<Int>.self, ClosurePayload.self,
            ExistentialPayload.self, HashablePayload.self, KeyPathPayload.self, TuplePayload.self,
            Outer<Reference>.self, Box<Reference>.Content.self, ReferenceNode.self, Result<Int, any Error>.self,
            (String, Reference).self, NSMutableString.self, Locale.self, DateComponents.self, AttributedString.self,
            IndexSet.self,
        ] as [Any.Type])
    func `types that can contain a reference are not plain values`(_ type: Any.Type) {
        #expect(!TypeFacts(type).isPlainValue)
    }

    @Test func `size and alignment match the type`() {
        let facts = TypeFacts(OfPlain.self)
        #expect(facts.size == MemoryLayout<OfPlain>.size && facts.alignment == MemoryLayout<OfPlain>.alignment)
        #expect(!facts.isPlainData && TypeFacts(Decimal.self).isPlainData && TypeFacts(Empty.self).size == 0)
    }

    @Test func `payload types have their generic arguments, and only enumerations have payloads`() throws {
        func types(_ type: Any.Type) -> [Any.Type] { EnumerationDescriptor(type)?.payloadTypes() ?? [] }
        expect(
            types(Payload<Int?>.self).map { ObjectIdentifier($0) },
            [Int?.self, String.self].map { ObjectIdentifier($0) })
        #expect(types(TextTree.self).count == 2 && types(Plain.self).isEmpty)
        let pair = try #require(types(TuplePayload.self).first)
        #expect(MetadataKind(pair) == .tuple && TupleMetadata.elementTypes(pair).first == Int.self)
        #expect(EnumerationDescriptor(OfPlain.self) == nil && EnumerationDescriptor(Reference.self) == nil)
    }

    @Test func `the cases of an enumeration without payloads are counted and created`() {
        expect(MetadataKind.caseCount(Plain.self), 2)
        #expect(MetadataKind.caseCount(PlainPayload.self) == nil)
        #expect(MetadataKind.caseCount(Int.self) == nil)
        expect(EnumerationMemory.values(Plain.self, caseCount: 2), [.a, .b])
        #expect(EnumerationMemory.values(Accepted.LoneRaw.self, caseCount: 1).isEmpty)
    }

    @Test func `the fields of a structure are listed with their offsets`() {
        let fields = FieldMetadata.structureFields(OfPlain.self)
        #expect(fields.map(\.name) == ["a", "b", "c"] && fields.map(\.offset) == [0, 8, 24])
        #expect(fields.allSatisfy { $0.isVar && $0.isStrong })
        expect(FieldMetadata.structureFields(OfWeak.self).map(\.isStrong), [false])
    }

    @Test func `the fields of a class are listed with their level and ownership`() throws {
        class Parent: PersistentObject {
            override class var tableName: String { "parent" }
            let constant = 1
            weak var weakly: Reference?
        }
        final class Child: Parent {
            unowned(unsafe) var unmanaged: Reference?
            unowned var unowned: Reference?
            var strong: Reference?
        }
        let fields = try FieldMetadata.fields(of: Child.self, below: PersistentObject.self)
        expect(fields.map(\.name), ["constant", "weakly", "unmanaged", "unowned", "strong"])
        expect(fields.map(\.level), [0, 0, 1, 1, 1])
        expect(fields.map(\.ownership), [.strong, .weak, .unmanaged, .unowned, .strong])
        expect(fields.map(\.isVar), [false, true, true, true, true])
        let offsets = fields.map(\.offset)
        #expect(offsets == offsets.sorted() && Set(offsets).count == 5)
    }
}
