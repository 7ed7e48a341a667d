/// The ids of a class's new objects, which follow one another in the order of the keys.
struct NewRows {
    let type: RowShape
    let first: Int64
    /// Different keys in their order.
    let keys: [KeyValue]

    /// The id of an object; nil if it is not new.
    func id(of key: KeyValue) -> Int64? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? first + Int64(low) : nil
    }
}

extension NewRows: Sequence {
    func makeIterator() -> some IteratorProtocol<(key: ObjectKey, id: Int64, type: RowShape)> {
        keys.enumerated().lazy.map { (ObjectKey(type.type, $1), first + Int64($0), type) }.makeIterator()
    }
}
