/// The names of the properties of the last object that was read. Objects with the same properties share them.
final class SharedNames {
    private var indices: [Int] = []
    private var keys: [Text] = []

    /// The names with some indices; nil if they are not in their order.
    func sorted(_ indices: [Int], of names: [Text]) -> [Text]? {
        if indices == self.indices { return keys }
        let keys = indices.map { names[$0] }
        for (name, next) in zip(keys, keys.dropFirst()) where name >= next { return nil }
        (self.indices, self.keys) = (indices, keys)
        return keys
    }
}
