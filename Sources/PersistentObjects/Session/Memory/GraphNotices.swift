/// Reports operations that cost more than their author may expect: fetches that load many more objects than requested,
/// and single loads that are repeated for each object. In debug builds, each property is reported once in a session.
///
/// Invariant: an entry of `reported` is not reported again until `clear()`.
final class GraphNotices {
    private let store: Store
    /// The counts of single loads by kind, the most recent kind first.
    private var repetitions: [(className: String, property: String, count: Int)] = []
    private var reported: Set<String> = []

    /// The number of additional objects, and the multiple of the requested objects, from which a fetch is reported.
    static let surplus = 100
    static let factor = 10
    /// The number of consecutive single loads from which they are reported.
    static let repetitionLimit = 50
    /// The number of kinds that are counted, because a loop over objects may load several properties of each object.
    static let kindLimit = 8

    init(_ store: Store) { self.store = store }

    /// Called when the session forgets its objects.
    func clear() {
        repetitions = []
        reported = []
    }

    /// Whether a notice is the first of its kind; marks it as reported.
    func isFirst(_ what: String) -> Bool { reported.insert(what).inserted }

    func hasReported(_ what: String) -> Bool { reported.contains(what) }

    /// Reports a fetch that created many objects to which its rows only refer.
    ///
    /// - Parameter led: The number of rows that each property led to, by class and property.
    func checkSurplus(_ map: ClassMap, requested: Int, made: Int, _ led: [String: Int]) {
        #if DEBUG
            let linked = made - requested
            guard linked >= GraphNotices.surplus, linked >= requested * GraphNotices.factor,
                let most = led.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
                isFirst("too much by \(most)")
            else { return }
            store.configuration.onNote(
                "A fetch of \(requested) \(map.name) object\(requested == 1 ? "" : "s") also loaded \(linked) "
                    + "objects that they refer to, most by \(most). Mark that property @Lazy if they are not "
                    + "always needed")
        #endif
    }

    /// Counts a lazy property that was loaded for a single object.
    func countSingleLoad(_ map: ClassMap, _ property: String) {
        #if DEBUG
            count(map, property) { count in
                "\(map.name).\(property) was loaded \(count) times, for a single object each time. Fetch the "
                    + "objects together to load it with one query"
            }
        #endif
    }

    /// Counts an object that was read from the file by its id.
    func countSingleFind(_ map: ClassMap) {
        #if DEBUG
            count(map, "id") { count in
                "\(map.name) objects were found by id \(count) times in a row. Use \(map.name).find(ids) for a "
                    + "single query"
            }
        #endif
    }

    /// Reports once that observers are not notified of the library's changes on this system.
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
