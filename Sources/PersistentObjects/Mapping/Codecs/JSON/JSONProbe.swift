/// Creates values of a `Codable` type from samples, and records the location of each sample in its JSON.
///
/// It is a decoder that provides every requested value. The leaf or list at `chosen` can have another sample.
final class JSONProbe {
    /// The requested single values, by the keys that lead to them, in request order.
    private(set) var leaves: [(keys: [String], type: Any.Type)] = []
    /// The requested arrays, sets and dictionaries, in the same form.
    private(set) var lists: [(keys: [String], type: Any.Type)] = []
    var chosen: [String] = []
    /// The number of elements of the chosen list, and whether their samples are reversed; nil if the chosen leaf is not
    /// a list.
    var elements: (count: Int, isBackward: Bool)?
    var chosenSample = 0
    var otherSample = 0
    /// The maximum depth, because a type may contain itself.
    private static let depth = 8

    /// Returns a value of the type.
    ///
    /// - Throws: The errors of the type's `init(from:)` if it rejects the samples.
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        leaves = []
        lists = []
        return try decode(type, [])
    }

    /// A value created from one sample of each leaf; a list at the root has `sample + 1` elements. Nil if the type
    /// rejects the samples.
    static func value<T: Decodable>(of type: T.Type, sample: Int) -> T? {
        let probe = JSONProbe()
        probe.otherSample = sample
        probe.elements = (count: sample + 1, isBackward: false)
        return try? Examination.run { try probe.value(type) }
    }

    /// Values of a type that are created from different samples, followed by values with elements in one of their
    /// lists.
    static func values<T: Decodable>(of type: T.Type) -> [T] {
        let made = (0...2).compactMap { value(of: type, sample: $0) }
        let first = JSONProbe()
        guard (try? Examination.run { try first.value(type) }) != nil else { return made }
        let withElements = first.lists.flatMap { list in
            (1...2).compactMap { count in
                let probe = JSONProbe()
                (probe.chosen, probe.elements) = (list.keys, (count, false))
                return try? Examination.run { try probe.value(type) }
            }
        }
        return made + withElements
    }

    /// The different values of a leaf of a type; nil if the type is not a leaf.
    static func samples(of type: Any.Type) -> [Any]? {
        guard !CodecFactory.isStoredAsJSON(type), case .success(let codec) = CodecFactory.codec(for: type),
            !codec.acceptsNull
        else { return nil }
        var first: ValueMemory?
        codec.withSamples { sample in if first == nil { first = ValueMemory(copying: sample, codec) } }
        guard let first else { return [] }
        let samples = first.samples()
        return (samples.isEmpty ? [first] : samples).compactMap { $0.withAddress { codec.value($0) } }
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, _ keys: [String]) throws -> T {
        if T.self is any JSONListType.Type {
            if !lists.contains(where: { $0.keys == keys }) { lists.append((keys, type)) }
            if keys == chosen, elements != nil { return try T(from: ProbeDecoder(probe: self, keys: keys)) }
        }
        guard let samples = JSONProbe.samples(of: type), !samples.isEmpty else {
            return try T(from: ProbeDecoder(probe: self, keys: keys))
        }
        if !leaves.contains(where: { $0.keys == keys }) { leaves.append((keys, type)) }
        let wanted = keys == chosen ? chosenSample : elementSample(keys) ?? otherSample
        guard let sample = samples[wanted % samples.count] as? T else { throw error(keys, "no sample") }
        return sample
    }

    /// The names of the chosen list's elements, if the keys lead to that list.
    fileprivate func elementNames(_ keys: [String]) -> [String] {
        guard keys == chosen, let elements else { return [] }
        return (0..<elements.count).map { "\($0)" }
    }

    /// The sample for a leaf in an element of the chosen list.
    private func elementSample(_ keys: [String]) -> Int? {
        guard let elements, keys.count > chosen.count, keys.starts(with: chosen), let place = Int(keys[chosen.count])
        else { return nil }
        return elements.isBackward ? elements.count - place : place
    }

    fileprivate func isTooDeep(_ keys: [String]) -> Bool { keys.count > JSONProbe.depth }

    fileprivate func error(_ keys: [String], _ message: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: keys.map { ProbeKey($0) }, debugDescription: message))
    }
}

private struct ProbeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}

private struct ProbeDecoder: Decoder {
    let probe: JSONProbe
    let keys: [String]
    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard !probe.isTooDeep(keys) else { throw probe.error(keys, "too deep") }
        return KeyedDecodingContainer(KeyedProbe<Key>(probe: probe, keys: keys))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ListProbe(probe: probe, keys: keys) }
    func singleValueContainer() -> any SingleValueDecodingContainer { SingleProbe(probe: probe, keys: keys) }
}

private struct KeyedProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: JSONProbe
    let keys: [String]
    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }
    /// Only the keys of the chosen dictionary are known.
    var allKeys: [Key] { probe.elementNames(keys).compactMap { Key(stringValue: $0) } }

    private func path(_ key: Key) -> [String] { keys + [key.stringValue] }
    func contains(_ key: Key) -> Bool { !probe.isTooDeep(path(key)) }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try probe.decode(type, path(key)) }

    func nestedContainer<K>(keyedBy type: K.Type, forKey key: Key) throws -> KeyedDecodingContainer<K> {
        try ProbeDecoder(probe: probe, keys: path(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        ListProbe(probe: probe, keys: path(key))
    }

    func superDecoder() -> any Decoder { ProbeDecoder(probe: probe, keys: keys + ["super"]) }
    func superDecoder(forKey key: Key) -> any Decoder { ProbeDecoder(probe: probe, keys: path(key)) }
}

private struct SingleProbe: SingleValueDecodingContainer {
    let probe: JSONProbe
    let keys: [String]
    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }

    func decodeNil() -> Bool { probe.isTooDeep(keys) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.decode(type, keys) }
}

/// An array without elements, unless it is the chosen list.
private struct ListProbe: UnkeyedDecodingContainer {
    let probe: JSONProbe
    let keys: [String]
    private(set) var currentIndex = 0

    init(probe: JSONProbe, keys: [String]) {
        self.probe = probe
        self.keys = keys
    }

    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }
    var count: Int? { probe.elementNames(keys).count }
    var isAtEnd: Bool { currentIndex >= probe.elementNames(keys).count }

    private mutating func next() throws -> [String] {
        guard !isAtEnd else { throw probe.error(keys, "no elements") }
        defer { currentIndex += 1 }
        return keys + ["\(currentIndex)"]
    }

    func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw probe.error(keys, "no elements") }
        return false
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try probe.decode(type, try next()) }

    mutating func nestedContainer<K>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
        try ProbeDecoder(probe: probe, keys: try next()).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListProbe(probe: probe, keys: try next())
    }

    mutating func superDecoder() throws -> any Decoder { ProbeDecoder(probe: probe, keys: try next()) }
}
