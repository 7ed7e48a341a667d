/// Makes values of a `Codable` type out of samples, and notes where in its JSON each sample stands.
///
/// It is a decoder that has whatever it is asked for. One of the samples, that of
/// `chosen`, can be another than the rest.
final class JSONProbe {
    /// What was asked for and is one value, by the keys that lead there, in the order in which it was asked.
    private(set) var leaves: [(keys: [String], type: Any.Type)] = []
    var chosen: [String] = []
    var chosenSample = 0
    var otherSample = 0
    /// Types may hold themselves.
    private static let depth = 8

    /// A value of the type.
    ///
    /// - Throws: what the type's `init(from:)` throws where it does not like the samples.
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        leaves = []
        return try decode(type, [])
    }

    /// The different values that a leaf of a type is given; nil where the type is no leaf.
    static func samples(of type: Any.Type) -> [Any]? {
        guard !CodecFactory.isStoredAsJSON(type), case .success(let codec) = CodecFactory.codec(for: type),
            !codec.acceptsNull
        else { return nil }
        var samples: [Any] = []
        codec.withSamples { field in if let value = codec.value(field) { samples.append(value) } }
        return samples
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, _ keys: [String]) throws -> T {
        guard let samples = JSONProbe.samples(of: type), !samples.isEmpty else {
            return try T(from: ProbeDecoder(probe: self, keys: keys))
        }
        if !leaves.contains(where: { $0.keys == keys }) { leaves.append((keys, type)) }
        let wanted = keys == chosen ? chosenSample : otherSample
        guard let sample = samples[wanted % samples.count] as? T else { throw error(keys, "no sample") }
        return sample
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

    func unkeyedContainer() -> any UnkeyedDecodingContainer { EmptyProbe(probe: probe, keys: keys) }
    func singleValueContainer() -> any SingleValueDecodingContainer { SingleProbe(probe: probe, keys: keys) }
}

private struct KeyedProbe<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: JSONProbe
    let keys: [String]
    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }
    /// Nobody knows the keys of a dictionary.
    var allKeys: [Key] { [] }

    private func path(_ key: Key) -> [String] { keys + [key.stringValue] }
    func contains(_ key: Key) -> Bool { !probe.isTooDeep(path(key)) }
    func decodeNil(forKey key: Key) -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try probe.decode(type, path(key)) }

    func nestedContainer<K>(keyedBy type: K.Type, forKey key: Key) throws -> KeyedDecodingContainer<K> {
        try ProbeDecoder(probe: probe, keys: path(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        EmptyProbe(probe: probe, keys: path(key))
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

/// An array without elements.
private struct EmptyProbe: UnkeyedDecodingContainer {
    let probe: JSONProbe
    let keys: [String]
    var codingPath: [any CodingKey] { keys.map { ProbeKey($0) } }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    private var end: DecodingError { probe.error(keys, "no elements") }
    func decodeNil() throws -> Bool { throw end }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { throw end }
    func nestedContainer<K>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> { throw end }
    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw end }
    func superDecoder() throws -> any Decoder { throw end }
}
