import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A type used for several properties of a class; the first value is the initial value.
protocol SampledValue: Equatable, Sendable {
    static var values: [Self] { get }
}

extension Int: SampledValue { static let values = [0, 7, -3, 1 << 40] }
extension UInt16: SampledValue { static let values: [UInt16] = [0, 7, 3, 400] }
extension Double: SampledValue { static let values = [0, 0.5, -2, 1e300] }
extension Float: SampledValue { static let values: [Float] = [0, 0.5, -2, 3] }
extension Bool: SampledValue { static let values = [false, true, false, true] }
extension String: SampledValue { static let values = ["", "a", "a text that is longer than fifteen bytes", "B"] }
extension Substring: SampledValue { static let values: [Substring] = ["", "a", "long enough to be no small one", "B"] }
extension Character: SampledValue { static let values: [Character] = ["a", "ß", "q", "x"] }
extension Date: SampledValue { static let values = [0, 5.5, 1e9, -7].map { Date(timeIntervalSinceReferenceDate: $0) } }
extension UUID: SampledValue {
    static let values = (1...4).map { UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
}
extension Data: SampledValue { static let values = [Data(), Data([1]), Data([255, 0]), Data([7])] }
extension URL: SampledValue { static let values = ["a", "b", "c", "d"].map { URL(filePath: "/\($0)") } }
extension Decimal: SampledValue { static let values = [0, Decimal(5) / 2, 1000, -3] }

private enum Word: String, SampledValue, Codable, CaseIterable {
    case a, b, c, d
    static let values = allCases
}
private enum Number: Int, SampledValue, CaseIterable {
    case one = 1, two, three, four
    static let values = allCases
}
private enum DrawnFigure: SampledValue, Codable {
    case point, circle(Int), label(String)
    static let values = [circle(1), label("x"), point, circle(2)]
}
private struct Flags: OptionSet, SampledValue, Codable {
    let rawValue: Int
    static let values = [Flags([]), Flags(rawValue: 1), Flags(rawValue: 2), Flags(rawValue: 3)]
}
private struct Code: RawRepresentable, SampledValue {
    var rawValue = ""
    static let values = ["", "a", "b", "c"].map { Code(rawValue: $0) }
}
/// Types that clamp their values.
private struct Year: PersistentValue, SampledValue {
    let number: Int
    static var columnType: ColumnType { .integer }
    init(_ number: Int) { self.number = max(number, 1900) }
    init(databaseValue: DatabaseValue) throws {
        guard case .integer(let number) = databaseValue else { throw CocoaError(.coderReadCorrupt) }
        self.init(Int(number))
    }
    var databaseValue: DatabaseValue { .integer(Int64(number)) }
    static let values = [1900, 1950, 2000, 2020].map { Year($0) }
}
private struct RawYear: RawRepresentable, SampledValue {
    let rawValue: Int
    init(rawValue: Int) { self.rawValue = max(rawValue, 1900) }
    static let values = [1900, 1950, 2000, 2020].map { RawYear(rawValue: $0) }
}
private struct CodedYear: Codable, SampledValue {
    let number: Int
    init(_ number: Int) { self.number = max(number, 1900) }
    init(from decoder: any Decoder) throws { self.init(try decoder.singleValueContainer().decode(Int.self)) }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
    static let values = [1900, 1950, 2000, 2020].map { CodedYear($0) }
}

private protocol CodableSample: SampledValue, Codable {}
extension Int: CodableSample {}
extension Double: CodableSample {}
extension Bool: CodableSample {}
extension String: CodableSample {}
extension Date: CodableSample {}
extension UUID: CodableSample {}
extension Decimal: CodableSample {}
extension Word: CodableSample {}
extension Year: Codable, CodableSample {}

private struct One<A: CodableSample>: CodableSample {
    var x: A
    static var values: [One] { A.values.map { One(x: $0) } }
}
private struct Nested<A: CodableSample>: CodableSample {
    var one: One<A>
    var y: A
    static var values: [Nested] { A.values.map { Nested(one: One(x: $0), y: A.values[0]) } }
}
private struct Long<A: CodableSample>: CodableSample {
    var text = "a text that is longer than fifteen bytes"
    var x: A
    static var values: [Long] { A.values.map { Long(x: $0) } }
}
private struct Listed<A: CodableSample>: CodableSample {
    var list: [A]
    static var values: [Listed] { A.values.indices.map { Listed(list: Array(A.values.prefix($0))) } }
}
private struct Perhaps<A: CodableSample>: CodableSample {
    var x: A?
    static var values: [Perhaps] { [Perhaps(x: nil)] + A.values.dropFirst().map { Perhaps(x: $0) } }
}

private func tableName(_ type: Any.Type) -> String { "\(type)".filter { $0.isLetter || $0.isNumber } }

private class Three<V: SampledValue>: PersistentObject {
    override class var tableName: String { PersistentObjectsTestsNames.name(self) }
    var a = V.values[0]
    var b = V.values[0]
    var c = V.values[0]
    var o: V?
    var p: V?
}
private final class Fixed<V: SampledValue>: PersistentObject {
    override class var tableName: String { PersistentObjectsTestsNames.name(self) }
    var a = V.values[0]
    @Indexed var b = V.values[0]
    @Column("third") var c = V.values[0]
    var o: V?
    var p: V?
}
private final class Spread<A: CodableSample>: PersistentObject {
    override class var tableName: String { PersistentObjectsTestsNames.name(self) }
    var whole = One<A>(x: A.values[0])
    @Embedded var a = One<A>(x: A.values[0])
    @Embedded var b = One<A>(x: A.values[0])
    @Embedded var c = Nested<A>(one: One(x: A.values[0]), y: A.values[0])
    @Embedded var o: One<A>?
}
private enum PersistentObjectsTestsNames {
    static func name(_ type: Any.Type) -> String { tableName(type) }
}

/// Two or more properties of the same type, for each type: each call that takes a key path uses the property that it
/// denotes.
@Suite struct KeyPathTypeTests {
    private struct Paths<T: Persistent, V> {
        let values: [(name: String, path: ReferenceWritableKeyPath<T, V>)]
        let optional: [(name: String, path: ReferenceWritableKeyPath<T, V?>)]
    }

    private func names<T: PersistentObject>(_ paths: [PartialKeyPath<T>]) throws -> [String] {
        let map = try ClassMap.map(of: T.self)
        return try paths.map { path in
            guard case .property(let place) = try KeyPathResolver.subject(of: path, in: map) else { return "id" }
            return map.properties[place].name
        }
    }

    private func check<T: Persistent & PersistentObject, V: SampledValue>(_ paths: Paths<T, V>) throws {
        let optional = paths.optional.map(\.name)
        #expect(try names(paths.values.map(\.path)) == paths.values.map(\.name), "\(T.self)")
        #expect(try names(paths.optional.map(\.path)) == optional, "\(T.self)")
        let object = T()
        for (place, (_, path)) in paths.values.enumerated() { object[keyPath: path] = V.values[place + 1] }
        if !optional.isEmpty { object[keyPath: paths.optional[0].path] = V.values[1] }
        try object.save()
        for (place, (name, path)) in paths.values.enumerated() {
            let (own, other) = (V.values[place + 1], V.values[place])
            let title = "\(T.self).\(name)"
            func others() -> [V] { paths.values.filter { $0.name != name }.map { object[keyPath: $0.path] } }
            let before = others()
            #expect(try T.query.values(of: path) == [own], "\(title)")
            #expect(try T.where { $0[dynamicMember: path] == own }.count() == 1, "\(title)")
            #expect(try T.where { $0[dynamicMember: path] == other }.count() == 0, "\(title)")
            #expect(try T.query.values { $0[dynamicMember: path] } == [own], "\(title)")
            #expect(try T.findBy[dynamicMember: path](own).count == 1, "\(title)")
            object[keyPath: path] = other
            #expect(try object.original(path) == own && object.changes.map(\.name) == [name], "\(title)")
            object.revert(path)
            #expect(object[keyPath: path] == own && others() == before && !object.hasChanges, "\(title)")
            var snapshot = object.snapshot()
            try snapshot.set(path, to: other)
            #expect(snapshot.changes.map(\.name) == [name], "\(title)")
            try T.query.update { $0[dynamicMember: path] = other }
            #expect(object[keyPath: path] == other && others() == before, "\(title)")
            try T.query.update { $0[dynamicMember: path] = own }
        }
        guard !optional.isEmpty else { return }
        #expect(try T.where { $0[dynamicMember: paths.optional[0].path] == nil }.count() == 0, "\(T.self)")
        #expect(try T.where { $0[dynamicMember: paths.optional[1].path] == nil }.count() == 1, "\(T.self)")
        #expect(try T.query.values(of: paths.optional[0].path) == [V.values[1]], "\(T.self)")
    }

    /// - Parameter madeOfNil: Whether a value can be created for a property that is nil.
    private func check<V: SampledValue>(_: V.Type, madeOfNil: Bool = true) throws {
        try check(
            Paths<Three<V>, V>(
                values: [("a", \.a), ("b", \.b), ("c", \.c)], optional: madeOfNil ? [("o", \.o), ("p", \.p)] : []))
        try check(
            Paths<Fixed<V>, V>(
                values: [("a", \.a), ("b", \.b), ("c", \.c)], optional: [("o", \.o), ("p", \.p)]))
    }

    private func checkParts<A: CodableSample>(_: A.Type) throws {
        let values = A.values
        let object = Spread<A>()
        (object.a.x, object.b.x, object.c.one.x, object.c.y) = (values[1], values[2], values[3], values[1])
        object.whole.x = values[2]
        object.o = One(x: values[3])
        try object.save()
        typealias Q = Spread<A>
        #expect(try Q.where { $0.a.x == values[1] && $0.b.x == values[2] }.count() == 1, "\(A.self)")
        #expect(try Q.where { $0.a.x == values[2] || $0.b.x == values[1] }.count() == 0, "\(A.self)")
        #expect(try Q.where { $0.c.one.x == values[3] && $0.c.y == values[1] }.count() == 1, "\(A.self)")
        #expect(try Q.where { $0.o.x == values[3] }.count() == 1, "\(A.self)")
        #expect(try Q.findBy.b.x(values[2]).count == 1 && Q.findBy.b.x(values[1]).count == 0, "\(A.self)")
        #expect(try Q.query.values(of: \.b.x) == [values[2]] && Q.query.values(of: \.c.y) == [values[1]], "\(A.self)")
        try Q.query.update { $0.b.x = values[1] }
        #expect(object.a.x == values[1] && object.b.x == values[1] && object.c.one.x == values[3], "\(A.self)")
        try Q.query.update { $0.c.one.x = values[1] }
        #expect(object.b.x == values[1] && object.c == Nested(one: One(x: values[1]), y: values[1]), "\(A.self)")
        // The other types are encoded differently in JSON and in a column.
        if ![Decimal.self, UUID.self, Year.self].contains(where: { $0 == A.self }) {
            #expect(try Q.where { $0.whole.x == values[2] }.count() == 1, "\(A.self)")
        }
    }

    private func checkAll<A: CodableSample>(_: A.Type) throws {
        try check(One<A>.self)
        try check(Nested<A>.self)
        try check(Long<A>.self)
        try check(Listed<A>.self)
        try check(Perhaps<A>.self)
        try checkParts(A.self)
    }

    @Test func `each call with a key path distinguishes properties of the same type`() throws {
        try withTemporarySession { _, _ in
            try check(Int.self)
            try check(UInt16.self)
            try check(Double.self)
            try check(Float.self)
            try check(Bool.self)
            try check(String.self)
            try check(Substring.self)
            try check(Character.self)
            try check(Date.self)
            try check(UUID.self)
            try check(Data.self)
            try check(URL.self)
            try check(Decimal.self)
            try check(Word.self)
            try check(Number.self)
            try check(DrawnFigure.self, madeOfNil: false)
            try check(Flags.self)
            try check(Code.self)
            try check(Year.self)
            try check(RawYear.self)
            try check(CodedYear.self)
        }
    }

    @Test func `structures of the same type are distinguished, whatever their first field`() throws {
        try withTemporarySession { _, _ in
            try checkAll(Int.self)
            try checkAll(Double.self)
            try checkAll(Bool.self)
            try checkAll(String.self)
            try checkAll(Date.self)
            try checkAll(UUID.self)
            try checkAll(Decimal.self)
            try checkAll(Word.self)
            try checkAll(Year.self)
        }
    }
}
