internal import StoreEngine

/// A collection of values that is assigned to many objects, as rows of its table.
struct CollectionAssignment {
    /// The index of the property.
    let ordinal: Int
    /// The stored values of each row. The order is the position in an array, or the key in a dictionary.
    private(set) var rows: [(order: DatabaseValue?, value: DatabaseValue)] = []

    /// - Parameter value: The address of the collection, whose type is exactly the codec's.
    init(_ ordinal: Int, _ codec: CollectionCodec, _ value: Address) throws {
        self.ordinal = ordinal
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
                    throw ValueFault.notStorable(reason: "two elements of the set have the same value in their column")
                }
                rows.append((nil, encoded))
            case .dictionary:
                let encodedKey = try key.flatMap { try codec.key?.encode($0) } ?? .null
                guard seen.insert(encodedKey).inserted else {
                    throw ValueFault.notStorable(
                        reason: "two keys of the dictionary have the same value in their column")
                }
                rows.append((encodedKey, encoded))
            }
        }
    }
}
