/// The JSON form of a list.
struct JSONListForm {
    /// Whether it is an object, whose values are the elements.
    let isObject: Bool
    /// Whether the order of the elements matters.
    let isOrdered: Bool
}

/// Swift's list types: arrays, sets and dictionaries.
protocol JSONListType: Collection {
    static var elementType: Any.Type { get }
    /// Nil if the type is encoded neither as an array nor as an object of its elements.
    static var form: JSONListForm? { get }
}

extension Array: JSONListType {
    static var elementType: Any.Type { Element.self }
    static var form: JSONListForm? { JSONListForm(isObject: false, isOrdered: true) }
}

extension Set: JSONListType {
    static var elementType: Any.Type { Element.self }
    static var form: JSONListForm? { JSONListForm(isObject: false, isOrdered: false) }
}

extension Dictionary: JSONListType {
    static var elementType: Any.Type { Value.self }
    /// Nil for other keys, because the dictionary is then encoded as an array of alternating keys and values.
    static var form: JSONListForm? {
        Key.self == String.self || Key.self == Int.self ? JSONListForm(isObject: true, isOrdered: true) : nil
    }
}

/// Finds the location of a list in the JSON of a value. It creates values with lists of samples, and selects the list
/// that the key path returns and that is encoded as it would be by itself.
struct JSONListFinder<T: Codable> {
    let paths: [AnyKeyPath]
    let list: any JSONListType.Type
    let form: JSONListForm

    /// The keys of the only matching list.
    func keys() throws -> [String]? {
        let probe = JSONProbe()
        _ = try probe.value(T.self)
        for found in probe.lists where found.type == list {
            if try fits(found.keys) { return found.keys }
        }
        return nil
    }

    /// Whether all lists are returned and encoded, for different contents of the rest of the value.
    private func fits(_ keys: [String]) throws -> Bool {
        let probe = JSONProbe()
        probe.chosen = keys
        var hasSeenElements = false
        for count in 0...4 {
            for (isBackward, other) in [(false, 0), (true, 1)] {
                probe.otherSample = other
                probe.elements = (count, isBackward)
                // Samples that the type rejects are inconclusive.
                guard let value = try? probe.value(T.self) else { continue }
                guard let read = JSONPlaces.read(value, paths) as? any JSONListType & Encodable,
                    read.isEmpty == (count == 0), form.isOrdered == false || read.count == count,
                    let alone = try JSONValue.value(of: read, at: []),
                    let written = try JSONValue.value(of: value, at: keys),
                    written.isSame(as: alone, ordered: form.isOrdered)
                else { return false }
                hasSeenElements = hasSeenElements || count > 0
            }
        }
        return hasSeenElements
    }
}
