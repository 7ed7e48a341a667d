internal import StoreEngine

/// A collection of values that many objects are to have, as its table holds it.
struct CollectionAssignment {
    /// Of the property.
    let place: Int
    /// A row as columns hold it: the position in an array, the key in a dictionary.
    private(set) var rows: [(order: DatabaseValue?, value: DatabaseValue)] = []

    /// - Parameter value: Where the value is, of exactly the codec's type.
    init(_ place: Int, _ codec: CollectionCodec, _ value: Address) throws {
        self.place = place
        var position: Int64 = 0
        var seen: Set<DatabaseValue> = []
        try codec.forEachRow(value) { key, element in
            let encoded = try codec.element.encode(element)
            switch codec.style {
            case .array:
                position += ChildTable.positionStep
                rows.append((.integer(position), encoded))
            case .set:
                guard seen.insert(encoded).inserted else {
                    throw ValueFault.notStorable(reason: "Two elements of the set have the same value in their column")
                }
                rows.append((nil, encoded))
            case .dictionary:
                let encodedKey = try key.flatMap { try codec.key?.encode($0) } ?? .null
                guard seen.insert(encodedKey).inserted else {
                    throw ValueFault.notStorable(
                        reason: "Two keys of the dictionary have the same value in their column")
                }
                rows.append((encodedKey, encoded))
            }
        }
    }
}
