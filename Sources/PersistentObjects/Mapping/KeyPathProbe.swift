/// Determines which stored property a key path reads, on a scratch object: one field at a time is changed, and the
/// field whose value is returned through the key path is the property.
///
/// A key path to a class's property does not reveal its offset. Rules K1 to K8: only fields of exactly the key path's
/// type are tried, and two values that differ in a column must be returned, so a computed property is not mistaken for
/// the property it is computed from. A computed property that only passes a stored property on is accepted as its
/// alias.
struct KeyPathProbe {
    private let properties: [Property]
    private let scratch: ScratchObject

    init(_ properties: [Property], _ scratch: ScratchObject) {
        self.properties = properties
        self.scratch = scratch
    }

    /// The reason that a key path is not a stored property.
    enum Refusal: Error, Equatable {
        /// `\Person.employer?.name`: several components.
        case isPath
        /// Computed, a `let`, transient, or of a type with a single value.
        case notStored
        /// The values of the type cannot be distinguished here.
        case indistinguishable
        /// The key path starts at another class.
        case otherClass
        /// `\Person.tags[0]`.
        case hasSubscript

        var reason: String {
            switch self {
            case .isPath: "is a path. Only a property of the class itself can be named here"
            case .notStored:
                "is computed, not stored, or has a type with a single value. Queries need stored properties"
            case .indistinguishable:
                "has a type whose values cannot be distinguished by key path. Use the property's name instead"
            case .otherClass: "starts at another class"
            case .hasSubscript: "has a subscript. Only a property of the class itself can be named here"
            }
        }
    }

    /// The ordinal of the property that `path` reads: the only one whose values are returned through it.
    func property(of path: AnyKeyPath) -> Result<Int, Refusal> {
        guard !KeyPathShape.hasSubscript(path) else { return .failure(.hasSubscript) }
        let signs = KeyPathProbe.signs(in: path)
        let isPath = !signs.isEmpty
        let wanted = type(of: path).valueType
        // A path with several components leads to a field of an embedded value. A path with `!` may trap.
        let candidates = properties.indices.filter {
            properties[$0].codec.valueType == wanted && (!isPath || properties[$0].part != nil)
        }
        guard !candidates.isEmpty, !isPath || !signs.contains("!") else {
            return .failure(isPath ? .isPath : .notStored)
        }
        return Examination.run {
            scratch.withObject { object, start in
                guard object[keyPath: path] != nil else { return .failure(.otherClass) }
                var found: [Int] = []
                var isUndecided = false
                for ordinal in candidates {
                    switch reads(path, properties[ordinal], of: object, at: start) {
                    case true?: if isAlone(path, ordinal, of: object, at: start) { found.append(ordinal) }
                    case false?: continue
                    case nil:
                        if KeyPathProbe.names(path, properties[ordinal]) { return .success(ordinal) }
                        isUndecided = true
                    }
                }
                if found.count == 1 { return .success(found[0]) }
                return .failure(isPath ? .isPath : isUndecided || !found.isEmpty ? .indistinguishable : .notStored)
            }
        }
    }

    /// Whether `path` is `\Person.id`, which the library declares as a computed property.
    func readsID(_ path: AnyKeyPath) -> Bool {
        guard type(of: path).valueType == Int64?.self, !KeyPathProbe.isPath(path), !KeyPathShape.hasSubscript(path)
        else { return false }
        return Examination.run {
            scratch.withObject { object, _ in
                defer {
                    object.lifecycle = .new
                    object.rowID = 0
                }
                object.lifecycle = .saved
                return Int64.samples.allSatisfy { sample in
                    object.rowID = sample
                    return object[keyPath: path] as? Int64? == sample
                }
            }
        }
    }

    /// Whether `path` returns the sample values that the field is set to; nil if there are no samples.
    ///
    /// - Parameters:
    ///   - object: The root object of the key path.
    ///   - start: The object that contains the field.
    func reads(
        _ path: AnyKeyPath, _ property: Property, of object: PersistentObject, at start: Address
    ) -> Bool? {
        property.withValueAround(in: start) { reads(path, property.codec, property.address(in: start), of: object) }
    }

    private func reads(
        _ path: AnyKeyPath, _ codec: PropertyCodec, _ field: Address, of object: PersistentObject
    ) -> Bool? {
        let saved = ValueMemory(copying: field, codec)
        let read = ValueMemory(copying: field, codec)
        defer { saved.assign(to: field) }
        let samples = saved.samples()
        guard !samples.isEmpty else { return nil }
        return samples.allSatisfy { sample in
            sample.assign(to: field)
            return KeyPathProbe.gives(path, sample, of: object, codec, read)
        }
    }

    /// Whether `path` returns a sample; `read` is memory for its result.
    private static func gives(
        _ path: AnyKeyPath, _ sample: ValueMemory, of object: PersistentObject, _ codec: PropertyCodec,
        _ read: ValueMemory
    ) -> Bool {
        guard let value = object[keyPath: path] else { return false }
        return read.withAddress { read in
            codec.storeExactly(value, into: read) && sample.withAddress { codec.isSame(read, $0) }
        }
    }

    /// Whether `path` returns the field's value for all values of the other fields. `nick ?? name` and `first + last`
    /// do not, although they return one field while the other is empty.
    func isAlone(
        _ path: AnyKeyPath, _ ordinal: Int, of object: PersistentObject, at start: Address
    ) -> Bool {
        properties[ordinal].withValueAround(in: start) {
            isAlone(path, ordinal, among: properties, of: object, at: start)
        }
    }

    private func isAlone(
        _ path: AnyKeyPath, _ ordinal: Int, among properties: [Property], of object: PersistentObject, at start: Address
    ) -> Bool {
        let property = properties[ordinal]
        let field = property.address(in: start)
        let saved = ValueMemory(copying: field, property.codec)
        let read = ValueMemory(copying: field, property.codec)
        defer { saved.assign(to: field) }
        let samples = saved.samples()
        return properties.indices.filter { $0 != ordinal && canDecide(properties[$0], on: property) }.allSatisfy {
            other in
            let codec = properties[other].codec
            let otherField = properties[other].address(in: start)
            let otherSaved = ValueMemory(copying: otherField, codec, keepsObject: true)
            defer { otherSaved.assign(to: otherField) }
            return otherSaved.samples().allSatisfy { otherSample in
                otherSample.assign(to: otherField)
                return samples.allSatisfy { sample in
                    sample.assign(to: field)
                    return KeyPathProbe.gives(path, sample, of: object, property.codec, read)
                }
            }
        }
    }

    /// The fields that computed properties usually depend on: fields of the same type, optional or not, and Bools.
    /// Other numbers are excluded, because a getter that uses a number as an index would trap.
    private func canDecide(_ other: Property, on property: Property) -> Bool {
        func unwrapped(_ type: Any.Type) -> Any.Type { (type as? any OptionalType.Type)?.wrapped ?? type }
        let type = unwrapped(other.codec.valueType)
        return type == Bool.self || type == unwrapped(property.codec.valueType)
    }

    /// Whether there is more than one component, determined from the key path's description because no API reports it.
    static func isPath(_ path: AnyKeyPath) -> Bool { !signs(in: path).isEmpty }

    /// The separators between and after the components of a key path: dots, and optional signs.
    static func signs(in path: AnyKeyPath) -> [Character] {
        guard let text = steps(of: path) else { return [] }
        // `<computed 0x… (Type)>` is one component, and so is a raw identifier in backticks.
        var signs: [Character] = []
        var depth = 0
        var isRaw = false
        for character in text {
            switch character {
            case "`": isRaw.toggle()
            case _ where isRaw: break
            case "<": depth += 1
            case ">": depth -= 1
            case ".", "?", "!": if depth <= 0 { signs.append(character) }
            default: break
            }
        }
        return signs
    }

    /// Whether the key path's description is the property's name, as it is for a stored property that cannot be
    /// overridden. This identifies properties whose values cannot be distinguished, except for types of size 0.
    private static func names(_ path: AnyKeyPath, _ property: Property) -> Bool {
        guard property.codec.facts.size > 0, let text = steps(of: path) else { return false }
        return Naming.withoutBackticks(String(text)) == property.name
    }

    /// The description after `\Person.`.
    private static func steps(of path: AnyKeyPath) -> Substring? {
        let text = String(describing: path)
        let root = "\\\(type(of: path).rootType)."
        return text.hasPrefix(root) ? text.dropFirst(root.count) : nil
    }
}

extension ClassMap {
    /// The spelling of a key path to a stored property, `\Person.name`, which is the same in every process.
    ///
    /// The description of a key path contains an address if the property can be overridden.
    func spelling(of path: AnyKeyPath) -> String {
        guard case .success(let ordinal) = KeyPathProbe(properties, scratch).property(of: path) else {
            return "\(path)"
        }
        return "\\\(Swift.type(of: path).rootType).\(properties[ordinal].name)"
    }

    /// The spelling of the key path of an inverse; nil for other properties.
    func inverseSpelling(of property: Property) -> String? {
        guard case .inverse(let path) = property.shape else { return nil }
        guard let side = try? InverseSide.of(property, in: self) else { return "\(path.path)" }
        return "\\\(Swift.type(of: path.path).rootType).\(side.property.name)"
    }
}
