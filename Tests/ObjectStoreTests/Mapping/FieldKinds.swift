import Foundation
import PersistentObjects

// A class for each kind of field that a class can have. `FieldKindTests` states how each is treated.

/// Fields that cannot be stored.
enum Refused {
    protocol Trait {}
    protocol ClassTrait: AnyObject {}
    struct Moved: ~Copyable { var number = 3 }
    enum Lone { case only }
    enum Plain { case a, b }
    enum Payload {
        case number(Int)
        case text(String)
    }
    struct Opaque { var number = 1 }
    actor Counter {}
    final class Plainly {}

    final class AClosure: PersistentObject { var field: () -> Int = { 3 } }
    final class OptionalClosure: PersistentObject { var field: ((Int) -> Void)? }
    final class CFunction: PersistentObject { var field: @convention(c) (Int) -> Int = { $0 } }
    final class ATuple: PersistentObject { var field = (1, "a") }
    final class LabelledTuple: PersistentObject { var field: (a: Int, b: Bool) = (1, true) }
    final class OptionalTuple: PersistentObject { var field: (Int, Int)? }
    final class AnUnowned: PersistentObject { unowned var field: Plainly = kept }
    final class AnUnownedUnsafe: PersistentObject { unowned(unsafe) var field: Plainly = kept }
    final class AnUnownedOptional: PersistentObject { unowned var field: Plainly? }
    final class AWeak: PersistentObject { weak var field: PersistentObject? }
    final class AWeakPlain: PersistentObject { weak var field: Plainly? }
    final class AWeakExistential: PersistentObject { weak var field: (any ClassTrait)? }
    final class AnExistential: PersistentObject { var field: (any Trait)? }
    final class AnAny: PersistentObject { var field: Any = 3 }
    final class AnOptionalAny: PersistentObject { var field: Any? }
    final class AnAnyObject: PersistentObject { var field: AnyObject = kept }
    final class AnError: PersistentObject { var field: (any Error)? }
    final class ACodableExistential: PersistentObject { var field: (any Codable)? }
    final class AMetatype: PersistentObject { var field: Plainly.Type = Plainly.self }
    final class AnAnyType: PersistentObject { var field: Any.Type = Int.self }
    final class ATraitType: PersistentObject { var field: (any Trait.Type)? }
    final class ANoncopyable: PersistentObject { var field = Moved() }
    final class AnOptionalNoncopyable: PersistentObject { var field: Moved? }
    final class AVoid: PersistentObject { var field: Void = () }
    final class AnInlineArray: PersistentObject { var field: InlineArray<3, Int> = [1, 2, 3] }
    final class AnOptionalOfOptional: PersistentObject { var field: Int?? }
    final class AnActor: PersistentObject { var field = Counter() }
    final class AKeyPath: PersistentObject { var field: KeyPath<String, Int> = \.count }
    final class AnUnmanaged: PersistentObject { var field: Unmanaged<Plainly>? }
    final class APointer: PersistentObject { var field: UnsafeMutableRawPointer? }
    final class AReference: PersistentObject { var field = AnActor() }
    final class AnAbstractReference: PersistentObject { var field: PersistentObject? }
    final class References: PersistentObject { var field: [AWeak?] = [] }
    final class APlainInstance: PersistentObject { var field = Plainly() }
    final class AFoundationInstance: PersistentObject { var field = NSMutableString(string: "x") }
    final class ACStructure: PersistentObject { var field = timeval() }
    final class AOneCaseEnumeration: PersistentObject { var field = Lone.only }
    final class AnEnumeration: PersistentObject { var field = Plain.a }
    final class APayloadEnumeration: PersistentObject { var field = Payload.number(1) }
    final class AStructure: PersistentObject { var field = Opaque() }
    final class AForeignWrapper: PersistentObject { @Foreign var field = 1 }
    final class AForeignAroundOurs: PersistentObject { @Foreign @Indexed var field = 1 }

    // The fields only refer to it.
    nonisolated(unsafe) static let kept = Plainly()
}

/// A wrapper that does not belong to the library.
@propertyWrapper struct Foreign<Value> {
    var wrappedValue: Value
}

/// A wrapper that does not belong to the library, and is a value that can be stored.
@propertyWrapper struct CodableForeign<Value: Codable & Equatable>: Codable, Equatable {
    var wrappedValue: Value
}

/// Fields that are stored or ignored.
enum Accepted {
    struct Padded: Codable, Equatable {
        var a: UInt8 = 1
        var b = 2
        var c = true
    }
    struct Empty: Codable, Equatable {}
    enum LoneRaw: String { case only }
    enum LoneCodable: Codable { case only }
    enum Raw: Int { case low = 1, high = 2 }
    indirect enum Tree: Codable, Equatable {
        case leaf
        case node(Tree, Int, Tree)
    }
    final class Note: Codable {
        var text = "n"
    }

    class Fields: PersistentObject {
        static nonisolated(unsafe) var shared = 1  // not used
        let constant = 3
        lazy var late = 5
        lazy var lateText: String = "x"
        var computed: Int {
            get { plain }
            set { plain = newValue }
        }
        var plain = 1
        private(set) var readOnly = 2
        private var hidden = 3
        fileprivate var inFile = 4
        nonisolated(unsafe) var unchecked = 5  // used like all other fields
        final var final = 6
        var observed = 7 {
            willSet { calls += 1 }
            didSet { calls += 1 }
        }
        @Transient var calls = 0
        @Transient var closure: (() -> Void)?
        @Indexed @Column("deep") @Unique var nested = 8
        @Column("maybe") @Indexed var nestedOptional: String? = nil
        @CodableForeign var foreign = 9
        var vector = SIMD4<Float>(1, 2, 3, 4)
        var longVector = SIMD16<Double>(repeating: 5)
        var huge: Int128 = 170_141_183_460_469_231_731_687_303_715_884_105_727
        var range = 1...3
        var note = Note()
        var padded = Padded()
        var empty = Empty()
        var lone = LoneRaw.only
        var loneCodable = LoneCodable.only
        var raw = Raw.low
        var optionalLone: LoneRaw?
        var tree = Tree.node(.leaf, 1, .leaf)
        var set: Set<Int> = [1]
        var texts = ["a": [1, 2]]
        var components = DateComponents(year: 2026)
        var locale = Locale(identifier: "de")

        func hide(_ number: Int, _ other: Int) { (hidden, inFile) = (number, other) }
        var revealed: [Int] { [hidden, inFile] }
    }

    /// The properties of `Fields`, in the order of their declaration.
    static let names = [
        "plain", "readOnly", "hidden", "inFile", "unchecked", "final", "observed", "nested", "nestedOptional",
        "_foreign",
        "vector", "longVector", "huge", "range", "note", "padded", "empty", "lone", "loneCodable", "raw",
        "optionalLone", "tree", "set",
        "texts", "components", "locale",
    ]

    class Generic<T: Codable>: PersistentObject {
        override class var tableName: String { "generic" }
        var value: T?
        var values: [T] = []
        var small: Int8 = 3
    }

    final class OfGeneric: Generic<String> {
        var own = 1
    }

    class Base: PersistentObject { var a = "a" }
    class Middle: Base { var b = "b" }
    final class Leaf: Middle { var c = "c" }

    /// More than 64 properties, so that the set of changed properties needs a second word.
    final class Many: PersistentObject {
        var a0 = 0, a1 = 0, a2 = 0, a3 = 0, a4 = 0, a5 = 0, a6 = 0, a7 = 0, a8 = 0, a9 = 0
        var b0 = 0, b1 = 0, b2 = 0, b3 = 0, b4 = 0, b5 = 0, b6 = 0, b7 = 0, b8 = 0, b9 = 0
        var c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0, c6 = 0, c7 = 0, c8 = 0, c9 = 0
        var d0 = 0, d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0, d6 = 0, d7 = 0, d8 = 0, d9 = 0
        var e0 = 0, e1 = 0, e2 = 0, e3 = 0, e4 = 0, e5 = 0, e6 = 0, e7 = 0, e8 = 0, e9 = 0
        var f0 = 0, f1 = 0, f2 = 0, f3 = 0, f4 = 0, f5 = 0, f6 = 0, f7 = 0, f8 = 0, f9 = 0
        var g0 = 0, g1 = 0, g2 = 0, g3 = 0, g4 = 0, g5 = 0, g6 = 0, g7 = 0, g8 = 0, g9 = ""
    }

    final class None: PersistentObject {}
}
