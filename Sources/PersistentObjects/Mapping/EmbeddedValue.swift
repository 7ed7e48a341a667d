internal import StoreEngine

/// A property whose value is embedded: its fields are properties of the class, with their own names and columns.
struct EmbeddedValue: Sendable {
    /// The property as it would be without `@Embedded`: one value that is stored as JSON in one column.
    let whole: Property
    /// The places of the fields; for an optional value, the first is the presence.
    let places: [Int]

    /// The place of the presence; nil if there is always a value.
    let sign: Int?

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
        var found: [(whole: Property, places: [Int])] = []
        for place in properties.indices {
            guard let part = properties[place].part else { continue }
            if let index = found.firstIndex(where: { $0.whole.name == part.whole.name }) {
                found[index].places.append(place)
            } else {
                found.append((part.whole, [place]))
            }
        }
        return found.map { whole, places in
            EmbeddedValue(
                whole: whole, places: places, sign: places.first { properties[$0].part?.presence == .sign })
        }
    }
}

extension ClassMap {
    /// Whether a name is a field of an optional embedded value, but not its presence.
    package func isInOptional(_ name: String) -> Bool {
        guard !embedded.isEmpty, let place = place(of: name), let part = properties[place].part else { return false }
        return part.presence == .optional || part.presence == .required
    }

    /// Whether a property, and the presence of the embedded value that contains it, equal a baseline.
    func isAsStored(_ place: Int, _ object: Address, _ block: Address) -> Bool {
        guard baseline.isSame(baseline.slots[place], object, block) else { return false }
        let sign = signPlace(of: place)
        return sign == place || baseline.isSame(baseline.slots[sign], object, block)
    }

    /// Whether an edit of a property conflicts with a change elsewhere. The same change on both sides is not a
    /// conflict, except for a number, because two sessions that each add 1 mean 2.
    ///
    /// - Parameters:
    ///   - edits: The edits before the external change was read.
    ///   - block: The row's values since then.
    func isInConflict(_ place: Int, _ edits: ColumnSet, _ object: Address, _ block: Address) -> Bool {
        let slot = baseline.slots[place]
        return slot.codec.isQuantity(at: slot.address(in: object))
            ? edits.contains(place) : !isAsStored(place, object, block)
    }

    /// The place of the presence of the embedded value that contains a property; the property's own place if there is
    /// no presence.
    func signPlace(of place: Int) -> Int { valuePlaces(around: place).first ?? place }

    /// A property, or all fields of the optional embedded value that contains it, the presence first.
    func valuePlaces(around place: Int) -> [Int] {
        guard !embedded.isEmpty else { return [place] }
        return embedded.first { $0.sign != nil && $0.places.contains(place) }?.places ?? [place]
    }

    /// The places, with all fields of the embedded value for each presence among them.
    func withWholeValues(_ places: ColumnSet) -> ColumnSet {
        var all = places
        for value in embedded {
            if let sign = value.sign, places.contains(sign) { for place in value.places { all.insert(place) } }
        }
        return all
    }
}
