internal import StoreEngine

/// A property whose value is embedded: its fields are properties of the class, with their own names and columns.
struct EmbeddedValue: Sendable {
    /// The property as it would be without `@Embedded`: one value that is stored as JSON in one column.
    let whole: Property
    /// The ordinals of the fields; for an optional value, the first is the presence.
    let ordinals: [Int]

    /// The ordinal of the presence; nil if there is always a value.
    let presenceFlag: Int?

    /// The location of a property in an embedded value.
    final class Part: Sendable {
        /// The property that contains the value.
        let whole: Property
        /// The offset of the field in the value.
        let offset: Int
        /// The offset for the field's codec, which may receive the whole property.
        let codecOffset: Int
        /// The type of the field in the value.
        let type: Any.Type
        /// The field's Swift name after the property.
        let name: String
        let presence: EmbeddedField.Presence

        init(_ field: EmbeddedField, of whole: Property) {
            self.whole = whole
            offset = field.offset
            codecOffset = field.codecOffset
            type = field.type
            name = field.name
            presence = field.presence
        }
    }

    /// The embedded values of a class, in the order of `properties`.
    static func all(of properties: [Property]) -> [EmbeddedValue] {
        var found: [(whole: Property, ordinals: [Int])] = []
        for ordinal in properties.indices {
            guard let part = properties[ordinal].part else { continue }
            if let index = found.firstIndex(where: { $0.whole.name == part.whole.name }) {
                found[index].ordinals.append(ordinal)
            } else {
                found.append((part.whole, [ordinal]))
            }
        }
        return found.map { whole, ordinals in
            EmbeddedValue(
                whole: whole, ordinals: ordinals,
                presenceFlag: ordinals.first { properties[$0].part?.presence == .flag })
        }
    }
}

extension ClassMap {
    /// Whether a name is a field of an optional embedded value, but not its presence.
    package func isInOptional(_ name: String) -> Bool {
        guard !embedded.isEmpty, let ordinal = ordinal(of: name), let part = properties[ordinal].part else {
            return false
        }
        return part.presence == .optional || part.presence == .required
    }

    /// Whether a property, and the presence of the embedded value that contains it, equal a baseline.
    func isAsStored(_ ordinal: Int, _ object: Address, _ block: Address) -> Bool {
        guard baseline.isSame(baseline.slots[ordinal], object, block) else { return false }
        let presenceFlag = presenceOrdinal(of: ordinal)
        return presenceFlag == ordinal || baseline.isSame(baseline.slots[presenceFlag], object, block)
    }

    /// Whether an edit of a property conflicts with a change elsewhere. The same change on both sides is not a
    /// conflict, except for a number, because two sessions that each add 1 mean 2.
    ///
    /// - Parameters:
    ///   - edits: The edits before the external change was read.
    ///   - block: The row's values since then.
    func isInConflict(_ ordinal: Int, _ edits: ColumnSet, _ object: Address, _ block: Address) -> Bool {
        let slot = baseline.slots[ordinal]
        return slot.codec.isQuantity(at: slot.address(in: object))
            ? edits.contains(ordinal) : !isAsStored(ordinal, object, block)
    }

    /// The ordinal of the presence of the embedded value that contains a property; the property's own place if there is
    /// no presence.
    func presenceOrdinal(of ordinal: Int) -> Int { valueOrdinals(around: ordinal).first ?? ordinal }

    /// A property, or all fields of the optional embedded value that contains it, the presence first.
    func valueOrdinals(around ordinal: Int) -> [Int] {
        guard !embedded.isEmpty else { return [ordinal] }
        return embedded.first { $0.presenceFlag != nil && $0.ordinals.contains(ordinal) }?.ordinals ?? [ordinal]
    }

    /// The places, with all fields of the embedded value for each presence among them.
    func withWholeValues(_ ordinals: ColumnSet) -> ColumnSet {
        var all = ordinals
        for value in embedded {
            if let presenceFlag = value.presenceFlag, ordinals.contains(presenceFlag) {
                for ordinal in value.ordinals { all.insert(ordinal) }
            }
        }
        return all
    }
}
