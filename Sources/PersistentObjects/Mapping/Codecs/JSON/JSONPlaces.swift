internal import Foundation
@_spi(Locks) internal import StoreEngine

/// The location of a key path's value in the JSON of a `Codable` value.
struct JSONPlace {
    let keys: [String]
    /// The codec of the value's type without its optional, or for a list the codec of its elements.
    let codec: PropertyCodec
    /// The form of a list; nil for a single value.
    var list: JSONListForm?
}

/// Finds the locations as `KeyPathProbe` finds properties: in values created from samples, it changes one sample at a
/// time. It selects the sample that the key path returns and that is encoded as a column would store it.
enum JSONPlaces {
    /// The reason that there is no such location.
    struct Refusal: Error { let reason: String }

    private struct Key: Hashable, @unchecked Sendable {  // key paths are immutable
        let type: ObjectIdentifier
        let paths: [AnyKeyPath]
    }

    private static let known = Locked<[Key: JSONPlace]>([:])

    /// The location of the value that key paths, applied one after the other, read from a value of a type.
    static func place(of paths: [AnyKeyPath], in type: Any.Type) throws(Refusal) -> JSONPlace {
        guard !paths.contains(where: KeyPathShape.hasSubscript) else {
            throw Refusal(reason: "a subscript cannot be expressed in SQL. Store the element in a separate property")
        }
        let root = unwrapped(type)
        let key = Key(type: ObjectIdentifier(root), paths: paths)
        if let place = known.withLock({ $0[key] }) { return place }
        guard CodecFactory.isStoredAsJSON(root), let codable = root as? any (Decodable & Encodable).Type else {
            throw Refusal(reason: "\(TypeSpelling.of(root)) is stored as one value, whose parts SQL cannot read")
        }
        let place = try find(paths, in: codable)
        known.withLock { $0[key] = place }
        return place
    }

    private static func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }

    private static func find<T: Codable>(_ paths: [AnyKeyPath], in type: T.Type) throws(Refusal) -> JSONPlace {
        let wanted = unwrapped(paths.last.map { Swift.type(of: $0).valueType } ?? type)
        if let list = wanted as? any JSONListType.Type, let form = list.form {
            return try find(paths, in: type, list, form)
        }
        // A Float is excluded, because its digits in JSON differ from the digits of the Double in its column.
        guard wanted != Float.self, let samples = JSONProbe.samples(of: wanted), samples.count > 1,
            case .success(let codec) = CodecFactory.codec(for: wanted)
        else {
            throw Refusal(
                reason:
                    "a \(TypeSpelling.of(wanted)) inside a \(TypeSpelling.of(type)) cannot be compared in SQL. "
                    + "Name a string, number, date or Bool in it"
            )
        }
        let finder = Finder<T>(paths: paths, codec: codec, samples: samples)
        let keys = try keys(in: type, as: "a column of \(TypeSpelling.of(wanted)) does") { try finder.keys() }
        return JSONPlace(keys: keys, codec: codec)
    }

    /// The same for a list.
    private static func find<T: Codable>(
        _ paths: [AnyKeyPath], in type: T.Type, _ list: any JSONListType.Type, _ form: JSONListForm
    ) throws(Refusal) -> JSONPlace {
        guard case .success(let codec) = CodecFactory.codec(for: list.elementType) else {
            throw Refusal(
                reason:
                    "a \(TypeSpelling.of(list.elementType)) in a list inside a \(TypeSpelling.of(type)) cannot be "
                    + "compared in SQL"
            )
        }
        let finder = JSONListFinder<T>(paths: paths, list: list, form: form)
        let keys = try keys(in: type, as: "a separate list is encoded") { try finder.keys() }
        return JSONPlace(keys: keys, codec: codec, list: form)
    }

    /// The keys that a finder returns.
    ///
    /// - Parameter form: The required encoding of the value, for the error.
    private static func keys(
        in type: Any.Type, as form: String, _ find: () throws -> [String]?
    ) throws(Refusal) -> [String] {
        do {
            if let keys = try Examination.run(find) { return keys }
        } catch {
            throw Refusal(
                reason:
                    "no \(TypeSpelling.of(type)) could be decoded from sample values (\(error)), so its keys are "
                    + "not known. Store the value in a separate property")
        }
        throw Refusal(
            reason:
                "it is computed, or a \(TypeSpelling.of(type)) encodes it differently than \(form). Store it in a "
                + "separate property")
    }

    private struct Finder<T: Codable> {
        let paths: [AnyKeyPath]
        let codec: PropertyCodec
        let samples: [Any]

        /// The keys of the only matching leaf.
        func keys() throws -> [String]? {
            let probe = JSONProbe()
            _ = try probe.value(T.self)
            let found = try probe.leaves.filter { try $0.type == codec.valueType && fits($0.keys) }
            return found.count == 1 ? found[0].keys : nil
        }

        /// Whether at least two different samples exist and all are returned and encoded, for different contents of the
        /// rest of the value.
        private func fits(_ keys: [String]) throws -> Bool {
            let probe = JSONProbe()
            probe.chosen = keys
            var seen: Set<DatabaseValue> = []
            for other in 0..<2 {
                probe.otherSample = other
                for (place, sample) in samples.enumerated() {
                    probe.chosenSample = place
                    // Samples that the type rejects are inconclusive.
                    guard let value = try? probe.value(T.self) else { continue }
                    let stored = try codec.encodeArgument(sample)
                    guard let stored, try codec.encodeArgument(JSONPlaces.read(value, paths)) == stored,
                        try JSONValue.value(of: value, at: keys)?.isStored(as: stored) == true
                    else { return false }
                    seen.insert(stored)
                }
            }
            return seen.count > 1
        }
    }

    /// The value that key paths, applied one after the other, read from a value; nil if one of them reads nil.
    static func read(_ value: Any?, _ paths: [AnyKeyPath]) -> Any? {
        var current = value
        for path in paths {
            guard let base = OptionalValue.flattened(current) else { return nil }
            current = base[keyPath: path]
        }
        return OptionalValue.flattened(current)
    }
}
