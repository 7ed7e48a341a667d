/// The sizes with which a reader accounts for decoded values, in bytes.
enum MemorySize {
    static let object = 1200
    static let entry = 320
    static let clock = 160
    /// A string or bytes, in addition to their length.
    static let block = 32
}

extension Batch {
    /// What a reader accounts for at most, in addition to the length of the content.
    var largestMemory: Int {
        // An entry has at most two strings and a device that no other entry has; an element of an array counts twice.
        let (object, entry) = (MemorySize.object + 2 * MemorySize.block, MemorySize.entry + 3 * MemorySize.block)
        var names: Set<Text> = []
        var size = (received.count + members.count + retired.count + 1) * entry
        for (key, state) in objects {
            names.insert(key.type)
            size += object + state.properties.count * entry
            guard state.hasRareParts else { continue }
            var count = state.seen.count + state.maxima.count + state.minima.count + state.formerGroups.count + 1
            for parts in state.counters.values { count += 1 + 2 * parts.count }
            for parts in state.sets.values { count += 1 + parts.count }
            for parts in state.dictionaries.values { count += 1 + parts.count }
            for parts in state.arrays.values { count += 1 + 2 * parts.count }
            size += count * entry
        }
        return size + names.count * entry
    }
}
