@_spi(Locks) internal import StoreEngine

// The user's values as columns store them.
extension QueryExpression {
    /// The value as a column of its type stores it.
    init<V>(value: V) {
        switch QueryArguments.encode(value) {
        case .success(let argument): self.init(argument: argument)
        case .failure(let error):
            self.init(argument: .value(.null))
            fail(error)
        }
    }

    /// Whether the expression is only the value nil.
    var isNil: Bool { problem == nil && words == [.argument] && arguments == [.value(.null)] }

    /// The condition that the value is one of some values, which may include nil.
    func isIn<V>(values: some Sequence<V>) -> QueryExpression {
        var arguments: [Argument] = []
        var problem: (any Error)?
        for value in values {
            switch QueryArguments.encode(value) {
            case .success(let argument): arguments.append(argument)
            case .failure(let error): problem = problem ?? error
            }
        }
        guard let problem else { return isIn(arguments) }
        // The first value that cannot be encoded stands for the list.
        var value = QueryExpression(argument: .value(.null))
        value.fail(problem)
        return applying(.equal, value)
    }
}

/// Encodes values as properties of their types are encoded.
enum QueryArguments {
    static func encode<V>(_ value: V) -> Result<QueryExpression.Argument, any Error> {
        // The most common types, encoded as their codecs encode them.
        if V.self == String.self, let text = value as? String { return .success(.value(.text(text))) }
        if V.self == Int.self, let number = value as? Int { return .success(.value(.integer(Int64(number)))) }
        let key = ObjectIdentifier(V.self)
        if let codec = scalars.withLock({ $0[key] }) { return encode(value, codec) }
        if let type = V.self as? any ObjectArgument.Type { return type.argument(value) }
        guard let codec = codec(for: V.self) else {
            return .failure(
                QueryError.notExpressible("A value of type \(TypeSpelling.of(V.self)) cannot be compared in SQL"))
        }
        scalars.withLock { $0[key] = codec }
        return encode(value, codec)
    }

    /// The codecs of compared types that are not objects. They are cached, because checking a type's conformances is
    /// slow.
    private static let scalars = Locked<[ObjectIdentifier: PropertyCodec]>([:])

    private static func encode<V>(
        _ value: V, _ codec: PropertyCodec
    ) -> Result<QueryExpression.Argument, any Error> {
        Result {
            try ObjectMemory.withAddress(of: value) { address in
                do throws(ValueFault) { return .value(try codec.encode(address)) } catch {
                    throw StoreError.value(error)
                }
            }
        }
    }

    private static let codecs = Locked<[ObjectIdentifier: PropertyCodec]>([:])

    /// The codec of properties of a type; nil if no property can have the type.
    static func codec(for type: Any.Type) -> PropertyCodec? {
        let key = ObjectIdentifier(type)
        if let known = codecs.withLock({ $0[key] }) { return known }
        guard case .success(let codec) = CodecFactory.codec(for: type, takesUnknown: true) else { return nil }
        codecs.withLock { $0[key] = codec }
        return codec
    }

    /// The codec of a value's dynamic type, which may be a subclass of the property's type.
    static func codec(ofArgument type: Any.Type) -> PropertyCodec? {
        if let codec = codec(for: type) { return codec }
        return try? CodecFactory.codec(ofArgument: type).get()
    }
}

// Values whose types are known only at run time.
extension QueryArguments {
    static func encode(any value: Any?) throws -> QueryExpression.Argument {
        guard let value = OptionalValue.flattened(value) else { return .value(.null) }
        func argument<V: ObjectArgument>(_ value: V) throws -> QueryExpression.Argument { try V.argument(value).get() }
        if let object = value as? any ObjectArgument { return try argument(object) }
        do throws(ValueFault) {
            if let encoded = try codec(ofArgument: type(of: value))?.encodeArgument(value) { return .value(encoded) }
        } catch { throw StoreError.value(error) }
        throw QueryError.notExpressible("A value of type \(TypeSpelling.ofValue(value)) cannot be compared in SQL")
    }

    /// The values of a list as one argument; nil for a value that is not a list.
    static func list(_ value: Any?) throws -> (text: String, needsDecoding: Bool)? {
        guard let value = OptionalValue.flattened(value), let list = value as? any Sequence else { return nil }
        // Bytes are an array too, but the value of a single column.
        guard value is any CollectionType, !(value is any ColumnScalar) else { return nil }
        var values: [DatabaseValue] = []
        for element in list {
            guard case .value(let value) = try encode(any: element) else {
                throw QueryError.notExpressible(
                    "A list cannot contain ids of classes with keys. Write = ? for each id and join the "
                        + "comparisons with OR")
            }
            values.append(value)
        }
        return ListArgument.json(of: values)
    }
}

/// An argument that identifies a row: an object, or its id.
private protocol ObjectArgument {
    static func argument<V>(_ value: V) -> Result<QueryExpression.Argument, any Error>
}

extension Optional: ObjectArgument where Wrapped: ObjectArgument {
    fileprivate static func argument<V>(_ value: V) -> Result<QueryExpression.Argument, any Error> {
        guard let value = value as? Wrapped else { return .success(.value(.null)) }
        return Wrapped.argument(value)
    }
}

extension PersistentObject: ObjectArgument {
    fileprivate static func argument<V>(_ value: V) -> Result<QueryExpression.Argument, any Error> {
        guard let id = (value as? PersistentObject)?.id else {
            return .failure(
                StoreError.value(
                    .notStorable(reason: "the \(type(of: value)) to compare with was never saved. Save it first")))
        }
        return .success(.value(.integer(id)))
    }
}

extension PersistentID: ObjectArgument {
    fileprivate static func argument<V>(_ value: V) -> Result<QueryExpression.Argument, any Error> {
        guard let id = value as? PersistentID else { return .success(.value(.null)) }
        guard id.key != nil else { return .success(.value(.integer(id.value))) }
        return .success(
            .object(ObjectName(objectClass: ObjectMemory.objectClass(Object.self), value: id.value, key: id.key)))
    }
}
