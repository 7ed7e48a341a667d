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

extension Batch {
    /// The bytes of all values, which the batch exceeds in any form.
    var valueBytes: Int { objects.values.reduce(0) { $0 + $1.valueBytes } }
}

extension ObjectState {
    var valueBytes: Int {
        var size = properties.values.reduce(0) { $0 + $1.value.byteCount }
        guard hasRareParts else { return size }
        for elements in sets.values { size += elements.keys.reduce(0) { $0 + $1.byteCount } }
        for entries in dictionaries.values {
            size += entries.reduce(0) { $0 + $1.key.byteCount + $1.value.value.value.byteCount }
        }
        for elements in arrays.values { size += elements.values.reduce(0) { $0 + $1.value.value.byteCount } }
        return size
    }
}

extension SyncValue {
    /// The number of bytes of a string or of bytes; 0 for other values.
    var byteCount: Int {
        switch self {
        case .text(let text), .decimal(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .null, .integer, .real, .object, .blob: 0
        }
    }
}
