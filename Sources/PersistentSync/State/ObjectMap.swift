/// The states of objects, and the numbers of their changes. It takes less memory than dictionaries, which repeat the keys
/// and have up to twice as much space as content.
package struct ObjectMap: Sendable {
    /// Where and when this device created an object.
    struct Creation: Hashable, Sendable {
        let number: Int64
        let group: GroupID
    }

    private struct Entry: Sendable {
        let key: ObjectKey
        var state: ObjectState
        // Numbers of changes begin with 1; 0 for none.
        var touched: Int64 = 0
        var edited: Int64 = 0
        var created: Int64 = 0
        /// Indices of groups; of `created`, and the last known one.
        var creation: UInt32 = .max
        var place: UInt32 = .max
    }

    private var entries: [Entry] = []
    /// The entries by the hashes of their keys: each index plus 1, or 0. At least a quarter is 0.
    private var slots: [UInt32] = []
    private var groups: [GroupID] = []

    package init() {}

    package init(_ objects: [ObjectKey: ObjectState]) {
        reserveCapacity(objects.count)
        for (key, state) in objects { self[key] = state }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    package var keys: [ObjectKey] { entries.map(\.key) }

    /// Prepares for more objects, if these are most of all.
    mutating func reserve(more: Int) { if more > count { reserveCapacity(count + more) } }

    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        var size = Swift.max(8, slots.count)
        while size / 4 * 3 < count { size *= 2 }
        if size > slots.count { index(size) }
    }

    // MARK: Places

    private mutating func index(_ size: Int) {
        slots = [UInt32](repeating: 0, count: size)
        for (index, entry) in entries.enumerated() { slots[slot(of: entry.key)] = UInt32(index + 1) }
    }

    private func home(of key: ObjectKey) -> Int { key.hashValue & (slots.count - 1) }

    /// The slot of a key, or an empty one in which it can be.
    private func slot(of key: ObjectKey) -> Int {
        var slot = home(of: key)
        while slots[slot] != 0, entries[Int(slots[slot]) - 1].key != key { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func index(of key: ObjectKey) -> Int? {
        guard !entries.isEmpty else { return nil }
        let found = slots[slot(of: key)]
        return found == 0 ? nil : Int(found) - 1
    }

    private mutating func remove(_ index: Int) {
        let mask = slots.count - 1
        var gap = slot(of: entries[index].key)
        var next = (gap + 1) & mask
        while slots[next] != 0 {
            let home = home(of: entries[Int(slots[next]) - 1].key)
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = 0
        let last = entries.count - 1
        if index < last {
            // The last entry is moved to the place of the removed one.
            slots[slot(of: entries[last].key)] = UInt32(index + 1)
            entries[index] = entries[last]
        }
        entries.removeLast()
    }

    // MARK: States and numbers

    /// The state of an object. Without it, nothing is known of its numbers.
    package subscript(key: ObjectKey) -> ObjectState? {
        get { index(of: key).map { entries[$0].state } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let state?): entries[index].state = state
            case (let index?, nil): remove(index)
            case (nil, let state?):
                if slots.count / 4 * 3 <= entries.count { index(Swift.max(8, slots.count * 2)) }
                entries.append(Entry(key: key, state: state))
                slots[slot(of: key)] = UInt32(entries.count)
            case (nil, nil): break
            }
        }
    }

    /// The number of the last change of an object.
    package internal(set) subscript(touched key: ObjectKey) -> Int64? {
        get { number(of: key, \.touched) }
        set { set(\.touched, of: key, to: newValue ?? 0) }
    }

    /// The number of the last edit that was made here.
    subscript(edited key: ObjectKey) -> Int64? {
        get { number(of: key, \.edited) }
        set { set(\.edited, of: key, to: newValue ?? 0) }
    }

    subscript(created key: ObjectKey) -> Creation? {
        get {
            guard let index = index(of: key), entries[index].created > 0 else { return nil }
            return Creation(number: entries[index].created, group: groups[Int(entries[index].creation)])
        }
        set {
            set(\.creation, of: key, to: indexed(newValue?.group))
            set(\.created, of: key, to: newValue?.number ?? 0)
        }
    }

    /// The last known group of an object.
    subscript(place key: ObjectKey) -> GroupID? {
        get {
            guard let index = index(of: key), entries[index].place != .max else { return nil }
            return groups[Int(entries[index].place)]
        }
        set { set(\.place, of: key, to: indexed(newValue)) }
    }

    private func number(of key: ObjectKey, _ path: KeyPath<Entry, Int64>) -> Int64? {
        guard let index = index(of: key) else { return nil }
        let number = entries[index][keyPath: path]
        return number == 0 ? nil : number
    }

    private mutating func set<Value>(_ path: WritableKeyPath<Entry, Value>, of key: ObjectKey, to value: Value) {
        if let index = index(of: key) { entries[index][keyPath: path] = value }
    }

    private mutating func indexed(_ group: GroupID?) -> UInt32 {
        guard let group else { return .max }
        if let index = groups.firstIndex(of: group) { return UInt32(index) }
        groups.append(group)
        return UInt32(groups.count - 1)
    }

    // MARK: All objects

    /// The objects that satisfy a condition.
    func keys(where isIncluded: (borrowing ObjectState) -> Bool) -> [ObjectKey] {
        var found: [ObjectKey] = []
        for index in entries.indices where isIncluded(entries[index].state) { found.append(entries[index].key) }
        return found
    }

    /// The objects whose last change has a number in a range, with these numbers.
    package func touched(in range: some RangeExpression<Int64>) -> [(key: ObjectKey, number: Int64)] {
        var found: [(key: ObjectKey, number: Int64)] = []
        for index in entries.indices where entries[index].touched > 0 && range.contains(entries[index].touched) {
            found.append((entries[index].key, entries[index].touched))
        }
        return found
    }

    /// Calls `body` for the objects whose last change has a greater number.
    func forEach(touchedAfter number: Int64, _ body: (ObjectKey) throws -> Void) rethrows {
        for index in entries.indices where entries[index].touched > number { try body(entries[index].key) }
    }

    /// The numbers of the last changes that are greater than a number.
    func numbers(after number: Int64) -> [Int64] {
        var found: [Int64] = []
        for index in entries.indices where entries[index].touched > number { found.append(entries[index].touched) }
        return found
    }

    /// The number of objects with an edit after a number that satisfy a condition.
    func count(editedAfter number: Int64, where isIncluded: (ObjectKey) -> Bool) -> Int {
        entries.indices.count { entries[$0].edited > number && isIncluded(entries[$0].key) }
    }

    /// The states that satisfy a condition.
    package func filter(
        _ isIncluded: ((key: ObjectKey, value: ObjectState)) throws -> Bool
    ) rethrows -> [ObjectKey: ObjectState] {
        var found: [ObjectKey: ObjectState] = [:]
        for part in self where try isIncluded(part) { found[part.key] = part.value }
        return found
    }
}

extension ObjectMap: Sequence {
    package struct Iterator: IteratorProtocol {
        private let all: ObjectMap
        private var index = 0

        fileprivate init(_ all: ObjectMap) { self.all = all }

        package mutating func next() -> (key: ObjectKey, value: ObjectState)? {
            guard index < all.entries.count else { return nil }
            defer { index += 1 }
            return (all.entries[index].key, all.entries[index].state)
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }
    package var underestimatedCount: Int { count }
}

extension ObjectMap: Hashable {
    /// Whether the states are equal.
    package static func == (one: ObjectMap, other: ObjectMap) -> Bool {
        one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension ObjectMap: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (ObjectKey, ObjectState)...) {
        self.init(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
