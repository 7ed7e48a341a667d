internal import StoreEngine

// Properties by key path.
extension Snapshot {
    /// The value of a property.
    public subscript<V: Sendable>(dynamicMember path: KeyPath<Object, V>) -> V { value(path) ?? evaluated(path) }

    /// The id of the object that a property refers to.
    public subscript<T: Persistent>(dynamicMember path: KeyPath<Object, T?>) -> PersistentID<T>? { ids(path) }

    /// The ids of the objects in an array or an inverse, in its order.
    public subscript<T: Persistent>(dynamicMember path: KeyPath<Object, [T]>) -> [PersistentID<T>] { ids(path) ?? [] }

    /// The ids of the objects in an array, in its order.
    public subscript<T: Persistent>(dynamicMember path: KeyPath<Object, [T]?>) -> [PersistentID<T>]? { ids(path) }

    /// The ids of the objects in a set.
    public subscript<T: Persistent>(dynamicMember path: KeyPath<Object, Set<T>>) -> Set<PersistentID<T>> {
        ids(path) ?? []
    }

    /// The ids of the objects in a set.
    public subscript<T: Persistent>(dynamicMember path: KeyPath<Object, Set<T>?>) -> Set<PersistentID<T>>? {
        ids(path)
    }

    /// The ids of the objects in a dictionary.
    public subscript<K: Hashable, T: Persistent>(
        dynamicMember path: KeyPath<Object, [K: T]>
    ) -> [K: PersistentID<T>] { ids(path) ?? [:] }

    /// The ids of the objects in a dictionary.
    public subscript<K: Hashable, T: Persistent>(
        dynamicMember path: KeyPath<Object, [K: T]?>
    ) -> [K: PersistentID<T>]? { ids(path) }

    /// Whether the snapshot contains a property's value.
    ///
    /// A property that it does not contain reads as in a new object, and is not merged.
    ///
    /// ```swift
    /// let quick = joe.snapshot(loading: false)
    /// quick.isLoaded(\.photo)     // false, if joe.photo was never accessed
    /// ```
    public func isLoaded(_ property: PartialKeyPath<Object>) -> Bool {
        // The fields of an embedded value are always loaded.
        if let map, KeyPathResolver.embedded(property, in: map) != nil { return true }
        return ordinal(of: property).map { properties[$0].isLoaded } ?? false
    }

    /// Sets the value of a property; the object is not affected until the snapshot is merged.
    ///
    /// ```swift
    /// var form = joe.snapshot()
    /// try form.set(\.lastName, to: "Jones")
    /// try session.merge(form).save()
    /// ```
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` if the key path names no stored property, and
    ///   `notRepresentable` for a value that cannot be stored.
    public mutating func set<V: Sendable>(_ property: ReferenceWritableKeyPath<Object, V>, to value: V) throws {
        if let map, let index = KeyPathResolver.embedded(property, in: map) {
            return try set(map.embedded[index], of: map, to: value)
        }
        let (map, ordinal) = try stored(property)
        let codec = map.properties[ordinal].codec
        do throws(ValueFault) {
            guard !(codec is any LinkCodec), let image = try SnapshotImage(value, codec) else {
                throw .notStorable(
                    reason:
                        "the property has the type \(map.properties[ordinal].typeName), not \(TypeSpelling.of(V.self))")
            }
            properties[ordinal].image = image
        } catch {
            throw StoreError.value(error).at(
                className: map.name, property: map.properties[ordinal].name, rowID: id)
        }
        properties[ordinal].value = OptionalValue.flattened(value).map { SendableBox.sendable($0) }
        properties[ordinal].isLoaded = true
    }

    /// Sets a reference to the object with an id, or to nil. See `set(_:to:)`.
    ///
    /// - Throws: `StoreError` with the code `noSuchProperty` if the key path names no stored reference.
    public mutating func set<T: Persistent>(
        _ property: ReferenceWritableKeyPath<Object, T?>, to id: PersistentID<T>?
    ) throws {
        let (_, ordinal) = try stored(property)
        properties[ordinal].image = .links(LinkImage(ids: id.map { [$0.value] } ?? []))
        properties[ordinal].value = id
        properties[ordinal].isLoaded = true
    }

    /// Replaces all fields of an embedded value, or no field if a field cannot be stored.
    private mutating func set<V>(_ embedded: EmbeddedValue, of map: ClassMap, to value: V) throws {
        var values: [(ordinal: Int, stored: DatabaseValue, value: (any Sendable)?)] = []
        try ObjectMemory.withAddress(of: value) { address in
            for ordinal in embedded.ordinals {
                let property = map.properties[ordinal]
                let field = address + property.partOffset
                do throws(ValueFault) {
                    values.append((ordinal, try property.codec.encode(field), property.codec.sendableValue(field)))
                } catch { throw StoreError.value(error).at(className: map.name, property: property.name, rowID: id) }
            }
        }
        for (ordinal, stored, value) in values {
            properties[ordinal].image = .value(stored)
            properties[ordinal].value = value
            properties[ordinal].isLoaded = true
        }
    }

    private func stored(_ property: PartialKeyPath<Object>) throws -> (ClassMap, Int) {
        if let map, let ordinal = ordinal(of: property) { return (map, ordinal) }
        throw StoreError(
            .noSuchProperty, "\(property) is not a stored property", className: map?.name ?? "\(Object.self)", rowID: id
        )
    }

    private func ordinal(of path: AnyKeyPath) -> Int? {
        guard let map, case .property(let ordinal)? = try? KeyPathResolver.subject(of: path, in: map) else {
            return nil
        }
        return ordinal
    }

    private func value<V>(_ path: KeyPath<Object, V>) -> V? {
        guard let ordinal = ordinal(of: path), properties[ordinal].isLoaded else { return nil }
        guard let value = properties[ordinal].value else { return (Any?.none as Any) as? V }
        return value as? V
    }

    private func ids<V>(_ path: AnyKeyPath) -> V? { ordinal(of: path).flatMap { properties[$0].value as? V } }

    /// The property's value in a new object with these values, for computed properties and values that cannot be sent.
    private func evaluated<V>(_ path: KeyPath<Object, V>) -> V {
        let type = map?.type ?? ObjectMemory.objectClass(Object.self)
        let object = type.init()
        let start = ObjectMemory.start(of: object)
        for (ordinal, property) in (map?.properties ?? []).enumerated() where !property.isLink {
            properties[ordinal].write(property, start)
        }
        return ObjectMemory.cast(object, to: Object.self)[keyPath: path]
    }
}

extension SnapshotProperty {
    /// Writes a value into the object at `start`, unless the property is a link.
    func write(_ property: Property, _ start: Address) {
        guard isLoaded else { return }
        let field = property.address(in: start)
        // A value read from its stored form shares no storage with the snapshot's other readers.
        if case .value(let stored)? = image, property.codec.replace(field, by: stored) { return }
        _ = property.codec.store(value, into: field)
    }
}

extension SnapshotImage {
    /// The stored form of a value; nil if the value does not have the codec's type.
    fileprivate init?<V>(_ value: V, _ codec: PropertyCodec) throws(ValueFault) {
        guard let stored = try codec.stored(value) else { return nil }
        self = .value(stored)
    }
}
