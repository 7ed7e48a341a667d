/// The identity of an array's element, which a move does not change: the device that inserted it, and a number.
package struct ElementID: Hashable, Comparable, Sendable {
    package let device: DeviceID
    package let number: Int64

    package init(_ device: DeviceID, _ number: Int64) {
        self.device = device
        self.number = number
    }

    package static func < (one: ElementID, other: ElementID) -> Bool {
        one.device != other.device ? one.device < other.device : one.number < other.number
    }
}

/// An element of an array: a length that is odd while the element is present, its place, and its value.
package struct ArrayElement: Hashable, Sendable {
    package var length: Int64
    package var place: Register<Place>
    package var value: Register<SyncValue>

    package init(length: Int64, place: Register<Place>, value: Register<SyncValue>) {
        self.length = length
        self.place = place
        self.value = value
    }

    package var isPresent: Bool { Life.isAlive(length) }
}

/// The length of a life: odd while alive, even while deleted. The greatest length wins.
package enum Life {
    /// The greatest length. It means deleted, and it remains, so that a length that a hostile member sent cannot grow
    /// beyond what other devices accept.
    package static let longest: Int64 = 1 << 40

    package static func isAlive(_ length: Int64) -> Bool { length & 1 == 1 }
    /// Whether an object was deleted; an object of which nothing is known is not deleted.
    package static func isDeleted(_ length: Int64) -> Bool { length > 0 && length & 1 == 0 }
    /// The length after a deletion or a return.
    package static func next(_ length: Int64) -> Int64 { min(length + 1, longest) }
}
