internal import StoreEngine

/// One field of an embedded structure that has a column, or the presence column.
struct EmbeddedField {
    /// The role of the field in an optional value.
    enum Presence {
        /// The value cannot be nil.
        case always
        /// The field states whether there is a value.
        case flag
        /// The field is nil if there is no value. If there is a value, an `optional` field can be nil and a `required`
        /// field cannot.
        case optional, required
    }

    /// Its name, after the names of the structures that contain it.
    let names: [String]
    /// Its offset in the structure.
    let offset: Int
    /// Its type in the structure.
    let type: Any.Type
    var codec: PropertyCodec
    /// Whether the field, or a structure that contains it, is a `let`.
    let isLet: Bool
    var presence = Presence.always

    /// The offset in the property that its codec uses; for an optional value, the codec receives the whole value.
    var codecOffset: Int { presence == .always ? offset : 0 }

    /// The name of the presence column, as if it were a field.
    static let presenceName = "exists"

    /// Its name in Swift after the property: `place.lat`.
    var name: String { names.joined(separator: ".") }
}

/// Finds the fields of a structure that become columns.
///
/// A nested structure is expanded if it would otherwise be JSON and all of its fields can be columns. A `let` is
/// written only if it is proven that the type itself assigns it different values, because the compiler may otherwise
/// treat it as a constant.
enum EmbeddedFields {
    /// The reason that a structure cannot be embedded.
    typealias Refusal = CodecFactory.Refusal

    /// The fields of a structure, including the fields of nested structures; for an optional, the presence is first.
    static func fields(of type: Any.Type, isForeign: Bool) -> Result<[EmbeddedField], Refusal> {
        guard let optional = type as? any OptionalType.Type else { return fields(in: type, isForeign) }
        guard !isForeign else {
            return .failure(
                Refusal("an existing table has no column that marks whether there is a value. Make it not optional"))
        }
        return fields(in: optional.wrapped, isForeign).flatMap { optionalFields($0, of: optional.wrapped) }
    }

    private static func fields(in type: Any.Type, _ isForeign: Bool) -> Result<[EmbeddedField], Refusal> {
        if let reason = refusal(of: type) { return .failure(Refusal(reason)) }
        switch members(of: type, [], 0, isLet: false, isForeign: isForeign) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let fields):
            guard let fixed = fields.first(where: { $0.isLet && !isGiven($0, in: type) }) else {
                return .success(fields)
            }
            return .failure(
                Refusal(
                    "its \(fixed.name) is a let that init(from:) does not appear to read, so it may be a "
                        + "constant. Declare it var"))
        }
    }

    private static func refusal(of type: Any.Type) -> String? {
        guard MetadataKind(type) == .structure, !isOfLibraries(type) else {
            return "only structures that your program declares can be stored as columns. Remove @Embedded"
        }
        guard CodecFactory.isStoredAsJSON(type) else {
            return type is any (Decodable & Encodable).Type
                ? "it already has its own column. Remove @Embedded" : "it is not Codable. Make it Codable"
        }
        return nil
    }

    /// Whether a type is from Swift or Foundation, whose structures have private fields.
    private static func isOfLibraries(_ type: Any.Type) -> Bool {
        let module = String(reflecting: type).prefix { $0 != "." }
        return module == "Swift" || module.hasPrefix("Foundation") || module.hasPrefix("Core")
            || module.hasPrefix("_")
    }

    /// The recursion ends, because a structure can contain itself only through an array.
    private static func members(
        of type: Any.Type, _ names: [String], _ offset: Int, isLet: Bool, isForeign: Bool
    ) -> Result<[EmbeddedField], Refusal> {
        guard let stored = FieldMetadata.everyField(of: type) else {
            return .failure(
                Refusal(
                    "the names of its fields were compiled away. Compile without -disable-reflection-metadata and "
                        + "-disable-reflection-names"))
        }
        guard !stored.isEmpty else { return .failure(Refusal("it has no fields. Remove @Embedded")) }
        var fields: [EmbeddedField] = []
        for field in stored {
            let own = names + [Naming.withoutBackticks(field.name)]
            switch self.fields(field, own, offset + field.offset, isLet: isLet || !field.isVar, isForeign) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let found): fields += found
            }
        }
        return .success(fields)
    }

    private static func fields(
        _ field: StoredField, _ names: [String], _ offset: Int, isLet: Bool, _ isForeign: Bool
    ) -> Result<[EmbeddedField], Refusal> {
        func refused(_ reason: String) -> Result<[EmbeddedField], Refusal> {
            .failure(Refusal("its \(names.joined(separator: ".")), of type \(TypeSpelling.of(field.type)), \(reason)"))
        }
        if field.name.hasPrefix("$__lazy_storage_$") { return refused("is a lazy var. Make it a computed property") }
        guard field.isStrong else { return refused("is a weak or unowned reference, which a value cannot contain") }
        // The runtime reports a type that it cannot describe as Void.
        guard field.type != Void.self else { return refused("holds no value that can be stored") }
        if CodecFactory.isStoredAsJSON(field.type), refusal(of: field.type) == nil,
            case .success(let inner) = members(of: field.type, names, offset, isLet: isLet, isForeign: isForeign)
        {
            return .success(inner)
        }
        let codec =
            isForeign
            ? CodecFactory.codec(for: field.type, nil, isForeign: true)
            : CodecFactory.codec(for: field.type, takesUnknown: true)
        switch codec {
        case .failure(let refusal): return refused("cannot be stored: \(refusal.reason)")
        case .success(let codec):
            guard codec.facts.alignment <= 16 else { return refused("has an alignment of more than 16 bytes") }
            return .success(
                [EmbeddedField(names: names, offset: offset, type: field.type, codec: codec, isLet: isLet)])
        }
    }

    /// The fields of a structure as fields of an optional.
    private static func optionalFields(_ fields: [EmbeddedField], of type: Any.Type) -> Result<[EmbeddedField], Refusal>
    {
        func optional<T: Codable>(_: T.Type) -> [EmbeddedField]? {
            EmbeddedBlank<T>.made(fields.map { ($0.offset, $0.codec) }).map { blank in
                let presenceFlag = EmbeddedField(
                    names: [EmbeddedField.presenceName], offset: 0, type: Bool?.self, codec: PresenceCodec(blank),
                    isLet: false, presence: .flag)
                return [presenceFlag]
                    + fields.map { field in
                        var field = field
                        field.presence = field.codec.acceptsNull ? .optional : .required
                        field.codec = OptionalPartCodec(field.codec, at: field.offset, blank)
                        return field
                    }
            }
        }
        guard !fields.contains(where: { $0.names == [EmbeddedField.presenceName] }) else {
            return .failure(
                Refusal(
                    "its \(EmbeddedField.presenceName) has the name of the field that marks whether there is a value. "
                        + "Rename it, or make the property not optional"))
        }
        guard let type = type as? any (Decodable & Encodable).Type, let found = optional(type) else {
            return .failure(
                Refusal(
                    "its init(from:) accepts none of the sample values. Make it not optional, or remove @Embedded "
                        + "to store it as JSON"))
        }
        return .success(found)
    }

    /// Whether values that the type creates from different samples differ in the field.
    private static func isGiven(_ field: EmbeddedField, in type: Any.Type) -> Bool {
        guard let type = type as? any Decodable.Type else { return false }
        return isRead(field, by: type)
    }

    private static func isRead<T: Decodable>(_ field: EmbeddedField, by type: T.Type) -> Bool {
        var values = JSONProbe.values(of: T.self)
        guard var first = values.popLast() else { return false }
        return Address.with(&first) { one in
            values.contains { other in
                var other = other
                return Address.with(&other) { !field.codec.isSame(one + field.offset, $0 + field.offset) }
            }
        }
    }
}
