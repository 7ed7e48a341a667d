/// The states of objects, and the numbers of their changes. It takes less memory than dictionaries, which repeat the keys
/// and have up to twice as much space as content: about 100 bytes for an object, and the bytes of its registers.
package struct ObjectMap: Sendable {
    /// Where and when this device created an object.
    struct Creation: Hashable, Sendable {
        let number: Int64
        let group: GroupID
    }

    /// A state without the bytes of its registers.
    private struct Entry: Sendable {
        let key: KeyValue
        // Indices of values that many objects share.
        let type: UInt32
        var names: UInt32 = 0
        var group: UInt32 = 0
        var groupTime: UInt64 = 0
        var groupDevice: UInt32 = 0
        /// The greatest number if the life is in `rest`.
        var life: UInt32 = 0
        var rest: Rest?
    }

    /// The parts of a state that few objects have.
    private final class Rest: Sendable {
        let life: Int64
        let rare: RareState.Box?
        /// The properties if they have no packed form.
        let properties: Registers?

        init(_ life: Int64, _ rare: RareState.Box?, _ properties: Registers?) {
            (self.life, self.rare, self.properties) = (life, rare, properties)
        }
    }

    private struct Numbers: Sendable {
        // Numbers of changes begin with 1; 0 for none.
        var touched: Int64 = 0
        var edited: Int64 = 0
        var created: Int64 = 0
        /// Indices of groups; of `created`, and the last known one.
        var creation: UInt32 = .max
        var place: UInt32 = .max
    }

    // Separate from the numbers, so that replicas with other numbers can share them.
    private var entries: [Entry] = []
    private var registers = RegisterPages()
    /// The last ones are missing while no number of them is set.
    private var numbers: [Numbers] = []
    /// The entries by the hashes of their keys: each index plus 1, or 0. At least a quarter is 0.
    private var slots: [UInt32] = []
    private var types = Interned<Text>()
    private var names = Interned<[Text]>()
    private var devices = Interned<DeviceID>()
    private var groups = Interned<GroupID>()

    package init() {}

    package init(_ objects: [ObjectKey: ObjectState]) {
        reserveCapacity(objects.count)
        for (key, state) in objects { self[key] = state }
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }
    package var keys: [ObjectKey] { entries.indices.map { key($0) } }

    /// The same states without numbers.
    var withoutNumbers: ObjectMap {
        var map = self
        map.numbers = []
        return map
    }

    /// Prepares for more objects, if these are most of all.
    mutating func reserve(more: Int) { if more > count { reserveCapacity(count + more) } }

    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        numbers.reserveCapacity(count)
        var size = Swift.max(8, slots.count)
        while size / 4 * 3 < count { size *= 2 }
        if size > slots.count { index(size) }
    }

    // MARK: Entries

    func key(_ index: Int) -> ObjectKey { ObjectKey(types[entries[index].type], entries[index].key) }

    private func hasKey(_ key: ObjectKey, _ index: Int) -> Bool {
        entries[index].key == key.key && types[entries[index].type] == key.type
    }

    func state(_ index: Int) -> ObjectState {
        let clock = Clock(entries[index].groupTime, devices[entries[index].groupDevice])
        let rest = entries[index].rest
        return ObjectState(
            rest?.life ?? Int64(entries[index].life),
            rest?.properties ?? Registers(names[entries[index].names], packed: registers[index]),
            Register(groups[entries[index].group], clock), rest?.rare)
    }

    /// Stores a state in an entry; returns the bytes of its registers.
    private mutating func set(_ state: ObjectState, in entry: inout Entry) -> ArraySlice<UInt8> {
        let packed = state.properties.packed
        entry.group = groups.index(of: state.group.value)
        (entry.groupTime, entry.groupDevice) = (state.group.clock.time, devices.index(of: state.group.clock.device))
        entry.names = names.index(of: packed == nil ? [] : state.properties.keys)
        entry.life = UInt32(exactly: state.life) ?? .max
        let isWhole = packed != nil && entry.life != .max && !state.hasRareParts
        entry.rest = isWhole ? nil : Rest(state.life, state.rareBox, packed == nil ? state.properties : nil)
        return packed ?? []
    }

    // MARK: Places

    private mutating func index(_ size: Int) {
        slots = [UInt32](repeating: 0, count: size)
        for index in entries.indices { slots[slot(of: key(index))] = UInt32(index + 1) }
    }

    private func home(of key: ObjectKey) -> Int { key.hashValue & (slots.count - 1) }

    /// The slot of a key, or an empty one in which it can be.
    private func slot(of key: ObjectKey) -> Int {
        var slot = home(of: key)
        while slots[slot] != 0, !hasKey(key, Int(slots[slot]) - 1) { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private func index(of key: ObjectKey) -> Int? {
        let found = entries.isEmpty ? 0 : slots[slot(of: key)]
        return found == 0 ? nil : Int(found) - 1
    }

    private mutating func remove(_ index: Int) {
        let mask = slots.count - 1
        var gap = slot(of: key(index))
        var next = (gap + 1) & mask
        while slots[next] != 0 {
            let home = home(of: key(Int(slots[next]) - 1))
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = 0
        let last = entries.count - 1
        if index < last {
            // The last entry is moved to the place of the removed one.
            slots[slot(of: key(last))] = UInt32(index + 1)
            entries[index] = entries[last]
            registers[index] = registers[last]
            if index < numbers.count { numbers[index] = numbers(last) }
        }
        if last < numbers.count { numbers.removeLast() }
        entries.removeLast()
        registers.removeLast()
    }

    // MARK: States and numbers

    /// The state of an object. Without it, nothing is known of its numbers.
    package subscript(key: ObjectKey) -> ObjectState? {
        get { if let index = index(of: key) { state(index) } else { nil } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let state?):
                var entry = entries[index]
                registers[index] = set(state, in: &entry)
                entries[index] = entry
            case (let index?, nil): remove(index)
            case (nil, let state?):
                if slots.count / 4 * 3 <= entries.count { index(Swift.max(8, slots.count * 2)) }
                var entry = Entry(key: key.key, type: types.index(of: key.type))
                registers.append(set(state, in: &entry))
                // An array would double its capacity.
                if count == entries.capacity { entries.reserveCapacity(count + Swift.max(8, count / 4)) }
                entries.append(entry)
                slots[slot(of: key)] = UInt32(entries.count)
            case (nil, nil): break
            }
        }
    }

    /// The group in the state of an object.
    func group(of key: ObjectKey) -> GroupID? { index(of: key).map { groups[entries[$0].group] } }

    /// The number of the last change of an object.
    package internal(set) subscript(touched key: ObjectKey) -> Int64? {
        get { number(of: key, \.touched) }
        set { set(\.touched, of: key, to: newValue ?? 0) }
    }

    /// The number of the last edit that was made here.
    subscript(edited key: ObjectKey) -> Int64? {
        get { number(of: key, \.edited) }
        set { set(\.edited, of: key, to: newValue ?? 0) }
    }

    subscript(created key: ObjectKey) -> Creation? {
        get {
            guard let index = index(of: key), numbers(index).created > 0 else { return nil }
            return Creation(number: numbers[index].created, group: groups[numbers[index].creation])
        }
        set {
            set(\.creation, of: key, to: indexed(newValue?.group))
            set(\.created, of: key, to: newValue?.number ?? 0)
        }
    }

    /// The last known group of an object.
    subscript(place key: ObjectKey) -> GroupID? {
        get {
            guard let index = index(of: key), numbers(index).place != .max else { return nil }
            return groups[numbers[index].place]
        }
        set { set(\.place, of: key, to: indexed(newValue)) }
    }

    private func number(of key: ObjectKey, _ path: KeyPath<Numbers, Int64>) -> Int64? {
        guard let index = index(of: key) else { return nil }
        let number = numbers(index)[keyPath: path]
        return number == 0 ? nil : number
    }

    private func numbers(_ index: Int) -> Numbers { index < numbers.count ? numbers[index] : Numbers() }

    private mutating func set<Value>(_ path: WritableKeyPath<Numbers, Value>, of key: ObjectKey, to value: Value) {
        guard let index = index(of: key) else { return }
        if index >= numbers.count { numbers += repeatElement(Numbers(), count: count - numbers.count) }
        numbers[index][keyPath: path] = value
    }

    private mutating func indexed(_ group: GroupID?) -> UInt32 {
        group.map { groups.index(of: $0) } ?? .max
    }

    // MARK: All objects

    /// What a condition for many objects can depend on.
    struct Outline {
        let life: Int64
        let group: GroupID
        fileprivate let rare: RareState.Box?

        var isDeleted: Bool { Life.isDeleted(life) }
        var deletedWith: Cascade? { rare?.parts.deletedWith }
    }

    /// The objects that satisfy a condition.
    func keys(where isIncluded: (Outline) -> Bool) -> [ObjectKey] {
        var found: [ObjectKey] = []
        for index in entries.indices {
            let rest = entries[index].rest
            let life = rest?.life ?? Int64(entries[index].life)
            let outline = Outline(life: life, group: groups[entries[index].group], rare: rest?.rare)
            if isIncluded(outline) { found.append(key(index)) }
        }
        return found
    }

    /// The objects whose last change has a number in a range, with these numbers.
    package func touched(in range: some RangeExpression<Int64>) -> [(key: ObjectKey, number: Int64)] {
        var found: [(key: ObjectKey, number: Int64)] = []
        for index in numbers.indices where numbers[index].touched > 0 && range.contains(numbers[index].touched) {
            found.append((key(index), numbers[index].touched))
        }
        return found
    }

    /// Calls `body` for the objects whose last change has a greater number.
    func forEach(touchedAfter number: Int64, _ body: (ObjectKey) throws -> Void) rethrows {
        for index in entries.indices where numbers(index).touched > number { try body(key(index)) }
    }

    /// The numbers of the last changes that are greater than a number.
    func numbers(after number: Int64) -> [Int64] { numbers.lazy.map(\.touched).filter { $0 > number } }

    /// The number of objects whose last change has a greater number.
    func count(touchedAfter number: Int64) -> Int { numbers.count { $0.touched > number } }

    /// The number of objects with an edit after a number that satisfy a condition.
    func count(editedAfter number: Int64, where isIncluded: (ObjectKey) -> Bool) -> Int {
        numbers.indices.count { numbers[$0].edited > number && isIncluded(key($0)) }
    }
}
