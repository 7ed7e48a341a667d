// State: what devices know of an object. It knows values and clocks, and must not know how states are merged.

/// The state of one object: the join of all changes of all devices.
///
/// A property that no author's version of the class had is absent: it has no clock, and initial values are not sent.
package struct ObjectState: Hashable, Sendable {
    /// Odd while the object is alive, even while it is deleted, 0 if only a stub is known.
    package var life: Int64 = 0
    package var properties = Registers()
    package var group: Register<GroupID>
    /// Nil if the object has no such parts.
    private var rareParts: RareState.Box?

    package init(in group: GroupID, since clock: Clock = .none) { self.group = Register(group, clock) }

    /// - Parameter rare: What `rareBox` of the same state had.
    init(_ life: Int64, _ properties: Registers, _ group: Register<GroupID>, _ rare: RareState.Box?) {
        (self.life, self.properties, self.group, rareParts) = (life, properties, group, rare)
    }

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
        var clocks: [Clock] = []
        forEachClock { clocks.append($0) }
        return clocks
    }

    func forEachClock(_ body: (Clock) -> Void) {
        properties.forEachClock(body)
        body(group.clock)
        guard hasRareParts else { return }
        for entry in dictionaries.values.joined() { body(entry.value.value.clock) }
        for element in arrays.values.joined() {
            body(element.value.place.clock)
            body(element.value.value.clock)
        }
        for clock in seen.values { body(clock) }
    }

    /// Whether two devices know the same. They may have learned of former groups from different moves.
    package func isSame(as other: ObjectState) -> Bool {
        var other = other
        other.formerGroups = formerGroups
        return self == other
    }
}

// The parts that most objects do not have.
extension ObjectState {
    /// Whether the object has any of the following parts.
    var hasRareParts: Bool { rareParts != nil }
    var rareBox: RareState.Box? { rareParts }

    private var rare: RareState {
        get { rareParts?.parts ?? .empty }
        set { rareParts = newValue == .empty ? nil : RareState.Box(newValue) }
    }

    /// The clock of each property that the deletion saw, in classes that declare `keepsEdited`.
    package var seen: [Text: Clock] {
        get { rareParts?.parts.seen ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.seen = newValue } }
    }

    /// The owner whose deletion deleted this object; nil if the object itself was deleted.
    package var deletedWith: Cascade? {
        get { rareParts?.parts.deletedWith }
        set { if hasRareParts || newValue != nil { rare.deletedWith = newValue } }
    }

    package var counters: [Text: [DeviceID: CounterPart]] {
        get { rareParts?.parts.counters ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.counters = newValue } }
    }

    package var maxima: [Text: SyncValue] {
        get { rareParts?.parts.maxima ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.maxima = newValue } }
    }

    package var minima: [Text: SyncValue] {
        get { rareParts?.parts.minima ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.minima = newValue } }
    }

    /// The length of each element that was ever in a set.
    package var sets: [Text: [SyncValue: Int64]] {
        get { rareParts?.parts.sets ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.sets = newValue } }
    }

    package var dictionaries: [Text: [SyncValue: DictionaryEntry]] {
        get { rareParts?.parts.dictionaries ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.dictionaries = newValue } }
    }

    package var arrays: [Text: [ElementID: ArrayElement]] {
        get { rareParts?.parts.arrays ?? [:] }
        set { if hasRareParts || !newValue.isEmpty { rare.arrays = newValue } }
    }

    /// The groups in which the object has been, as far as this device knows. It decides only where stubs are sent.
    package var formerGroups: Set<GroupID> {
        get { rareParts?.parts.formerGroups ?? [] }
        set { if hasRareParts || !newValue.isEmpty { rare.formerGroups = newValue } }
    }
}
