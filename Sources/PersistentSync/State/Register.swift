/// A value of which the last write counts.
package struct Register<Value: Hashable & Comparable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var clock: Clock

    package init(_ value: Value, _ clock: Clock) {
        self.value = value
        self.clock = clock
    }
}

/// What one device added to a counter: the sum, and how often it added.
package struct CounterPart: Hashable, Comparable, Sendable {
    /// The greatest count. A hostile member can send it for another device, whose count must not overflow.
    package static let greatestCount: Int64 = 1 << 53

    package var count: Int64
    package var sum: SyncValue

    package init(count: Int64, sum: SyncValue) {
        self.count = count
        self.sum = sum
    }

    package static func < (one: CounterPart, other: CounterPart) -> Bool {
        one.count != other.count ? one.count < other.count : one.sum < other.sum
    }
}

/// A key of a dictionary: a length that is odd while the key is present, and its value.
package struct DictionaryEntry: Hashable, Sendable {
    package var length: Int64
    package var value: Register<SyncValue>

    package init(length: Int64, value: Register<SyncValue>) {
        self.length = length
        self.value = value
    }
}

/// A cascade: the owner by whose deletion an object was deleted, and the length of the owner's life then.
package struct Cascade: Hashable, Comparable, Sendable {
    package let owner: ObjectKey
    package let life: Int64

    package init(_ owner: ObjectKey, life: Int64) {
        self.owner = owner
        self.life = life
    }

    package static func < (one: Cascade, other: Cascade) -> Bool {
        one.owner != other.owner ? one.owner < other.owner : one.life < other.life
    }
}
