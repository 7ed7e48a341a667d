// Collections: how the elements of arrays, sets and dictionaries move between memory and columns.

/// One type of collection: how its elements are accessed, and how it is created from them.
protocol CollectionForm {
    associatedtype Items
    static var style: CollectionCodec.Style { get }
    static var empty: Items { get }
    static func count(_ items: Items) -> Int
    static func reserve(_ count: Int, in items: inout Items)

    /// Calls `body` with the address of each element, and of its key in a dictionary.
    static func forEachRow(
        _ items: Items, _ body: (Address?, Address) throws -> Void
    ) rethrows

    /// Moves an element, and its key, out of their memory into the collection; false, with both destroyed, if an equal
    /// element already exists.
    static func add(
        _ key: Address?, _ element: Address, to items: inout Items
    ) -> Bool

    /// Whether the rows of both would be equal; may return false although they are equal. Compares elements by their
    /// column values, not by `==`.
    static func isSame(_ a: Items, _ b: Items, key: FieldPlan?, element: FieldPlan) -> Bool

    /// Calls `body` with each row in which two sets or dictionaries differ, with the key and element of a changed row
    /// from the new collection. Compares column values, not with `==`.
    static func forEachDifference(
        _ old: Items, _ new: Items, key: FieldPlan?, element: FieldPlan,
        _ body: (RowDifference, Address?, Address) throws -> Void
    ) rethrows

    /// Calls `body` with the elements of an array.
    static func withElements(_ items: Items, _ body: (ElementBuffer) throws -> Void) rethrows
}

extension CollectionForm {
    static func withElements(_ items: Items, _ body: (ElementBuffer) throws -> Void) rethrows { try body(.empty) }
}

enum ArrayForm<Element>: CollectionForm {
    static var style: CollectionCodec.Style { .array }
    static var empty: [Element] { [] }
    static func count(_ items: [Element]) -> Int { items.count }
    static func reserve(_ count: Int, in items: inout [Element]) { items.reserveCapacity(count) }

    static func forEachRow(
        _ items: [Element], _ body: (Address?, Address) throws -> Void
    ) rethrows {
        try withElements(items) { elements in
            for index in 0..<elements.count { try body(nil, elements.address(index)) }
        }
    }

    static func add(
        _ key: Address?, _ element: Address, to items: inout [Element]
    ) -> Bool {
        items.append(element.move(as: Element.self))
        return true
    }

    static func isSame(_ a: [Element], _ b: [Element], key: FieldPlan?, element: FieldPlan) -> Bool {
        guard a.count == b.count else { return false }
        var isSame = true
        withElements(a) { first in
            withElements(b) { second in
                if first.base == second.base { return }
                for index in 0..<first.count where !element.isSame(first.address(index), second.address(index)) {
                    isSame = false
                    return
                }
            }
        }
        return isSame
    }

    // `ArrayMatching` compares arrays.
    static func forEachDifference(
        _ old: [Element], _ new: [Element], key: FieldPlan?, element: FieldPlan,
        _ body: (RowDifference, Address?, Address) throws -> Void
    ) rethrows {}

    static func withElements(_ items: [Element], _ body: (ElementBuffer) throws -> Void) rethrows {
        try Address.with(items) { start in
            try body(ElementBuffer(base: start, count: items.count, stride: MemoryLayout<Element>.stride))
        }
    }
}

// The common sets and dictionaries are specialized by name, because codecs are created for types that are found at run
// time, and unspecialized code requests metadata for each element.

enum SetForm<Element: Hashable>: CollectionForm {
    static var style: CollectionCodec.Style { .set }
    static var empty: Set<Element> { [] }
    static func count(_ items: Set<Element>) -> Int { items.count }
    static func reserve(_ count: Int, in items: inout Set<Element>) { items.reserveCapacity(count) }

    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    static func forEachRow(
        _ items: Set<Element>, _ body: (Address?, Address) throws -> Void
    ) rethrows {
        for element in items { try ObjectMemory.withAddress(of: element) { try body(nil, $0) } }
    }

    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    static func add(
        _ key: Address?, _ element: Address, to items: inout Set<Element>
    ) -> Bool {
        items.insert(element.move(as: Element.self)).inserted
    }
}

enum DictionaryForm<Key: Hashable, Value>: CollectionForm {
    static var style: CollectionCodec.Style { .dictionary }
    static var empty: [Key: Value] { [:] }
    static func count(_ items: [Key: Value]) -> Int { items.count }
    static func reserve(_ count: Int, in items: inout [Key: Value]) { items.reserveCapacity(count) }

    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == Double)
    @_specialize(where Key == Int, Value == String)
    @_specialize(where Key == Int, Value == Int)
    @_specialize(where Key == Int, Value == Double)
    static func forEachRow(
        _ items: [Key: Value], _ body: (Address?, Address) throws -> Void
    ) rethrows {
        for (key, value) in items {
            try ObjectMemory.withAddress(of: key) { key in
                try ObjectMemory.withAddress(of: value) { try body(key, $0) }
            }
        }
    }

    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == Double)
    @_specialize(where Key == Int, Value == String)
    @_specialize(where Key == Int, Value == Int)
    @_specialize(where Key == Int, Value == Double)
    static func add(
        _ key: Address?, _ element: Address, to items: inout [Key: Value]
    ) -> Bool {
        let value = element.move(as: Value.self)
        guard let key = key?.move(as: Key.self), items[key] == nil else { return false }
        items[key] = .some(value)
        return true
    }
}

/// A collection of objects of the store.
protocol LinkForm: CollectionForm {
    associatedtype Target: Persistent
    /// The same collection as ids, for other threads.
    associatedtype IDForm: CollectionForm
    /// The collection of objects that are known to be of the target class; nil if they must be added one by one.
    static func items(of objects: [PersistentObject]) -> Items?
}

extension LinkForm {
    static func items(of objects: [PersistentObject]) -> Items? { nil }
}

extension ArrayForm: LinkForm where Element: Persistent {
    typealias Target = Element
    typealias IDForm = ArrayForm<PersistentID<Element>>
    static func items(of objects: [PersistentObject]) -> [Element]? { objects.cast(to: Element.self) }
}

extension SetForm: LinkForm where Element: Persistent {
    typealias Target = Element
    typealias IDForm = SetForm<PersistentID<Element>>
}

extension DictionaryForm: LinkForm where Value: Persistent {
    typealias Target = Value
    typealias IDForm = DictionaryForm<Key, PersistentID<Value>>
}

/// The type of a collection property: the collection, or an optional of it.
protocol CollectionHolder {
    associatedtype Form: CollectionForm
    associatedtype Value
    static var isOptional: Bool { get }
    static func items(_ value: Value) -> Form.Items?
    /// The value for a collection; for nil, the empty collection if it is not optional.
    static func value(_ items: Form.Items?) -> Value
}

enum PlainCollection<Form: CollectionForm>: CollectionHolder {
    static var isOptional: Bool { false }
    static func items(_ value: Form.Items) -> Form.Items? { value }
    static func value(_ items: Form.Items?) -> Form.Items { items ?? Form.empty }
}

enum OptionalCollection<Form: CollectionForm>: CollectionHolder {
    static var isOptional: Bool { true }
    static func items(_ value: Form.Items?) -> Form.Items? { value }
    static func value(_ items: Form.Items?) -> Form.Items? { items }
}
