/// The names of read objects, which objects with the same classes and properties share.
final class SharedNames {
    /// The names that were read last, and their bytes.
    private(set) var names: [Text] = []
    private(set) var bytes: ArraySlice<UInt8> = []
    /// The names of the properties of the last object.
    private var indices: [Int] = []
    private var keys: [Text] = []

    func replace(_ names: [Text], _ bytes: ArraySlice<UInt8>) {
        self.names = names
        // Not a part of the bytes of a whole batch, which it would keep.
        self.bytes = ArraySlice(Array(bytes))
        (indices, keys) = ([], [])
    }

    /// The names with some indices; nil if they are not in their order.
    func sorted(_ indices: [Int], of names: [Text]) -> [Text]? {
        if indices == self.indices { return keys }
        let keys = indices.map { names[$0] }
        for (name, next) in zip(keys, keys.dropFirst()) where name >= next { return nil }
        (self.indices, self.keys) = (indices, keys)
        return keys
    }
}
