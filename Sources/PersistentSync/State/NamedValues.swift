/// Values by name, sorted by name: a dictionary for few names that takes a third of a dictionary's memory. Collections
/// with the same names can share them.
package struct NamedValues<Value> {
    package private(set) var keys: [Text]
    package private(set) var values: [Value]

    package init() { (keys, values) = ([], []) }

    /// - Parameters:
    ///   - keys: Different names, in their order.
    ///   - values: As many values.
    init(sorted keys: [Text], _ values: [Value]) { (self.keys, self.values) = (keys, values) }

    package init(_ values: [Text: Value]) {
        let sorted = values.sorted { $0.key < $1.key }
        self.init(sorted: sorted.map(\.key), sorted.map(\.value))
    }

    /// Up to this number of names, comparing all is faster than halving.
    private static var few: Int { 12 }

    private func index(of name: Text) -> Int? {
        if keys.count <= Self.few { return keys.firstIndex(of: name) }
        let index = firstIndex(notBefore: name)
        return index < keys.count && keys[index] == name ? index : nil
    }

    private func firstIndex(notBefore name: Text) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package subscript(name: Text) -> Value? {
        get { index(of: name).map { values[$0] } }
        set {
            switch (index(of: name), newValue) {
            case (let index?, let value?): values[index] = value
            case (let index?, nil):
                keys.remove(at: index)
                values.remove(at: index)
            case (nil, let value?):
                let index = firstIndex(notBefore: name)
                keys.insert(name, at: index)
                values.insert(value, at: index)
            case (nil, nil): break
            }
        }
    }

    /// Other values for the same names.
    func mapped<Other>(_ body: (Value) throws -> Other) rethrows -> NamedValues<Other> {
        NamedValues<Other>(sorted: keys, try values.map(body))
    }

    /// A dictionary of other values.
    package func mapValues<Other>(_ body: (Value) throws -> Other) rethrows -> [Text: Other] {
        var result: [Text: Other] = [:]
        for (key, value) in self { result[key] = try body(value) }
        return result
    }

    /// The values of some names.
    func only(where isIncluded: (Text) -> Bool) -> NamedValues {
        var result = NamedValues()
        for (key, value) in self where isIncluded(key) {
            result.keys.append(key)
            result.values.append(value)
        }
        return result
    }
}

extension NamedValues: Equatable where Value: Equatable {
    /// Adds the values of other names, and combines the values of the same names. Values that remain the same are not
    /// copied.
    mutating func merge(_ other: NamedValues, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
        if isEmpty {
            self = other
            return
        }
        if keys == other.keys {
            for index in values.indices {
                let value = try combine(values[index], other.values[index])
                if value != values[index] { values[index] = value }
            }
            return
        }
        for (key, value) in other {
            guard let index = index(of: key) else {
                self[key] = value
                continue
            }
            let combined = try combine(values[index], value)
            if combined != values[index] { values[index] = combined }
        }
    }
}

extension NamedValues: Hashable where Value: Hashable {}
extension NamedValues: Sendable where Value: Sendable {}

extension NamedValues: Sequence {
    package struct Iterator: IteratorProtocol {
        private let all: NamedValues
        private var index = 0

        fileprivate init(_ all: NamedValues) { self.all = all }

        package mutating func next() -> (key: Text, value: Value)? {
            guard index < all.keys.count else { return nil }
            defer { index += 1 }
            return (all.keys[index], all.values[index])
        }
    }

    package func makeIterator() -> Iterator { Iterator(self) }

    package var underestimatedCount: Int { keys.count }
    package var count: Int { keys.count }
    package var isEmpty: Bool { keys.isEmpty }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Text, Value)...) {
        self.init()
        for (key, value) in elements { self[key] = value }
    }
}
