import Foundation
import PersistentObjects

/// A property with a value, and the functions that fill it and compare its value.
struct TransferProperty<T: PersistentObject> {
    let name: String
    let fill: (T, inout ModelRandom) -> Void
    /// The bits of the value.
    let bits: (T) -> String

    init<V: ShapeValue>(_ name: String, _ path: ReferenceWritableKeyPath<T, V>) {
        self.name = name
        fill = { object, random in
            let kind: RowKind = random.isOne(in: 5) ? .empty : random.isOne(in: 5) ? .none : .wild
            object[keyPath: path] = V.value(kind, like: "", &random) ?? V.random(&random)
        }
        bits = { $0[keyPath: path].bits }
    }
}

extension Node {
    static var values: [TransferProperty<Node<I>>] {
        typealias P = TransferProperty<Node<I>>
        let scalars: [P] = [
            P("int", \.int), P("int8", \.int8), P("uint64", \.uint64), P("flag", \.flag), P("double", \.double),
            P("float", \.float), P("text", \.text), P("character", \.character), P("url", \.url),
            P("decimal", \.decimal),
            P("data", \.data), P("bytes", \.bytes), P("uuid", \.uuid), P("date", \.date), P("word", \.word),
            P("number", \.number), P("compound", \.compound), P("place", \.place), P("celsius", \.celsius),
        ]
        let optionals: [P] = [
            P("perhapsPlace", \.perhapsPlace), P("perhapsInt", \.perhapsInt), P("perhapsDouble", \.perhapsDouble),
            P("perhapsText", \.perhapsText), P("perhapsDecimal", \.perhapsDecimal), P("perhapsData", \.perhapsData),
            P("perhapsDate", \.perhapsDate), P("perhapsCompound", \.perhapsCompound), P("perhapsFlag", \.perhapsFlag),
        ]
        let collections: [P] = [
            P("ints", \.ints), P("perhapsInts", \.perhapsInts), P("someTexts", \.someTexts), P("doubles", \.doubles),
            P("texts", \.texts), P("datas", \.datas), P("dates", \.dates), P("decimals", \.decimals),
            P("words", \.words),
            P("compounds", \.compounds),
        ]
        return scalars + optionals + collections
    }

    /// The values of the object and its references, by the numbers of the objects.
    var signature: [String] {
        var parts = Self.values.map { "\($0.name): \($0.bits(self))" }
        parts.append("price: \(price)")
        func list(_ tags: [Int]) -> String { "\(tags)" }
        func tag(_ object: (some TransferNode)?) -> String { object.map { "\($0.tag)" } ?? "nil" }
        parts.append("next: \(tag(next))")
        parts.append("friends: \(friends.map(\.tag))")
        parts.append("circle: \(circle.map(\.tag).sorted())")
        parts.append("named: \(named.map { "\($0.key.bits)=\($0.value.tag)" }.sorted())")
        parts.append("to: \(tag(toNumbered)) \(tag(toGiven)) \(tag(toWorded)) \(tag(toUnique))")
        parts.append("manyGiven: \(manyGiven.map(\.tag))")
        parts.append("manyWorded: \(manyWorded.map(\.tag).sorted())")
        parts.append("manyUnique: \(manyUnique.map { "\($0.key)=\($0.value.tag)" }.sorted())")
        if let leaf = self as? Leaf<I> {
            parts.append("leaf: \(leaf.extra) \(leaf.note?.bits ?? "nil") \(tag(leaf.twin))")
        }
        return parts
    }
}

/// An object with a number.
protocol TransferNode: PersistentObject {
    var tag: Int { get }
}

extension Node: TransferNode {}
