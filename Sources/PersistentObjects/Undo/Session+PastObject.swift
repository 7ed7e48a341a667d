internal import StoreEngine

// Objects as their rows were at a time.
extension Session {
    /// A new object with what a row held; what it held nothing for has its initial value.
    ///
    /// A reference to an object that was deleted since is nil, as the deletion
    /// would have made it.
    ///
    /// - Parameter values: By the folded names of the columns.
    func pastObject(_ map: ClassMap, _ id: Int64, _ values: [String: DatabaseValue]) throws -> PersistentObject {
        let object = try map.newObject()
        let start = ObjectMemory.start(of: object)
        for property in map.properties where property.isInHistory {
            let stored = values[Naming.folded(property.column)] ?? .null
            let field = property.address(in: start)
            do {
                if case .reference = property.shape, let codec = property.codec as? ReferenceCodec {
                    let target = try target(stored, codec)
                    _ = codec.store(target, into: field)
                    // Nobody else may hold what a weak reference leads to.
                    if let target, codec.isWeak || property.isWeaklyLazy { heldTargets.append(target) }
                } else if stored != .null || property.codec.acceptsNull {
                    try stored.withCell { (cell) throws(ValueFault) in try property.codec.read(cell, into: field) }
                }
            } catch let fault as ValueFault {
                throw StoreError.value(fault).at(className: map.name, property: property.name, rowID: id)
            }
            property.box(in: start)?.state = .loaded
        }
        return object
    }

    private func target(_ stored: DatabaseValue, _ codec: ReferenceCodec) throws -> PersistentObject? {
        switch stored {
        case .null: return nil
        case .integer(let id): return try find(space(of: codec.target), id)
        default: throw ValueFault.typeMismatch(expected: "INTEGER", found: stored.storageClass)
        }
    }
}
