/// Remembers which property each key path names.
enum KeyPathResolver {
    /// What a key path names.
    enum Subject: Hashable, Sendable {
        case id
        /// The place in `ClassMap.properties`.
        case property(Int)
    }

    private struct Key: Hashable, @unchecked Sendable {  // key paths are immutable
        let aClass: ObjectIdentifier
        let path: AnyKeyPath
    }

    private static let known = Locked<[Key: Subject]>([:])

    /// What `path` names in a class.
    static func subject(of path: AnyKeyPath, in map: ClassMap) throws(FinderError) -> Subject {
        let key = Key(aClass: ObjectIdentifier(map), path: path)
        if let subject = known.withLock({ $0[key] }) { return subject }
        let subject = try resolve(path, in: map)
        known.withLock { $0[key] = subject }
        return subject
    }

    private static func resolve(_ path: AnyKeyPath, in map: ClassMap) throws(FinderError) -> Subject {
        let probe = KeyPathProbe(map.properties, map.scratch)
        switch probe.property(of: path) {
        case .success(let place): return .property(place)
        case .failure(let refusal):
            if probe.readsID(path) { return .id }
            throw .notStoredProperty(
                className: map.name, keyPath: "\(path)", reason: FinderError.KeyPathReason(refusal))
        }
    }
}

extension FinderError.KeyPathReason {
    fileprivate init(_ refusal: KeyPathProbe.Refusal) {
        switch refusal {
        case .isPath: self = .path
        case .cannotBeTold: self = .oneValuedType
        case .notStored, .otherClass: self = .computed
        }
    }
}
