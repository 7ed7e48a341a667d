/// The parts of a state that most objects do not have, stored apart so that most states are small.
struct RareState: Hashable, Sendable {
    var seen: [Text: Clock] = [:]
    var deletedWith: Cascade?
    var counters: [Text: [DeviceID: CounterPart]] = [:]
    var maxima: [Text: SyncValue] = [:]
    var minima: [Text: SyncValue] = [:]
    var sets: [Text: [SyncValue: Int64]] = [:]
    var dictionaries: [Text: [SyncValue: DictionaryEntry]] = [:]
    var arrays: [Text: [ElementID: ArrayElement]] = [:]
    var formerGroups: Set<GroupID> = []

    /// What an object without such parts has.
    static let empty = RareState()

    /// The parts of one state. Each change makes another one.
    final class Box: Hashable, Sendable {
        let parts: RareState

        init(_ parts: RareState) { self.parts = parts }

        static func == (one: Box, other: Box) -> Bool { one === other || one.parts == other.parts }
        func hash(into hasher: inout Hasher) { hasher.combine(parts) }
    }
}
