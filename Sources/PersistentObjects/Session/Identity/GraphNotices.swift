/// Notices what costs more than its author may think: fetches that pull in far more than was asked for, and single
/// loads that repeat for object after object. In debug builds; each is noted once in a session, for each property.
struct GraphNotices {
    /// Single loads, those of the kind seen last first.
    fileprivate var repetitions: [(className: String, property: String, count: Int)] = []
    fileprivate var noted: Set<String> = []

    /// From how many objects beyond those asked for, and from which multiple of these, it is too much.
    static let surplus = 100
    static let factor = 10
    /// From how many single loads in a row on they are a pattern.
    static let repetitionLimit = 50
    /// A loop over objects may load several properties of each.
    static let kindLimit = 8

    /// Notes something; false where it was noted.
    mutating func note(_ what: String) -> Bool { noted.insert(what).inserted }

    func hasNoted(_ what: String) -> Bool { noted.contains(what) }
}

extension Session {
    /// A fetch has made objects that its rows only refer to.
    ///
    /// - Parameter led: How many rows each property has led to, by class and property.
    func noteTooMuch(_ space: ClassSpace, asked: Int, made: Int, _ led: [String: Int]) {
        #if DEBUG
            let linked = made - asked
            guard linked >= GraphNotices.surplus, linked >= asked * GraphNotices.factor,
                let most = led.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
                notices.noted.insert("too much by \(most)").inserted
            else { return }
            store.configuration.onNote(
                "A fetch of \(asked) \(space.map.name) object\(asked == 1 ? "" : "s") also loaded \(linked) "
                    + "objects that they refer to, most by \(most). Mark that property @Lazy if they are not "
                    + "always needed")
        #endif
    }

    /// A lazy property was loaded for one object alone.
    func noteSingleLoad(_ map: ClassMap, _ property: String) {
        #if DEBUG
            noteRepetition(map, property) { count in
                "\(map.name).\(property) was loaded \(count) times, for a single object each time. Fetch the "
                    + "objects together to load it with one query"
            }
        #endif
    }

    /// One object was read from the file by its id.
    func noteSingleFind(_ map: ClassMap) {
        #if DEBUG
            noteRepetition(map, "id") { count in
                "\(map.name) objects were found by id \(count) times in a row. Use \(map.name).find(ids) for a "
                    + "single query"
            }
        #endif
    }

    #if DEBUG
        private func noteRepetition(_ map: ClassMap, _ property: String, _ text: (Int) -> String) {
            let known = notices.repetitions.firstIndex { $0.className == map.name && $0.property == property }
            let count = known.map { notices.repetitions.remove(at: $0).count + 1 } ?? 1
            notices.repetitions.insert((map.name, property, count), at: 0)
            if notices.repetitions.count > GraphNotices.kindLimit { notices.repetitions.removeLast() }
            guard count == GraphNotices.repetitionLimit,
                notices.noted.insert("\(map.name).\(property)").inserted
            else { return }
            store.configuration.onNote(text(GraphNotices.repetitionLimit))
        }
    #endif
}
