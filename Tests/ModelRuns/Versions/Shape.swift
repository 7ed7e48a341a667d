import Foundation
import PersistentObjects

/// A type that a property can have, with the classes that have such a property.
struct Shape {
    let name: String
    /// A string from which values of the type can be read.
    let text: String
    let root, renamed, below, renamedBelow: any ShapeBox.Type
    /// The superclasses of `below` and `renamedBelow`.
    let belowRoot, renamedBelowRoot: PersistentObject.Type

    func box(isBelow: Bool, isRenamed: Bool) -> any ShapeBox.Type {
        isBelow ? isRenamed ? renamedBelow : below : isRenamed ? renamed : root
    }

    func classes(isBelow: Bool, isRenamed: Bool) -> [PersistentObject.Type] {
        let box = box(isBelow: isBelow, isRenamed: isRenamed) as PersistentObject.Type
        return isBelow ? [isRenamed ? renamedBelowRoot : belowRoot, box] : [box]
    }

    /// All 118 shapes.
    ///
    /// Each type is a value and an optional. Types of elements are also an array and a set. Nine of them are also a
    /// dictionary with either key, an optional array, and an array of optionals.
    static func all() -> [Shape] {
        var shapes: [Shape] = []
        func add<V: ShapeValue>(_ type: V.Type, _ name: String, _ text: String) {
            shapes.append(
                Shape(
                    name: name, text: text, root: Plain<V>.Box.self, renamed: Renamed<V>.Box.self,
                    below: Below<V>.Box.self,
                    renamedBelow: RenamedBelow<V>.Box.self, belowRoot: Below<V>.Root.self,
                    renamedBelowRoot: RenamedBelow<V>.Root.self))
        }
        func embed<V: ShapeValue>(_ type: V.Type, _ name: String, _ text: String) {
            shapes.append(
                Shape(
                    name: name, text: text, root: PlainEmbedded<V>.Box.self, renamed: RenamedEmbedded<V>.Box.self,
                    below: BelowEmbedded<V>.Box.self, renamedBelow: RenamedBelowEmbedded<V>.Box.self,
                    belowRoot: BelowEmbedded<V>.Root.self, renamedBelowRoot: RenamedBelowEmbedded<V>.Root.self))
        }
        func addElement<V: ShapeElement>(_ type: V.Type, _ text: String, isWide: Bool = false) {
            add(V.self, "\(type)", text)
            add(V?.self, "\(type)?", text)
            add([V].self, "[\(type)]", text)
            add(Set<V>.self, "Set<\(type)>", text)
            guard isWide else { return }
            add([String: V].self, "[String: \(type)]", text)
            add([V]?.self, "[\(type)]?", text)
            add([V?].self, "[\(type)?]", text)
            add([Int: V].self, "[Int: \(type)]", text)
        }
        addElement(Int.self, "12", isWide: true)
        addElement(Int8.self, "12")
        addElement(UInt8.self, "12")
        addElement(Int64.self, "12")
        addElement(UInt64.self, "12")
        addElement(Bool.self, "true", isWide: true)
        addElement(Double.self, "12", isWide: true)
        addElement(Float.self, "12")
        addElement(String.self, "12", isWide: true)
        addElement(Character.self, "x")
        addElement(URL.self, "x")
        addElement(Decimal.self, "12", isWide: true)
        addElement(Data.self, "12")
        addElement(UUID.self, "6ba7b810-9dad-41d1-80b4-00c04fd430c8", isWide: true)
        addElement(Date.self, "2026-11-22T17:06:31Z", isWide: true)
        addElement(WordCase.self, "12", isWide: true)
        addElement(NumberCase.self, "1")
        addElement(Compound.self, "{\"n\":1,\"s\":\"y\"}", isWide: true)
        addElement(Celsius.self, "12")
        add([UInt8].self, "Bytes", "12")
        add([UInt8]?.self, "Bytes?", "12")
        embed(Compound.self, "@Embedded Compound", "{\"n\":1,\"s\":\"y\"}")
        embed(Compound?.self, "@Embedded Compound?", "{\"n\":1,\"s\":\"y\"}")
        shapes.append(
            Shape(
                name: "@scale(2) Decimal", text: "12", root: PlainScaled.Box.self, renamed: RenamedScaled.Box.self,
                below: BelowScaled.Box.self, renamedBelow: RenamedBelowScaled.Box.self,
                belowRoot: BelowScaled.Root.self,
                renamedBelowRoot: RenamedBelowScaled.Root.self))
        shapes.append(
            Shape(
                name: "@scale(2) Decimal?", text: "12", root: PlainOptionalScaled.Box.self,
                renamed: RenamedOptionalScaled.Box.self, below: BelowOptionalScaled.Box.self,
                renamedBelow: RenamedBelowOptionalScaled.Box.self, belowRoot: BelowOptionalScaled.Root.self,
                renamedBelowRoot: RenamedBelowOptionalScaled.Root.self))
        return shapes
    }
}
