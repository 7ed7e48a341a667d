/// A set of keys of objects. A number takes 18 to 37 bytes, compared with 43 to 85 bytes in a `Set`.
package struct KeySet: Sendable {
    /// The halves of a key.
    private struct Number: Hashable, Sendable {
        let high: UInt64
        let low: UInt64

        static let zero = Number(high: 0, low: 0)
    }

    /// The keys of one class.
    private struct Part: Sendable {
        /// Each number is at the place of its hash or after it; 0 in an empty place. At least an eighth is empty.
        var slots: [Number] = []
        var count = 0
        /// Texts, and the number 0.
        var others: Set<KeyValue> = []

        /// The slot of a number, or an empty one in which it can be.
        func slot(of number: Number) -> Int {
            var slot = home(of: number)
            while slots[slot] != number, slots[slot] != .zero { slot = (slot + 1) & (slots.count - 1) }
            return slot
        }

        private func home(of number: Number) -> Int { number.hashValue & (slots.count - 1) }

        func contains(_ number: Number) -> Bool { count > 0 && slots[slot(of: number)] == number }

        /// Inserts a number that is not in the set.
        mutating func insert(_ number: Number) {
            if slots.count / 8 * 7 <= count { resize(Swift.max(8, slots.count * 2)) }
            slots[slot(of: number)] = number
            count += 1
        }

        private mutating func resize(_ size: Int) {
            let old = slots
            slots = [Number](repeating: .zero, count: size)
            for number in old where number != .zero { slots[slot(of: number)] = number }
        }

        /// Removes a number that is in the set.
        mutating func remove(_ number: Number) {
            let mask = slots.count - 1
            var gap = slot(of: number)
            var next = (gap + 1) & mask
            while slots[next] != .zero {
                if (next - home(of: slots[next])) & mask >= (next - gap) & mask {
                    slots[gap] = slots[next]
                    gap = next
                }
                next = (next + 1) & mask
            }
            slots[gap] = .zero
            count -= 1
        }
    }

    private var types: [Text] = []
    /// As many as types.
    private var parts: [Part] = []

    package init() {}

    package init(_ keys: some Sequence<ObjectKey>) {
        for key in keys { insert(key) }
    }

    package var count: Int { parts.reduce(0) { $0 + $1.count + $1.others.count } }
    package var isEmpty: Bool { parts.allSatisfy { $0.count == 0 && $0.others.isEmpty } }

    private static func number(_ key: KeyValue) -> Number? {
        guard case .number(let high, let low) = key, high | low != 0 else { return nil }
        return Number(high: high, low: low)
    }

    package func contains(_ key: ObjectKey) -> Bool {
        guard let part = types.firstIndex(of: key.type) else { return false }
        return KeySet.number(key.key).map { parts[part].contains($0) } ?? parts[part].others.contains(key.key)
    }

    package mutating func insert(_ key: ObjectKey) {
        // A set that has the key is not copied.
        guard !contains(key) else { return }
        let part = types.firstIndex(of: key.type) ?? types.count
        if part == types.count {
            types.append(key.type)
            parts.append(Part())
        }
        if let number = KeySet.number(key.key) {
            parts[part].insert(number)
        } else {
            parts[part].others.insert(key.key)
        }
    }

    package mutating func remove(_ key: ObjectKey) {
        guard contains(key), let part = types.firstIndex(of: key.type) else { return }
        if let number = KeySet.number(key.key) {
            parts[part].remove(number)
        } else {
            parts[part].others.remove(key.key)
        }
    }

    /// The classes of the keys, in their order.
    var classes: [Text] { types.sorted() }

    /// The keys of a class, in their order.
    func keys(of type: Text) -> [KeyValue] {
        guard let part = types.firstIndex(of: type).map({ parts[$0] }) else { return [] }
        var keys: [KeyValue] = []
        keys.reserveCapacity(part.count + part.others.count)
        for number in part.slots where number != .zero {
            keys.append(.number(high: number.high, low: number.low))
        }
        keys += part.others
        keys.sort()
        return keys
    }

    package mutating func formUnion(_ keys: some Sequence<ObjectKey>) {
        for key in keys { insert(key) }
    }
}

extension KeySet: Sequence {
    package struct Iterator: IteratorProtocol {
        private let all: KeySet
        private var (part, slot) = (0, 0)
        private var others: Set<KeyValue>.Iterator?

        fileprivate init(_ all: KeySet) { self.all = all }

        package mutating func next() -> ObjectKey? {
            while part < all.parts.count {
                let type = all.types[part]
                while slot < all.parts[part].slots.count {
                    let number = all.parts[part].slots[slot]
                    slot += 1
                    if number != .zero { return ObjectKey(type, .number(high: number.high, low: number.low)) }
                }
                if others == nil { others = all.parts[part].others.makeIterator() }
                if let key = others?.next() { return ObjectKey(type, key) }
                (part, slot, others) = (part + 1, 0, nil)
            }
            return nil
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }
    package var underestimatedCount: Int { count }
}

extension KeySet: Hashable {
    package static func == (one: KeySet, other: KeySet) -> Bool {
        one.count == other.count && one.allSatisfy { other.contains($0) }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension KeySet: ExpressibleByArrayLiteral {
    package init(arrayLiteral keys: ObjectKey...) { self.init(keys) }
}
