import Foundation
import PersistentObjects
import PersistentTransfer
import TestSupport
import Testing

/// Optional embedded values.
@Suite struct OptionalEmbeddedTests {
    struct Spot: Codable, Equatable {
        var lat = 0.0
        var label: String?
    }
    struct Home: Codable, Equatable {
        var zip: String?
        var city = ""
        var spot = Spot()
        var tags: [String] = []
        var isOwn = false
    }
    struct Trip: Codable, Equatable {
        var from: String?
        var to: String?
    }

    /// Is not Equatable.
    struct Mark: Codable { var number = 0 }

    class Person: PersistentObject {
        override class var tableName: String { "perhaps_person" }
        override class var indexes: [Index] { [Index(\Person.home?.city)] }
        var name = ""
        @Embedded var home: Home?
        @Embedded var trip: Trip?
        @Embedded var mark: Mark?
        var note: Mark?
        var boss: Person?
    }
    final class Guest: Person {
        @Embedded var room: Spot? = Spot(lat: 7, label: "first")
    }

    private func person(_ name: String, _ home: Home?, _ trip: Trip? = nil) -> Person {
        let person = Person()
        (person.name, person.home, person.trip) = (name, home, trip)
        return person
    }

    private static let graz = Home(zip: "8010", city: "Graz", spot: Spot(lat: 47, label: "a"), tags: ["x"], isOwn: true)

    @Test func `nil, a value, and a value with nil fields are distinct`() throws {
        try withTemporaryStore { store, _ in
            let trips: [Trip?] = [nil, Trip(), Trip(from: "a"), Trip(from: "a", to: "b")]
            let homes: [Home?] = [nil, Home(), Self.graz]
            try store.withSession { session in
                for trip in trips { for home in homes { try person("", home, trip).save() } }
                let guest = Guest()
                try guest.save()
            }
            try store.withSession { session in
                let all = try Person.all()
                #expect(all.dropLast().map(\.trip) == trips.flatMap { trip in homes.map { _ in trip } })
                #expect(all.dropLast().map(\.home) == trips.flatMap { _ in homes })
                #expect((all.last as? Guest)?.room == Spot(lat: 7, label: "first") && all.last?.home == nil)
                let row = try session.rows(
                    "SELECT home_exists, home_city, home_zip, trip_exists, trip_from FROM perhaps_person ORDER BY id")
                #expect(try row[0].value("home_exists", as: Int?.self) == nil)
                #expect(try row[1].value("home_exists", as: Int?.self) == 1)
                #expect(try row[0].value("home_city", as: String?.self) == nil)
                #expect(try row[1].value("home_city", as: String?.self) == "")
                #expect(try row[3].value("trip_exists", as: Int?.self) == 1)
                #expect(try row[3].value("trip_from", as: String?.self) == nil)
                // Objects that were not edited have no changes.
                #expect(all.allSatisfy { !$0.hasChanges })
                try session.saveChanges()
            }
        }
    }

    @Test func `a save writes the changed fields, including nil, and changes names them`() throws {
        try withTemporarySession { session, _ in
            let person = person("a", nil)
            try person.save()
            person.home = Self.graz
            #expect(person.changed(\.home) && person.changed(\.home?.city) && !person.changed(\.trip))
            expect(
                Set(person.changes.map(\.name)),
                ["home.exists", "home.zip", "home.city", "home.spot.lat", "home.spot.label", "home.tags", "home.isOwn"])
            try person.save()
            person.home?.spot.label = nil
            expect(person.changes.map(\.name), ["home.spot.label"])
            #expect(try person.original(\.home) == Self.graz && person.original(\.home?.spot.label) == "a")
            try person.save()
            person.home = nil
            #expect(person.changes.contains { $0.name == "home.exists" && $0.old as? Bool == true && $0.new == nil })
            try expect(person.original(\.home)??.city, "Graz")
            person.revert()
            #expect(person.home?.city == "Graz" && person.home?.spot.label == nil && !person.hasChanges)
            person.home = nil
            try person.save()
            #expect(try session.rows("SELECT 1 FROM perhaps_person WHERE home_tags IS NOT NULL").isEmpty)
            try person.reload()
            #expect(person.home == nil)
        }
    }

    @Test(arguments: 0..<4)
    func `random edits, rollbacks and other sessions leave the values of a model`(seed: Int) throws {
        struct Refused: Error {}
        var random = SeededGenerator(seed: UInt64(seed))
        func home() -> Home? {
            guard Int.random(in: 0..<4, using: &random) > 0 else { return nil }
            return Home(
                zip: [nil, "1", "2"].randomElement(using: &random) ?? nil,
                city: ["", "a", "b"].randomElement(using: &random) ?? "",
                spot: Spot(lat: .random(in: 0...1, using: &random), label: Bool.random(using: &random) ? "l" : nil),
                tags: Array(repeating: "t", count: .random(in: 0...2, using: &random)),
                isOwn: .random(using: &random))
        }
        try withTemporaryStore { store, _ in
            let model = try store.withSession { session -> [Home?] in
                var model: [Home?] = (0..<8).map { _ in home() }
                let people = model.map { person("", $0) }
                try session.save(people)
                for _ in 0..<150 {
                    let place = Int.random(in: 0..<people.count, using: &random)
                    let one = people[place]
                    switch Int.random(in: 0..<7, using: &random) {
                    case 0, 1:
                        one.home = home()
                        try one.save()
                        model[place] = one.home
                    case 2:
                        one.home?.city = "edited"
                        one.home?.spot.label = nil
                        try one.save()
                        model[place]?.city = "edited"
                        model[place]?.spot.label = nil
                    case 3:
                        one.home = home()
                        one.revert()
                    case 4:
                        let edit = home()
                        one.home = edit
                        #expect(throws: Refused.self) {
                            try session.transaction {
                                one.home = home()
                                one.name += "x"
                                try one.save()
                                one.home = home()
                                throw Refused()
                            }
                        }
                        #expect(one.home == edit)
                        try one.save()
                        model[place] = edit
                    case 5:
                        let theirs = home()
                        let id = try #require(one.id)
                        try store.withSession { _ in
                            let other = try #require(try Person.find(id))
                            other.home = theirs
                            try other.save()
                        }
                        #expect(try Person.where { $0.id == id }.first()?.home == theirs)
                        model[place] = theirs
                    default:
                        try one.reload()
                    }
                    #expect(people.map(\.home) == model)
                    #expect(people.allSatisfy { !$0.hasChanges })
                }
                return model
            }
            try expect(store.withSession { _ in try Person.all().map(\.home) }, model)
        }
    }

    @Test func `queries and finders compare optional embedded values with nil, and their fields`() throws {
        try withTemporarySession { session, _ in
            let boss = person("boss", Self.graz)
            let people = [
                person("none", nil), person("empty", Home()), boss,
                person("wien", Home(city: "Wien", spot: Spot(lat: 48))), person("trip", nil, Trip()),
            ]
            people[0].boss = boss
            people[1].boss = people[0]
            try session.save(people)
            func names(_ condition: (Columns<Person>) -> Condition) throws -> [String] {
                try Person.where(condition).all().map(\.name)
            }
            #expect(try names { $0.home == nil } == ["none", "trip"])
            #expect(try names { $0.home != nil } == ["empty", "boss", "wien"])
            #expect(try names { !($0.home == nil) && $0.trip == nil } == ["empty", "boss", "wien"])
            #expect(try names { $0.home.city == "Graz" } == ["boss"])
            #expect(try names { $0.home.spot.lat > 1 } == ["boss", "wien"])
            #expect(try names { $0.boss.home != nil } == ["none"])
            (people[1].mark, people[2].note) = (Mark(), Mark(number: 3))
            try session.saveChanges()
            #expect(try names { $0.mark != nil } == ["empty"])
            #expect(try names { $0.note == nil && $0.mark == nil } == ["none", "wien", "trip"])
            #expect(try names { $0.boss.note != nil } == ["none"])
            #expect(try names { $0.boss.home.city == "Graz" } == ["none"])
            #expect(try Person.findByHomeCity("Wien").map(\.name) == ["wien"])
            #expect(try Person.findByHomeExists(true).count == 3)
            #expect(try Person.findByHomeExists(false).count == 2)
            #expect(try Person.findByHomeExistsIsNull().map(\.name) == ["none", "trip"])
            #expect(try Person.findBy.home.city("Graz").map(\.name) == ["boss"])
            #expect(try Person.findByCriteria("WHERE home.city = ?", "Graz").map(\.name) == ["boss"])
            let cities = try Person.query.order(by: \.home?.city, .descending).values(of: \.home?.city)
            #expect(cities == ["Wien", "Graz", "", nil, nil])
            #expect(try Person.query.max(\.home?.spot.lat) == 48)
            #expect(throws: (any Error).self) { try Person.where { $0.home == Home() }.all() }
            #expect(throws: (any Error).self) { try Person.query.values(of: \.home) }
        }
    }

    @Test func `updates set the whole value and refuse a single field`() throws {
        try withTemporarySession { session, _ in
            let people = [person("a", nil), person("b", Home(city: "x"))]
            try session.save(people)
            try Person.query.update { $0.home = Self.graz }
            try session.refresh()
            #expect(people.map(\.home) == [Self.graz, Self.graz])
            try Person.where { $0.name == "a" }.update { $0.home = nil }
            #expect(try Person.where { $0.home == nil }.all() == [people[0]] && people[0].home == nil)
            let error = #expect(throws: QueryError.self) { try Person.query.update { $0.home?.city = "y" } }
            #expect("\(try #require(error))".contains("Person.home can be nil"))
            #expect(people[1].home == Self.graz)
        }
    }

    @Test func `JSON, dictionaries and snapshots contain the fields in any order`() throws {
        try withTemporarySession { session, _ in
            for home in [nil, Home(), Self.graz] {
                let person = person("a", home, Trip())
                try person.save()
                let copy = try Person(json: person.json)
                #expect(copy.home == home && copy.trip == Trip())
                var values = person.dictionary
                values["boss"] = nil
                let other = try Person(values)
                #expect(other.home == home && other.trip == Trip())
                let snapshot = person.snapshot()
                #expect(snapshot.home == home && snapshot.home?.city == home?.city)
                var edited = snapshot
                try edited.set(\.home, to: home == nil ? Self.graz : nil)
                try session.merge(edited).save()
                #expect(person.home == (home == nil ? Self.graz : nil))
            }
            let fields: [String: Any?] = [
                "home.city": "Linz", "home.spot.lat": 1, "home.tags": ["a"], "home.isOwn": false, "home.exists": true,
            ]
            let some = try Person(fields)
            #expect(some.home == Home(city: "Linz", spot: Spot(lat: 1), tags: ["a"]))
            for (given, reason) in [
                ("home.city", "home is nil. Set it to a value first"),
                ("home.isOwn", "home is nil. Set it to a value first"),
                ("home.exists", "a value also requires home.city, home.spot.lat, home.tags, home.isOwn"),
            ] {
                let error = #expect(throws: StoreError.self) { try Person([given: fields[given] ?? nil]) }
                #expect(error?.property == given && "\(String(describing: error))".contains(reason))
            }
            #expect(throws: TransferError.self) {
                try Person(json: Data(#"{"home.exists":true,"home.city":"Linz"}"#.utf8))
            }
            #expect(throws: TransferError.self) { try Person(json: Data(#"{"home.city":"Linz"}"#.utf8)) }
            #expect(try Person(json: Data(#"{"trip.exists":true,"home.exists":false}"#.utf8)).trip == Trip())
            #expect(some["home.city"] as? String == "Linz" && some["home.exists"] as? Bool == true)
            try some.set("home.exists", to: nil)
            #expect(some.home == nil && some["home.city"] == nil)
        }
    }

    @Test func `setting nil conflicts with an edit of the value, but not with an edit of another property`() throws {
        try withTemporaryStore { store, _ in
            try store.withSession { session in
                let mine = person("a", Self.graz)
                try mine.save()
                func theyRemoveIt() throws {
                    try store.withSession { _ in
                        let theirs = try #require(try Person.find(mine.id ?? 0))
                        theirs.home = nil
                        try theirs.save()
                    }
                }
                try theyRemoveIt()
                mine.name = "b"
                try mine.save()
                try mine.reload()
                #expect(mine.home == nil && mine.name == "b")
                mine.home = Self.graz
                try mine.save()
                try theyRemoveIt()
                mine.home?.city = "edited"
                let error = #expect(throws: StoreError.self) { try mine.save() }
                #expect(error?.code == .staleObject && "\(String(describing: error))".contains("home.city"))
                #expect(mine.home?.city == "edited")
            }
        }
    }

    @Test func `a row with contradictory columns throws an error that names the property`() throws {
        try withTemporarySession { session, _ in
            let person = person("a", Self.graz)
            try person.save()
            for (column, value, property) in [
                ("home_exists", "NULL", "home.zip"), ("home_city", "NULL", "home.city"),
            ] {
                try session.store.withSession { other in
                    try other.execute("UPDATE perhaps_person SET \(column) = \(value)")
                    let error = #expect(throws: StoreError.self) { try Person.all() }
                    #expect(error?.property == property && error?.rowID == person.id)
                    try other.execute("UPDATE perhaps_person SET home_exists = 1, home_city = 'Graz'")
                    #expect(try Person.all().map(\.home) == [Self.graz])
                }
            }
        }
    }

    @Test func `undo and redo remove and restore an optional embedded value`() throws {
        try withTemporarySession { session, _ in
            try session.store.prepare(Person.self)
            session.recordsUndo = true
            let person = person("a", nil)
            try person.save()
            person.home = Self.graz
            try person.save()
            person.home = nil
            try person.save()
            try session.undo()
            expect(person.home, Self.graz)
            try session.undo()
            #expect(person.home == nil)
            try session.redo()
            #expect(person.home == Self.graz && !person.hasChanges)
        }
    }

    @Test func `exported optional embedded values are imported unchanged`() throws {
        try withTemporaryStore { store, file in
            for (format, ending) in [(TransferFormat.jsonLines, "jsonl"), (.json, "json")] {
                let url = URL(filePath: "\(file.path).\(ending)")
                defer { try? FileManager.default.removeItem(at: url) }
                try store.withSession { session in
                    try Person.deleteAll()
                    try session.save([person("a", nil), person("b", Self.graz, Trip(from: "x"))])
                    try store.export(Person.self, to: url, as: format)
                    try Person.deleteAll()
                    try store.import(Person.self, from: url)
                    try expect(Person.query.order(by: \.name).all().map(\.home), [nil, Self.graz])
                    try expect(Person.query.order(by: \.name).all().map(\.trip), [nil, Trip(from: "x")])
                }
            }
        }
    }
}
