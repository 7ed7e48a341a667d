/// Finds the codec for a property's type, by the protocols that the type conforms to.
///
/// The conformances are looked up for the type, not for a value: if a module isolates a type to the main actor, a value
/// of the type does not show them elsewhere.
enum CodecFactory {
    /// Returns the codec, or the reason that there is no codec.
    ///
    /// - Parameter takesUnknown: Whether a type may replace unknown raw values. This is not allowed in collections:
    ///   their rows are rewritten if many have changed, and the replacement would overwrite the stored values.
    static func codec(for type: Any.Type, takesUnknown: Bool = false) -> Result<PropertyCodec, Refusal> {
        if let optional = type as? any OptionalType.Type {
            if optional.wrapped is any OptionalType.Type {
                return .failure(
                    Refusal(
                        "it is a nested optional, and one NULL in the column would represent both kinds of nil"))
            }
            return form(for: optional.wrapped, takesUnknown).map { wrapped in optionalCodec(wrapped) }
        }
        return form(for: type, takesUnknown).map { form in codec(form) }
    }

    /// Returns the codec of a property, which can also be a reference or a collection, or the reason that there is no
    /// codec.
    static func propertyCodec(
        for type: Any.Type, _ options: PropertyOptions, isWeak: Bool, isForeign: Bool = false
    ) -> Result<PropertyCodec, Refusal> {
        if options.inverse != nil {
            guard let inverse = type as? any InverseType.Type else {
                return .failure(Refusal("an inverse must be an array, a set or an optional of objects"))
            }
            let traits = (ordering: InverseOrdering(options.inverseOrder), condition: options.inverseCondition)
            return .success(inverse.inverseCodec(traits))
        }
        if let reference = type as? any ReferenceType.Type {
            return .success(reference.referenceCodec(isWeak: isWeak))
        }
        if let codec = CollectionCodec.codec(for: type) { return codec }
        return isForeign || options.format != nil
            ? codec(for: type, options.format, isForeign: isForeign) : codec(for: type, takesUnknown: true)
    }

    /// The reason that a type cannot be stored.
    struct Refusal: Error, Equatable {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// Whether values of a type are encoded with their own `encode(to:)`.
    static func isStoredAsJSON(_ type: Any.Type) -> Bool {
        guard case .success(let form) = form(for: type) else { return false }
        return form is any JSONForm.Type
    }

    static func form(for type: Any.Type, _ takesUnknown: Bool = false) -> Result<any ColumnForm.Type, Refusal> {
        if let coded = codedForm(for: type) { return coded }
        if let persistent = type as? any PersistentValue.Type { return .success(persistentValueForm(persistent)) }
        if let scalar = type as? any ColumnScalar.Type { return .success(scalarForm(scalar)) }
        if type is PersistentObject.Type {
            return .failure(Refusal("it is a reference that is not optional, and its object can be deleted. Add a ?"))
        }
        if takesUnknown, let raw = type as? any UnknownValueFallback.Type, let form = fallbackForm(raw) {
            return .success(form)
        }
        if let raw = type as? any RawRepresentable.Type, let form = rawForm(raw) { return .success(form) }
        if let codable = type as? any (Decodable & Encodable).Type { return .success(codableForm(codable)) }
        return .failure(Refusal(reason(for: type)))
    }

    private static func reason(for type: Any.Type) -> String {
        let name = String(describing: type)
        if name.contains("->") { return "it is a closure. Mark it @Transient" }
        if name.hasPrefix("(") { return "it is a tuple. Use a Codable structure" }
        return "it is neither a scalar, nor an enumeration with raw values, nor Codable, nor a PersistentValue. "
            + "Make it one of these, give it a codec as a CodedValue, or mark the property @Transient"
    }

    // These functions open existentials: each receives the type as a generic parameter.
    private static func scalarForm<T: ColumnScalar>(_: T.Type) -> any ColumnForm.Type { ScalarForm<T>.self }
    private static func codableForm<T: Codable>(_: T.Type) -> any ColumnForm.Type { CodableForm<T>.self }
    private static func persistentValueForm<T: PersistentValue>(_: T.Type) -> any ColumnForm.Type {
        PersistentValueForm<T>.self
    }

    private static func rawForm<T: RawRepresentable>(_: T.Type) -> (any ColumnForm.Type)? {
        // A cast to a conditional conformance determines whether the raw value is a scalar.
        (RawFormMaker<T>.self as? any RawFormMaking.Type)?.form
    }

    private static func fallbackForm<T: UnknownValueFallback>(_: T.Type) -> (any ColumnForm.Type)? {
        (FallbackFormMaker<T>.self as? any RawFormMaking.Type)?.form
    }

    static func codec<F: ColumnForm>(_: F.Type) -> PropertyCodec { FieldCodec<F>() }
    static func optionalCodec<F: ColumnForm>(_: F.Type) -> PropertyCodec { FieldCodec<OptionalForm<F>>() }
}

/// The form of types without their own column type.
private protocol JSONForm {}

extension CodableForm: JSONForm {}

private protocol RawFormMaking {
    static var form: any ColumnForm.Type { get }
}

private enum RawFormMaker<T: RawRepresentable> {}

extension RawFormMaker: RawFormMaking where T.RawValue: ColumnScalar {
    static var form: any ColumnForm.Type { RawForm<T>.self }
}

private enum FallbackFormMaker<T: UnknownValueFallback> {}

extension FallbackFormMaker: RawFormMaking where T.RawValue: ColumnScalar {
    static var form: any ColumnForm.Type { FallbackForm<T>.self }
}
