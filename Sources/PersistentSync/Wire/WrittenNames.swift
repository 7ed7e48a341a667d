/// The names of the content of a batch, with their places.
final class WrittenNames {
    let sorted: [Text]
    /// The names of the properties of most objects.
    let keys: [Text]
    private let places: [Text: Int]
    private let keyPlaces: [Int]
    /// The class of the object, if the content has one object, with no names but those of its properties.
    private let type: Text?

    /// - Parameters:
    ///   - names: All names.
    ///   - keys: The names of the properties of most objects.
    init(_ names: Set<Text>, keys: [Text], of object: (key: ObjectKey, value: ObjectState)?) {
        sorted = names.sorted()
        let places = Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
        (self.keys, self.places) = (keys, places)
        keyPlaces = keys.map { places[$0] ?? 0 }
        type = object.flatMap { Self.isPlain($0.value) ? $0.key.type : nil }
    }

    subscript(name: Text) -> Int { places[name] ?? 0 }

    /// The places of names.
    func places(of names: [Text]) -> [Int] { names == keys ? keyPlaces : names.map { self[$0] } }

    /// Whether the content with this object alone has the same names.
    func areNames(of object: (key: ObjectKey, value: ObjectState)) -> Bool {
        type == object.key.type && keys == object.value.properties.keys && Self.isPlain(object.value)
    }

    private static func isPlain(_ object: ObjectState) -> Bool {
        !object.hasRareParts && !object.properties.containObject
    }
}
