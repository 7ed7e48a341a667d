// State: what devices know of an object. It knows values and clocks, and must not know how states are merged.

/// The state of one object: the join of all changes of all devices.
///
/// A property that no author's version of the class had is absent: it has no clock, and initial values are not sent.
package struct ObjectState: Hashable, Sendable {
    /// Odd while the object is alive, even while it is deleted, 0 if only a stub is known.
    package var life: Int64 = 0
    /// The clock of each property that the deletion saw, in classes that declare `keepsEdited`.
    package var seen: [Text: Clock] = [:]
    /// The owner whose deletion deleted this object; nil if the object itself was deleted.
    package var deletedWith: Cascade?
    package var properties: [Text: Register<SyncValue>] = [:]
    package var counters: [Text: [DeviceID: CounterPart]] = [:]
    package var maxima: [Text: SyncValue] = [:]
    package var minima: [Text: SyncValue] = [:]
    /// The length of each element that was ever in a set.
    package var sets: [Text: [SyncValue: Int64]] = [:]
    package var dictionaries: [Text: [SyncValue: DictionaryEntry]] = [:]
    package var arrays: [Text: [ElementID: ArrayElement]] = [:]
    package var group: Register<GroupID>
    /// The groups in which the object has been, as far as this device knows. It decides only where stubs are sent.
    package var formerGroups: Set<GroupID> = []

    package init(in group: GroupID, since clock: Clock = .none) { self.group = Register(group, clock) }

    package var isAlive: Bool { Life.isAlive(life) }
    package var isDeleted: Bool { Life.isDeleted(life) }

    package func value(of property: Text) -> SyncValue? { properties[property]?.value }
    package func clock(of property: Text) -> Clock { properties[property]?.clock ?? .none }

    /// The object that a reference refers to.
    package func target(of property: Text) -> ObjectKey? {
        guard case .object(let key)? = properties[property]?.value else { return nil }
        return key
    }

    /// The elements of an array in their order.
    package func order(of property: Text) -> [ElementID] {
        (arrays[property] ?? [:]).filter(\.value.isPresent)
            .sorted { ($0.value.place.value, $0.key) < ($1.value.place.value, $1.key) }.map(\.key)
    }

    /// All clocks.
    package var clocks: [Clock] {
        properties.values.map(\.clock) + dictionaries.values.flatMap { $0.values.map(\.value.clock) }
            + arrays.values.flatMap { $0.values.flatMap { [$0.place.clock, $0.value.clock] } } + [group.clock]
            + seen.values
    }

    /// Whether two devices know the same. They may have learned of former groups from different moves.
    package func isSame(as other: ObjectState) -> Bool {
        var other = other
        other.formerGroups = formerGroups
        return self == other
    }
}
