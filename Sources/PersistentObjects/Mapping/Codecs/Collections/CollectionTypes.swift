internal import StoreEngine

/// The type information of a collection for `CollectionCodec`.
protocol CollectionType {
    /// The codec of this type or of an optional of it, or the reason that there is no codec.
    static func collectionCodec(isOptional: Bool) -> Result<PropertyCodec, CodecFactory.Refusal>
}

extension Array: CollectionType {
    static func collectionCodec(isOptional: Bool) -> Result<PropertyCodec, CodecFactory.Refusal> {
        if let target = Element.self as? any Persistent.Type {
            func make<T: Persistent>(_: T.Type) -> PropertyCodec {
                CollectionTypes.linkCodec(ArrayForm<T>.self, key: nil, isOptional: isOptional)
            }
            return .success(make(target))
        }
        return CollectionTypes.elementCodec(Element.self, "an array").map {
            CollectionTypes.codec(ArrayForm<Element>.self, key: nil, element: $0, isOptional: isOptional)
        }
    }
}

extension Set: CollectionType {
    static func collectionCodec(isOptional: Bool) -> Result<PropertyCodec, CodecFactory.Refusal> {
        if let target = Element.self as? any Persistent.Type {
            func make<T: Persistent>(_: T.Type) -> PropertyCodec {
                CollectionTypes.linkCodec(SetForm<T>.self, key: nil, isOptional: isOptional)
            }
            return .success(make(target))
        }
        if Element.self is any OptionalType.Type {
            return .failure(
                CodecFactory.Refusal("it is a set of optionals, and NULL is not an element of a set"))
        }
        return CollectionTypes.elementCodec(Element.self, "a set").map {
            CollectionTypes.codec(SetForm<Element>.self, key: nil, element: $0, isOptional: isOptional)
        }
    }
}

extension Dictionary: CollectionType {
    static func collectionCodec(isOptional: Bool) -> Result<PropertyCodec, CodecFactory.Refusal> {
        CollectionTypes.keyCodec(Key.self).flatMap { key in
            if let target = Value.self as? any Persistent.Type {
                func make<T: Persistent>(_: T.Type) -> PropertyCodec {
                    CollectionTypes.linkCodec(DictionaryForm<Key, T>.self, key: key, isOptional: isOptional)
                }
                return .success(make(target))
            }
            return CollectionTypes.elementCodec(Value.self, "a dictionary").map {
                CollectionTypes.codec(
                    DictionaryForm<Key, Value>.self, key: key, element: $0, isOptional: isOptional)
            }
        }
    }
}

/// Type queries that the three collections share.
enum CollectionTypes {
    /// Whether a type is stored in one column although it is a collection, as `[UInt8]` is.
    static func isScalar(_ type: Any.Type) -> Bool {
        if type is any ColumnScalar.Type || type is any PersistentValue.Type || type is any CodedValue.Type {
            return true
        }
        guard let raw = type as? any RawRepresentable.Type else { return false }
        func hasScalarRawValue<T: RawRepresentable>(_: T.Type) -> Bool { T.RawValue.self is any ColumnScalar.Type }
        return hasScalarRawValue(raw)
    }

    static func isCollection(_ type: Any.Type) -> Bool { !isScalar(type) && type is any CollectionType.Type }

    /// The codec of the elements; `owner` is for messages.
    fileprivate static func elementCodec(
        _ type: Any.Type, _ owner: String
    ) -> Result<PropertyCodec, CodecFactory.Refusal> {
        if type is any ReferenceType.Type {
            return .failure(
                CodecFactory.Refusal("it is \(owner) of optional references. Remove the ? from its elements")
            )
        }
        if holdsObjects(type) {
            return .failure(
                CodecFactory.Refusal("it is \(owner) of collections of objects. Put a class between them"))
        }
        return CodecFactory.codec(for: type).mapError {
            CodecFactory.Refusal("its elements, \(TypeSpelling.of(type)), cannot be stored: \($0.reason)")
        }
    }

    /// The codec of the keys.
    fileprivate static func keyCodec(_ type: Any.Type) -> Result<PropertyCodec, CodecFactory.Refusal> {
        if type is any OptionalType.Type {
            return .failure(
                CodecFactory.Refusal("its keys are optionals, and NULL is not a key"))
        }
        if type is any Persistent.Type {
            return .failure(
                CodecFactory.Refusal(
                    "its keys are objects. Use a value of the object that does not change, such as its id"))
        }
        return CodecFactory.codec(for: type).mapError {
            CodecFactory.Refusal("its keys, \(TypeSpelling.of(type)), cannot be stored: \($0.reason)")
        }
    }

    /// Whether a type is a collection of objects, optional or not.
    private static func holdsObjects(_ type: Any.Type) -> Bool {
        let type = (type as? any OptionalType.Type)?.wrapped ?? type
        guard let collection = type as? any CollectionType.Type, !isScalar(type) else { return false }
        guard case .success(let codec) = collection.collectionCodec(isOptional: false) else { return false }
        return codec is any LinkCodec
    }

    fileprivate static func codec<F: CollectionForm>(
        _: F.Type, key: PropertyCodec?, element: PropertyCodec, isOptional: Bool
    ) -> PropertyCodec {
        isOptional
            ? TypedCollectionCodec<OptionalCollection<F>>(key: key, element: element)
            : TypedCollectionCodec<PlainCollection<F>>(key: key, element: element)
    }

    fileprivate static func linkCodec<F: LinkForm>(_: F.Type, key: PropertyCodec?, isOptional: Bool) -> PropertyCodec {
        isOptional
            ? LinkCollectionCodec<OptionalCollection<F>>(key: key)
            : LinkCollectionCodec<PlainCollection<F>>(key: key)
    }
}
