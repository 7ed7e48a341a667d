import Foundation
import PersistentObjects

/// The kind of values in rows.
enum RowKind: CaseIterable {
    /// Values that are easy to convert.
    case tame
    /// Any values, including the limits of their types.
    case wild
    case empty
    /// Nil, or a collection with a single nil; no rows if a type has neither.
    case none

    var number: Int { RowKind.allCases.firstIndex(of: self) ?? 0 }
}

/// The type of a property whose type changes.
protocol ShapeValue {
    /// The initial value.
    static var start: Self { get }
    /// The value of a string; nil if there is none.
    static func reading(_ text: String) -> Self?
    static func random(_ random: inout ModelRandom) -> Self
    static var empty: Self? { get }
    static var nothing: Self? { get }
    /// The value as the only one of its property.
    var content: Content { get }
}

/// A value that can be in a column, and an element of a collection.
protocol ShapeElement: ShapeValue, Hashable {
    var readings: Readings { get }
    /// The value with all of its digits.
    var text: String { get }
}

extension ShapeElement {
    static var nothing: Self? { nil }
    var text: String { "\(self)" }
    var content: Content { Content(kind: .value, elements: [readings], text: text) }
}

extension ShapeValue {
    static func value(_ kind: RowKind, like text: String, _ random: inout ModelRandom) -> Self? {
        switch kind {
        case .tame: reading(text) ?? Self.random(&random)
        case .wild: Self.random(&random)
        case .empty: empty
        case .none: nothing
        }
    }
}

extension Optional: ShapeValue where Wrapped: ShapeValue {
    static var start: Self { nil }
    static func reading(_ text: String) -> Self? { Wrapped.reading(text).map { $0 } }
    static func random(_ random: inout ModelRandom) -> Self { Wrapped.random(&random) }
    static var empty: Self? { Wrapped.empty.map { $0 } }
    static var nothing: Self? { .some(nil) }
    var content: Content { self?.content ?? .none }
}

/// The readings of an element, which may be nil in an array.
private func firstReadings<T: ShapeValue>(_ element: T) -> Readings { element.content.elements.first ?? .none }

extension Array: ShapeValue where Element: ShapeValue {
    static var start: Self { isBytes ? (Data([2]).bytes as? Self ?? []) : [] }
    static var empty: Self? { [] }
    static var nothing: Self? { Element.nothing.map { [$0] } }
    /// Whether the array is bytes, which are a single value.
    private static var isBytes: Bool { Element.self == UInt8.self }

    static func reading(_ text: String) -> Self? {
        if isBytes { return Array<UInt8>(text.utf8) as? Self }
        return Element.reading(text).map { [$0] }
    }

    static func random(_ random: inout ModelRandom) -> Self {
        if isBytes { return Data.random(&random).bytes as? Self ?? [] }
        return (0..<1 + random.below(3)).map { _ in
            random.isOne(in: 4) ? Element.nothing ?? Element.random(&random) : Element.random(&random)
        }
    }

    var content: Content {
        if Array.isBytes, let bytes = self as? [UInt8] { return Data(bytes).content }
        return Content(kind: .list, elements: map { firstReadings($0) }, text: "\(map(\.content.text))")
    }
}

extension Set: ShapeValue where Element: ShapeElement {
    static var start: Self { [] }
    static var empty: Self? { [] }
    static var nothing: Self? { nil }
    static func reading(_ text: String) -> Self? { Element.reading(text).map { [$0] } }
    static func random(_ random: inout ModelRandom) -> Self {
        Set((0..<1 + random.below(3)).map { _ in Element.random(&random) })
    }

    var content: Content {
        Content(kind: .set, elements: map(\.readings), text: "Set(\(map(\.text).sorted()))")
    }
}

extension Dictionary: ShapeValue where Key: ShapeElement, Value: ShapeElement {
    static var start: Self { [:] }
    static var empty: Self? { [:] }
    static var nothing: Self? { nil }

    /// A dictionary with the key of a list's first element.
    static func reading(_ text: String) -> Self? {
        guard let key = Key.reading("0"), let value = Value.reading(text) else { return nil }
        return [key: value]
    }

    static func random(_ random: inout ModelRandom) -> Self {
        let isList = random.isOne(in: 2)
        return Dictionary(
            (0..<1 + random.below(3)).map { place in
                (isList ? Key.reading("\(place)") ?? Key.random(&random) : Key.random(&random), Value.random(&random))
            }, uniquingKeysWith: { one, _ in one })
    }

    var content: Content {
        let pairs = sorted { $0.key.readings.first < $1.key.readings.first }
        return Content(
            kind: .dictionary, elements: pairs.map(\.value.readings), keys: pairs.map(\.key.readings),
            text: "\(pairs.map { "\($0.key.text): \($0.value.text)" })")
    }
}

extension Data {
    fileprivate var bytes: [UInt8] { Array(self) }
}
