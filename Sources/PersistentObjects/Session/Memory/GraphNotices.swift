/// Notices what costs more than its author may think: fetches that pull in far more than was asked for, and single
/// loads that repeat for object after object. In debug builds; each is reported once in a session, for each property.
///
/// Invariant: what is in `reported` is not reported again until `clear()`.
final class GraphNotices {
    private let store: Store
    /// Single loads, those of the kind seen last first.
    private var repetitions: [(className: String, property: String, count: Int)] = []
    private var reported: Set<String> = []

    /// From how many objects beyond those asked for, and from which multiple of these, it is too much.
    static let surplus = 100
    static let factor = 10
    /// From how many single loads in a row on they are a pattern.
    static let repetitionLimit = 50
    /// A loop over objects may load several properties of each.
    static let kindLimit = 8

    init(_ store: Store) { self.store = store }

    /// The session forgets its objects.
    func clear() {
        repetitions = []
        reported = []
    }

    /// Whether something is noticed for the first time; it is not from then on.
    func isFirst(_ what: String) -> Bool { reported.insert(what).inserted }

    func hasReported(_ what: String) -> Bool { reported.contains(what) }

    /// A fetch has made objects that its rows only refer to.
    ///
    /// - Parameter led: How many rows each property has led to, by class and property.
    func checkSurplus(_ map: ClassMap, asked: Int, made: Int, _ led: [String: Int]) {
        #if DEBUG
            let linked = made - asked
            guard linked >= GraphNotices.surplus, linked >= asked * GraphNotices.factor,
                let most = led.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
                isFirst("too much by \(most)")
            else { return }
            store.configuration.onNote(
                "A fetch of \(asked) \(map.name) object\(asked == 1 ? "" : "s") also loaded \(linked) "
                    + "objects that they refer to, most by \(most). Mark that property @Lazy if they are not "
                    + "always needed")
        #endif
    }

    /// A lazy property was loaded for one object alone.
    func countSingleLoad(_ map: ClassMap, _ property: String) {
        #if DEBUG
            count(map, property) { count in
                "\(map.name).\(property) was loaded \(count) times, for a single object each time. Fetch the "
                    + "objects together to load it with one query"
            }
        #endif
    }

    /// One object was read from the file by its id.
    func countSingleFind(_ map: ClassMap) {
        #if DEBUG
            count(map, "id") { count in
                "\(map.name) objects were found by id \(count) times in a row. Use \(map.name).find(ids) for a "
                    + "single query"
            }
        #endif
    }

    /// Reports once that observers are notified of nothing on this system.
    func reportUnknownRegistrars() {
        #if DEBUG
            guard !ObservationCheck.isPassed, isFirst("registrars") else { return }
            store.configuration.onNote(
                "This system has an unknown version of the Observation library. Observers of @Observable objects "
                    + "are notified of values that you set, but not of values that are reloaded or reverted")
        #endif
    }

    #if DEBUG
        private func count(_ map: ClassMap, _ property: String, _ text: (Int) -> String) {
            let known = repetitions.firstIndex { $0.className == map.name && $0.property == property }
            let count = known.map { repetitions.remove(at: $0).count + 1 } ?? 1
            repetitions.insert((map.name, property, count), at: 0)
            if repetitions.count > GraphNotices.kindLimit { repetitions.removeLast() }
            guard count == GraphNotices.repetitionLimit, isFirst("\(map.name).\(property)") else { return }
            store.configuration.onNote(text(GraphNotices.repetitionLimit))
        }
    #endif
}
