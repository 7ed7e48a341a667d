internal import StoreEngine

/// A value of a property in memory of its own.
final class ValueMemory {
    let address: Address
    private let codec: PropertyCodec

    /// A copy of the value at `field`.
    init(copying field: Address, _ codec: PropertyCodec) {
        self.codec = codec
        address = codec.facts.allocate()
        codec.copy(field, to: address)
    }

    deinit {
        codec.destroy(address)
        address.deallocate()
    }

    /// Calls `body` with values that differ from one another: the codec's own, or for a structure this value with
    /// one of its fields changed; for one that may be nil two that it makes of samples, and nil.
    func withSamples(_ body: (Address) -> Void) {
        var count = 0
        codec.withSamples { _ in count += 1 }
        if count >= 2 { return codec.withSamples(body) }
        if let optional = codec.valueType as? any OptionalType.Type,
            let type = optional.wrapped as? any (Decodable & Encodable).Type
        {
            return withSamples(of: type, body)
        }
        guard let (offset, leaf) = ValueMemory.leaf(of: codec.valueType) else { return }
        let changed = ValueMemory(copying: address, codec)
        leaf.withSamples { sample in
            leaf.assign(sample, to: changed.address + offset)
            body(changed.address)
        }
    }

    private func withSamples<T: Codable>(of type: T.Type, _ body: (Address) -> Void) {
        guard codec is FieldCodec<OptionalForm<CodableForm<T>>>,
            var one = JSONProbe.value(of: type, sample: 0).map(Optional.some),
            var other = JSONProbe.value(of: type, sample: 1).map(Optional.some)
        else { return }
        Address.with(&one) { one in
            Address.with(&other) { other in
                guard !codec.isSame(one, other) else { return }
                body(one)
                body(other)
            }
        }
        var none: T?
        Address.with(&none, body)
    }

    /// The first field in a structure, or in a structure in it, whose values are known.
    private static func leaf(of type: Any.Type) -> (offset: Int, codec: PropertyCodec)? {
        guard MetadataKind(type) == .structure else { return nil }
        for field in FieldMetadata.structureFields(type) where field.isStrong && TypeFacts(field.type).size > 0 {
            if let inner = leaf(of: field.type) { return (field.offset + inner.offset, inner.codec) }
            guard case .success(let codec) = CodecFactory.codec(for: field.type), codec.hasSamples else { continue }
            return (field.offset, codec)
        }
        return nil
    }
}

extension PropertyCodec {
    /// Whether two different values are known.
    fileprivate var hasSamples: Bool {
        var count = 0
        withSamples { _ in count += 1 }
        return count >= 2
    }
}

extension ValueMemory {
    /// The value that a codec makes of a column; `T` must be the codec's type.
    static func value<T>(of codec: PropertyCodec, _ column: Cell) throws(ValueFault) -> T {
        assert(codec.valueType == T.self, "\(codec.valueType) is not \(T.self)")
        return try Address.value(as: T.self) { memory throws(ValueFault) in try codec.create(column, at: memory) }
    }
}
