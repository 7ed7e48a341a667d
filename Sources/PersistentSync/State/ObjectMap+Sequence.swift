extension ObjectMap {
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
            guard index < all.count else { return nil }
            defer { index += 1 }
            return (all.key(index), all.state(index))
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
