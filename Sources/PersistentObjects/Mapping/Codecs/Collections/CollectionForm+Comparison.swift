// Changes of a set or dictionary, found in memory. Each row is first searched after the previous match, because a
// changed copy has almost all of its rows in the same order, and hashing a key is most of the cost of a lookup.
//
// Codecs are created for types that are found at run time. The common types are specialized here by name, because
// unspecialized code requests metadata for each row and takes twenty times as long.

/// The relation of a row of one collection to another collection.
enum RowDifference {
    /// Only the old collection has it.
    case removed
    /// Both have its key, with different values.
    case changed
    /// Only the new collection has it.
    case fresh
}

extension SetForm {
    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    static func isSame(_ a: Set<Element>, _ b: Set<Element>, key: FieldPlan?, element: FieldPlan) -> Bool {
        guard a.count == b.count else { return false }
        // If each element of `a` is found in `b`, the sets are equal, because their counts are equal.
        var next = b.startIndex
        return a.allSatisfy { place(of: $0, in: b, near: &next, element) != nil }
    }

    @_specialize(where Element == String)
    @_specialize(where Element == Int)
    static func forEachDifference(
        _ old: Set<Element>, _ new: Set<Element>, key: FieldPlan?, element: FieldPlan,
        _ body: (RowDifference, Address?, Address) throws -> Void
    ) rethrows {
        var next = old.startIndex
        var matches = 0
        for mine in new {
            if place(of: mine, in: old, near: &next, element) != nil {
                matches += 1
            } else {
                try ObjectMemory.withAddress(of: mine) { try body(.fresh, nil, $0) }
            }
        }
        guard matches < old.count else { return }
        next = new.startIndex
        for theirs in old where place(of: theirs, in: new, near: &next, element) == nil {
            try ObjectMemory.withAddress(of: theirs) { try body(.removed, nil, $0) }
        }
    }

    /// The position in a set of the element that is equal in a column; the search starts at `next`, which is then set
    /// to the position after the match.
    @inline(__always)
    private static func place(
        of mine: Element, in items: Set<Element>, near next: inout Set<Element>.Index, _ plan: FieldPlan
    ) -> Set<Element>.Index? {
        func isHere(_ place: Set<Element>.Index) -> Bool {
            ObjectMemory.withAddress(of: mine) { first in
                ObjectMemory.withAddress(of: items[place]) { plan.isSame(first, $0) }
            }
        }
        var found = next
        if !plan.isKnown || next == items.endIndex || !isHere(next) {
            guard let place = items.firstIndex(of: mine), isHere(place) else { return nil }
            found = place
        }
        next = items.index(after: found)
        return found
    }
}

extension DictionaryForm {
    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == Double)
    @_specialize(where Key == Int, Value == String)
    @_specialize(where Key == Int, Value == Int)
    @_specialize(where Key == Int, Value == Double)
    static func isSame(_ a: [Key: Value], _ b: [Key: Value], key: FieldPlan?, element: FieldPlan) -> Bool {
        guard a.count == b.count, let key else { return false }
        var next = b.startIndex
        return a.allSatisfy { mine in
            guard let place = place(of: mine.key, in: b, near: &next, key) else { return false }
            return isSame(mine.value, b.values[place], element)
        }
    }

    @_specialize(where Key == String, Value == String)
    @_specialize(where Key == String, Value == Int)
    @_specialize(where Key == String, Value == Double)
    @_specialize(where Key == Int, Value == String)
    @_specialize(where Key == Int, Value == Int)
    @_specialize(where Key == Int, Value == Double)
    static func forEachDifference(
        _ old: [Key: Value], _ new: [Key: Value], key: FieldPlan?, element: FieldPlan,
        _ body: (RowDifference, Address?, Address) throws -> Void
    ) rethrows {
        guard let key else { return }
        var next = old.startIndex
        var matches = 0
        for mine in new {
            if let place = place(of: mine.key, in: old, near: &next, key) {
                matches += 1
                if !isSame(mine.value, old.values[place], element) { try report(.changed, mine, body) }
            } else {
                try report(.fresh, mine, body)
            }
        }
        guard matches < old.count else { return }
        next = new.startIndex
        for theirs in old where place(of: theirs.key, in: new, near: &next, key) == nil {
            try report(.removed, theirs, body)
        }
    }

    private static func report(
        _ kind: RowDifference, _ row: (key: Key, value: Value),
        _ body: (RowDifference, Address?, Address) throws -> Void
    ) rethrows {
        try ObjectMemory.withAddress(of: row.key) { key in
            try ObjectMemory.withAddress(of: row.value) { try body(kind, key, $0) }
        }
    }

    @inline(__always)
    private static func isSame<T>(_ a: T, _ b: T, _ plan: FieldPlan) -> Bool {
        ObjectMemory.withAddress(of: a) { first in ObjectMemory.withAddress(of: b) { plan.isSame(first, $0) } }
    }

    /// The position of the key that is equal in a column, as for sets.
    @inline(__always)
    private static func place(
        of mine: Key, in items: [Key: Value], near next: inout [Key: Value].Index, _ plan: FieldPlan
    ) -> [Key: Value].Index? {
        var found = next
        if !plan.isKnown || next == items.endIndex || !isSame(mine, items.keys[next], plan) {
            guard let place = items.index(forKey: mine), isSame(mine, items.keys[place], plan) else { return nil }
            found = place
        }
        next = items.index(after: found)
        return found
    }
}

extension FieldPlan {
    /// Whether equal bytes in a column are equal values in Swift. For other types, `==` can distinguish more values and
    /// must be used.
    fileprivate var isKnown: Bool {
        switch kind {
        case .int, .int64, .double, .bool, .date, .string: true
        default: false
        }
    }
}
