import PersistentObjects
import TestSupport
import Testing

/// Concurrent changes of an optional embedded value, compared with a model of the expected result.
@Suite struct OptionalEmbeddedConflictTests {
    struct Spot: Codable, Equatable {
        var lat = 0.0
        var label: String?
    }
    struct Home: Codable, Equatable {
        var zip: String?
        var city = ""
        var spot = Spot()
    }
    final class Person: PersistentObject {
        override class var tableName: String { "perhaps_at_home" }
        var name = ""
        @Embedded var home: Home?
    }

    /// The outcome for one field: whether the edits conflict, and the stored value if mine or theirs wins.
    private struct Meeting<T: Equatable> {
        let isConflict: Bool
        let mine: T
        let theirs: T

        init(isConflict: Bool, mine: T, theirs: T) {
            (self.isConflict, self.mine, self.theirs) = (isConflict, mine, theirs)
        }

        init(_ base: T, _ mine: T, _ theirs: T) {
            isConflict = mine != base && theirs != base && mine != theirs
            self.mine = mine == base ? theirs : mine
            self.theirs = theirs == base ? mine : theirs
        }
    }

    /// Compares field by field if all three have a value; otherwise the value as a whole.
    private func outcome(_ base: Home?, _ mine: Home?, _ theirs: Home?) -> Meeting<Home?> {
        guard let base, let mine, let theirs else { return Meeting(base, mine, theirs) }
        let (zip, city) = (Meeting(base.zip, mine.zip, theirs.zip), Meeting(base.city, mine.city, theirs.city))
        let (lat, label) = (
            Meeting(base.spot.lat, mine.spot.lat, theirs.spot.lat),
            Meeting(base.spot.label, mine.spot.label, theirs.spot.label)
        )
        return Meeting(
            isConflict: zip.isConflict || city.isConflict || lat.isConflict || label.isConflict,
            mine: Home(zip: zip.mine, city: city.mine, spot: Spot(lat: lat.mine, label: label.mine)),
            theirs: Home(zip: zip.theirs, city: city.theirs, spot: Spot(lat: lat.theirs, label: label.theirs)))
    }

    private struct Hand {
        var random: SeededGenerator

        mutating func home() -> Home? {
            guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
            return Home(
                zip: [nil, "1", "2"].randomElement(using: &random) ?? nil,
                city: ["", "a", "b"].randomElement(using: &random) ?? "",
                spot: Spot(lat: .random(in: 0...1, using: &random), label: Bool.random(using: &random) ? "l" : nil))
        }

        /// Returns another value, or the value with some fields changed.
        mutating func edit(_ home: Home?) -> Home? {
            guard var edited = home, Bool.random(using: &random) else { return self.home() }
            if Bool.random(using: &random) { edited.zip = [nil, "3"].randomElement(using: &random) ?? nil }
            if Bool.random(using: &random) { edited.city = ["", "c"].randomElement(using: &random) ?? "" }
            if Bool.random(using: &random) { edited.spot.label = edited.spot.label == nil ? "m" : nil }
            return edited
        }
    }

    enum Life: CaseIterable { case held, ended, readAgain }

    @Test(arguments: 0..<3, Life.allCases)
    func `concurrent changes give the result of a model for each conflict policy`(seed: Int, life: Life) throws {
        var hand = Hand(random: SeededGenerator(seed: UInt64(seed * 31)))
        try withTemporaryStore { store, _ in
            for round in 0..<(Scale.isFull ? 80 : 20) {
                let base = hand.home()
                let (mine, theirs) = (hand.edit(base), hand.edit(base))
                let wanted = outcome(base, mine, theirs)
                for (policy, prefersTheirs) in [
                    (ConflictPolicy.merge, false), (.mine, false), (.theirs, true), (.resolve { _ in .mine }, false),
                    (.resolve { _ in .theirs }, true),
                ] {
                    let id = try store.withSession { session -> Int64 in
                        let person = Person()
                        person.home = base
                        try person.save()
                        return try #require(person.id)
                    }
                    let comment = Comment(
                        "round \(round): \(String(describing: base)) \(mine as Any) \(theirs as Any) \(policy)")
                    try store.withSession { session in
                        session.conflictPolicy = policy
                        var person = try Person.find(id)
                        person?.home = mine
                        if life == .ended { person = nil }
                        try store.withSession { _ in
                            let other = try #require(try Person.find(id))
                            other.home = theirs
                            try other.save()
                        }
                        if life == .readAgain { _ = try Person.where { $0.name == "" }.all() }
                        if case .merge = policy, wanted.isConflict {
                            let error = #expect(throws: StoreError.self, comment) { try session.saveChanges() }
                            #expect(error?.code == .staleObject, comment)
                            let again = try #require(try Person.find(id))
                            #expect(again.home == wanted.mine, comment)
                            try again.reload()
                            #expect(again.home == theirs && !again.hasChanges, comment)
                            return
                        }
                        try session.saveChanges()
                        try session.refresh()
                        let saved = try #require(try Person.find(id))
                        #expect(saved.home == (prefersTheirs ? wanted.theirs : wanted.mine), comment)
                        #expect(!saved.hasChanges, comment)
                    }
                    try store.withSession { _ in
                        let stored = try Person.find(id)?.home
                        let saved = prefersTheirs ? wanted.theirs : wanted.mine
                        if case .merge = policy, wanted.isConflict {
                            #expect(stored == theirs, comment)
                        } else {
                            #expect(stored == saved, comment)
                        }
                    }
                }
            }
        }
    }
}
