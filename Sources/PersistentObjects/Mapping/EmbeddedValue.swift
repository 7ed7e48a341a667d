internal import StoreEngine

/// A property whose value is embedded: its fields are properties of the class, by names and columns of their own.
struct EmbeddedValue: Sendable {
    /// The property as it would be without `@Embedded`: one value, whose column would have its JSON.
    let whole: Property
    /// The places of the fields; of a value that may be nil the first says whether it is.
    let places: [Int]

    /// The place of what says whether there is a value; nil where there always is one.
    let sign: Int?

    /// Where in an embedded value a property is.
    final class Part: Sendable {
        /// The property that has the value.
        let whole: Property
        /// Where in the value the field is.
        let offset: Int
        /// The same for its codec, which may be given the whole property.
        let codecOffset: Int
        /// The type that the field has in the value.
        let type: Any.Type
        /// The field as Swift writes it behind the property.
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

    /// The embedded values of a class, by what its properties say.
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
    /// Whether a name is that of a field of an embedded value that may be nil, but not of what says whether it is.
    package func isInOptional(_ name: String) -> Bool {
        guard !embedded.isEmpty, let place = place(of: name), let part = properties[place].part else { return false }
        return part.presence == .optional || part.presence == .required
    }

    /// Whether a property, and what says whether the embedded value that it is in is nil, are as a baseline has them.
    func isAsStored(_ place: Int, _ object: Address, _ block: Address) -> Bool {
        guard baseline.isSame(baseline.slots[place], object, block) else { return false }
        let sign = signPlace(of: place)
        return sign == place || baseline.isSame(baseline.slots[sign], object, block)
    }

    /// Whether an edit of what others have changed too is more than the same change again: of a number it always is, though
    /// after the same change by both it cannot be seen any more.
    ///
    /// - Parameters:
    ///   - edits: What was edited before the change of others was read.
    ///   - block: What the row holds since.
    func isInConflict(_ place: Int, _ edits: ColumnSet, _ object: Address, _ block: Address) -> Bool {
        let slot = baseline.slots[place]
        return slot.codec.isQuantity(at: slot.address(in: object))
            ? edits.contains(place) : !isAsStored(place, object, block)
    }

    /// What says whether the embedded value that a property is in is nil; the property itself where it is in none such.
    func signPlace(of place: Int) -> Int { valuePlaces(around: place).first ?? place }

    /// A property, or all fields of the embedded value that it is in, if that may be nil; what says that comes first.
    func valuePlaces(around place: Int) -> [Int] {
        guard !embedded.isEmpty else { return [place] }
        return embedded.first { $0.sign != nil && $0.places.contains(place) }?.places ?? [place]
    }

    /// Some properties, and with what says whether an embedded value is nil all of its fields.
    func withWholeValues(_ places: ColumnSet) -> ColumnSet {
        var all = places
        for value in embedded {
            if let sign = value.sign, places.contains(sign) { for place in value.places { all.insert(place) } }
        }
        return all
    }
}
