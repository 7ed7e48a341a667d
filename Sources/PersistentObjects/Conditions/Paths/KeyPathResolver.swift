@_spi(Locks) internal import StoreEngine

/// Resolves key paths to properties and caches the results.
enum KeyPathResolver {
    /// The target of a key path.
    enum Subject: Hashable, Sendable {
        case id
        /// The index in `ClassMap.properties`.
        case property(Int)
    }

    /// A key path of a class.
    struct Key: Hashable, @unchecked Sendable {  // key paths are immutable
        private let aClass: ObjectIdentifier
        private let path: AnyKeyPath

        init(_ path: AnyKeyPath, of map: ClassMap) {
            aClass = ObjectIdentifier(map)
            self.path = path
        }
    }

    private static let known = Locked<[Key: Subject]>([:])

    /// The target of `path` in a class.
    static func subject(of path: AnyKeyPath, in map: ClassMap) throws(FinderError) -> Subject {
        let key = Key(path, of: map)
        if let subject = known.withLock({ $0[key] }) { return subject }
        let subject = try resolve(path, in: map)
        known.withLock { $0[key] = subject }
        return subject
    }

    /// The meaning of a key path for an observer.
    enum Observed {
        /// The index in `ClassMap.properties`.
        case property(Int)
        /// A property that is not stored.
        case notStored
        /// The index in `ClassMap.embedded`.
        case embedded(Int)
        /// Computed by user code.
        case other
    }

    private static let knownToObservers = Locked<[Key: Observed]>([:])
    /// The cache is bounded, because key paths can have arguments and there can be any number of them.
    private static let knownLimit = 4096

    /// The meaning of an observed key path.
    static func observed(_ path: AnyKeyPath, in map: ClassMap) -> Observed {
        let key = Key(path, of: map)
        if let subject = knownToObservers.withLock({ $0[key] }) { return subject }
        let probe = KeyPathProbe(map.properties + map.observedOnly, map.scratch)
        let subject: Observed =
            switch probe.property(of: path) {
            case .success(let ordinal): ordinal < map.properties.count ? .property(ordinal) : .notStored
            case .failure: embedded(path, in: map).map { .embedded($0) } ?? .other
            }
        knownToObservers.withLock { known in
            if known.count >= knownLimit { known = [:] }
            known[key] = subject
        }
        return subject
    }

    private static let knownEmbedded = Locked<[Key: Int?]>([:])

    /// The index in `ClassMap.embedded` of the value that `path` names; nil if it names another property.
    static func embedded(_ path: AnyKeyPath, in map: ClassMap) -> Int? {
        let wanted = type(of: path).valueType
        guard map.embedded.contains(where: { $0.whole.codec.valueType == wanted }) else { return nil }
        let key = Key(path, of: map)
        if let index = knownEmbedded.withLock({ $0[key] }) { return index }
        let wholes = map.embedded.map(\.whole)
        let found = KeyPathProbe(wholes + map.properties.filter { $0.part == nil }, map.scratch).property(of: path)
        let index: Int? = if case .success(let ordinal) = found, ordinal < wholes.count { ordinal } else { nil }
        knownEmbedded.withLock { known in
            if known.count >= knownLimit { known = [:] }
            known[key] = .some(index)
        }
        return index
    }

    private static func resolve(_ path: AnyKeyPath, in map: ClassMap) throws(FinderError) -> Subject {
        let probe = KeyPathProbe(map.properties, map.scratch)
        switch probe.property(of: path) {
        case .success(let ordinal): return .property(ordinal)
        case .failure(let refusal):
            if probe.readsID(path) { return .id }
            if let index = embedded(path, in: map) {
                let name = map.embedded[index].whole.name
                let start = map.embedded[index].presenceFlag == nil ? name : "\(name)?"
                throw .notStoredProperty(
                    className: map.name, keyPath: "\\\(map.name).\(name)",
                    reason: .embedded(
                        fields: EmbeddedPath.fieldNames(of: map.embedded[index], in: map).map { "\(start).\($0)" }))
            }
            let root = type(of: path).rootType
            let reason = map.isClass(root) ? FinderError.KeyPathReason(refusal) : .otherClass("\(root)")
            throw .notStoredProperty(className: map.name, keyPath: "\(path)", reason: reason)
        }
    }
}

extension ClassMap {
    /// Whether a type is the class or one of its superclasses.
    fileprivate func isClass(_ type: Any.Type) -> Bool {
        func isClass<T>(_: T.Type) -> Bool { self.type is T.Type }
        return isClass(type)
    }
}

extension FinderError.KeyPathReason {
    fileprivate init(_ refusal: KeyPathProbe.Refusal) {
        switch refusal {
        case .isPath: self = .path
        case .indistinguishable: self = .oneValuedType
        case .hasSubscript: self = .hasSubscript
        case .notStored, .otherClass: self = .computed
        }
    }
}
