internal import StoreEngine

// Initial values.
extension ClassMapBuilder {
    func defaults(
        _ properties: [Property], in object: Address
    ) -> [ClassMap.DefaultValue?] {
        // A second object shows which initial values are constant.
        let second = type.init()
        let start = ObjectMemory.start(of: second)
        return withExtendedLifetime(second) {
            properties.map { property in
                switch property.shape {
                case .scalar: break
                // In existing rows, a new reference or optional collection is nil.
                case .reference, .collection: return ClassMap.DefaultValue(value: .null, isConstant: true)
                case .inverse: return nil
                }
                guard let value = try? property.codec.encode(property.address(in: object)) else { return nil }
                let again = try? property.codec.encode(property.address(in: start))
                return ClassMap.DefaultValue(value: value, isConstant: value == again)
            }
        }
    }
}
