internal import StoreEngine

// Properties by name.
extension ObjectState {
    private var map: ClassMap? { try? ClassMap.map(of: type(of: object)) }

    func value(of name: String) -> Any? {
        if name == "id" { return object.id }
        guard let map, let ordinal = map.ordinal(of: name) else { return nil }
        return value(of: map.properties[ordinal])
    }

    /// The value of a property of its class, which is loaded if necessary.
    package func value(of property: Property) -> Any? {
        let start = ObjectMemory.start(of: object)
        load(property, start, onAccess: true)
        return property.codec.value(property.address(in: start))
    }

    /// - Parameter others: The other names being set.
    package func set(_ name: String, to value: Any?, with others: Set<String> = []) throws {
        let map = try ClassMap.map(of: type(of: object))
        guard let ordinal = map.ordinal(of: name) else {
            let names = map.inDeclaredOrder.map { map.properties[$0].name }
            throw StoreError(
                .noSuchProperty,
                "There is no such stored property. The class has \(names.joined(separator: ", "))",
                className: map.name, property: name)
        }
        let property = map.properties[ordinal]
        let field = property.address(in: ObjectMemory.start(of: object))
        property.checkNotBeingAccessed(field)
        let value = OptionalValue.flattened(value)
        let isNil = value == nil || property.part?.presence == .flag && value as? Bool == false
        if let reason = refusal(of: ordinal, isNil: isNil, map, others) {
            throw StoreError(.noSuchProperty, reason, className: map.name, property: name, rowID: object.id)
        }
        guard property.codec.store(value, into: field) else {
            throw StoreError(
                .noSuchProperty,
                "The value must have the type \(property.typeName), not \(TypeSpelling.ofValue(value))",
                className: map.name, property: name, rowID: object.id)
        }
        if let box = property.box(in: ObjectMemory.start(of: object)), box.state.isAway { box.state = .assigned }
        didSet(ordinal, map)
    }

    /// The reason that a property of a nil embedded value cannot be set. The value can be created only with all
    /// required properties.
    ///
    /// - Parameter others: The other names being set.
    package func refusal(of ordinal: Int, isNil: Bool, _ map: ClassMap, _ others: Set<String>) -> String? {
        guard !isNil, let part = map.properties[ordinal].part, part.presence != .always,
            let value = map.embedded.first(where: { $0.ordinals.contains(ordinal) }),
            let presenceFlag = value.presenceFlag,
            map.properties[presenceFlag].codec.value(
                map.properties[presenceFlag].address(in: ObjectMemory.start(of: object))) == nil
        else { return nil }
        let whole = part.whole.name
        guard part.presence == .flag else { return "\(whole) is nil. Set it to a value first" }
        let missing = value.ordinals.map { map.properties[$0] }
            .filter { $0.part?.presence == .required && !others.contains($0.name) }.map(\.name)
        if missing.isEmpty { return nil }
        return
            "\(whole) is nil, and a value also requires \(missing.joined(separator: ", ")). Set \(whole), or all "
            + "of them"
    }

    /// Called after a property was set by name. Observers are notified at once, or when the current call ends.
    func didSet(_ ordinal: Int, _ map: ClassMap) {
        guard map.observed != nil else { return }
        guard let keeper = object.keeper else { return ObservedChanges.report(ordinal, of: object, map) }
        gathering { keeper.didChange(ordinal, of: object) }
    }

    /// Loads a lazy property before it is read. If loading fails, the property has its initial value.
    ///
    /// - Parameter isAccess: Whether the user reads this property, as opposed to all properties.
    func load(_ property: Property, _ start: Address, onAccess isAccess: Bool = false) {
        guard let box = property.box(in: start), box.state.isAway else { return }
        do {
            box.problem = nil
            try box.load(onAccess: isAccess)
        } catch { box.problem = error }
    }

    var dictionary: [String: Any?] {
        var values: [String: Any?] = ["id": object.id as Any?]
        let start = ObjectMemory.start(of: object)
        for property in map?.properties ?? [] {
            load(property, start)
            values.updateValue(property.codec.value(property.address(in: start)), forKey: property.name)
        }
        return values
    }
}
