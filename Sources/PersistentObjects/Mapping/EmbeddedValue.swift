internal import StoreEngine

/// A property whose value is embedded: its fields are properties of the class, by names and columns of their own.
struct EmbeddedValue: Sendable {
    /// The property as it would be without `@Embedded`: one value, whose column would have its JSON.
    let whole: Property
    /// The places of the fields.
    let places: [Int]

    /// Where in an embedded value a property is.
    final class Part: Sendable {
        /// The property that has the value.
        let whole: Property
        /// Where in the value the field is.
        let offset: Int
        /// The field as Swift writes it behind the property.
        let name: String

        init(of whole: Property, at offset: Int, named name: String) {
            self.whole = whole
            self.offset = offset
            self.name = name
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
        return found.map { EmbeddedValue(whole: $0.whole, places: $0.places) }
    }
}
