internal import Foundation
internal import StoreEngine

// The columns that a save writes.
extension ClassMap {
    /// The changed properties whose columns a save writes.
    func columns(of changed: ColumnSet, _ object: PersistentObject) -> ColumnSet {
        var columns = ColumnSet()
        changed.forEach { ordinal in
            guard ordinal < columnCount else { return }
            // The column of an optional collection only states whether the collection is nil.
            if let collection = properties[ordinal].codec as? CollectionCodec, let block = object.baseline {
                let field = properties[ordinal].address(in: ObjectMemory.start(of: object))
                let isNew = properties[ordinal].box(in: ObjectMemory.start(of: object))?.state == .assigned
                guard isNew || collection.isNil(field) != baseline.hasNilCollection(ordinal, collection, in: block)
                else { return }
            }
            columns.insert(ordinal)
        }
        return columns
    }

    /// Throws if the object of a weak reference was deallocated before the save, because its row is no longer known.
    ///
    /// - Parameter changed: The edited properties; nil for all.
    func checkWeakReferences(of object: PersistentObject, _ changed: ColumnSet?) throws {
        let start = ObjectMemory.start(of: object)
        for ordinal in links.references where changed?.contains(ordinal) ?? true {
            let slot = baseline.slots[ordinal]
            guard slot.content == .weakReference, WeakMemory.hasEnded(slot.address(in: start)) else { continue }
            throw StoreError(
                .misuse,
                "The referenced object was released before the save, so its row is not known. Nothing was saved. "
                    + "Set the property again and hold the object until the save, or declare the property @Lazy(.weak)",
                className: name, property: properties[ordinal].name, rowID: object.id)
        }
    }

    /// The properties that user code can edit while a save of the object encodes other properties; empty if no encoding
    /// runs user code.
    static func editableInSave(_ properties: [Property]) -> ColumnSet {
        guard properties.contains(where: \.codec.encodesByUser) else { return ColumnSet() }
        return ColumnSet(
            properties.indices.filter { ordinal in
                let codec = properties[ordinal].codec
                if codec.encodesByUser || codec.isKey || codec is InverseCodec { return false }
                return properties[ordinal].boxOffset == nil && !((codec as? ReferenceCodec)?.isWeak ?? false)
            })
    }

    /// The columns of a set that a unique index contains.
    func uniqueColumns(of columns: ColumnSet) -> ColumnSet {
        var unique = ColumnSet()
        columns.forEach { if uniqueOrdinals.contains($0) { unique.insert($0) } }
        return unique
    }

    /// Whether a unique index contains any of the columns.
    func hasUnique(_ columns: ColumnSet) -> Bool { !uniqueOrdinals.isEmpty && !uniqueColumns(of: columns).isEmpty }

    /// Whether the table has a partial unique index, so that an update can remove a row from it.
    var hasUniqueIndexOfSome: Bool {
        guard foreign == nil else { return false }
        let maps = [self] + [try? ClassMap.map(of: root)].compactMap(\.self)
        return maps.contains { $0.declaredIndexes.contains { $0.isUnique && $0.condition != nil } }
    }

    /// A unique placeholder value, used until the final value is written.
    func parkedValue(_ ordinal: Int) -> DatabaseValue {
        let codec = properties[ordinal].codec
        if codec.acceptsNull || properties[ordinal].level > rootLevel { return .null }
        let unique = UUID()
        return switch codec.logicalType {
        case .integer: .integer(Int64.random(in: .min ..< -(1 << 62)))
        case .real: .real(-Double.random(in: 1e300..<1e308))
        case .text: .text("parked \(unique.uuidString)")
        case .blob, .uuid, .any: .blob(unique.bytes)
        // More digits than a Decimal has.
        case .decimal: .text("-" + (0..<12).map { _ in "\(Int64.random(in: 1 << 60 ... .max))" }.joined())
        }
    }
}

extension PropertyCodec {
    /// Whether a query's value is compared in its column form, or is a key, which is accepted in both forms.
    var isComparedAsStored: Bool { isKey || !recodesArguments }
}

extension ClassMap {
    /// Whether a value of the property identifies one row, and is in memory with its object.
    func isUniqueKey(_ ordinal: Int) -> Bool {
        if case .scalar = properties[ordinal].shape { isUniqueKey([ordinal]) } else { false }
    }

    /// Whether the values of some properties are in memory with their object.
    func isInMemory(_ ordinals: [Int]) -> Bool {
        ordinals.allSatisfy { ordinal in
            switch properties[ordinal].shape {
            case .scalar: properties[ordinal].isSelected && properties[ordinal].boxOffset == nil
            case .reference: true
            case .collection, .inverse: false
            }
        }
    }

    /// Whether a hash of an encrypted property identifies one row.
    func isUniqueHash(_ ordinals: [Int]) -> Bool {
        guard ordinals.count == 1, properties[ordinals[0]].sealing?.isSearchable == true else { return false }
        return indexes.contains { $0.isUnique && $0.columns == [properties[ordinals[0]].column] }
    }

    /// Whether values of several properties together identify one row, and are in memory with its object.
    func isUniqueKey(_ ordinals: [Int]) -> Bool {
        let columns = Set(ordinals.map { properties[$0].column })
        return isInMemory(ordinals) && columns.count == ordinals.count
            && indexes.contains { $0.isUnique && $0.columns.count == columns.count && Set($0.columns) == columns }
    }
}

extension ClassMap {
    /// The message for a unique value that already exists, found by a query or by the file's constraint.
    static let takenMessage = "is already taken"
}
