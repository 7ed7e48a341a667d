#if Sync
    import Foundation
    import PersistentObjects
    import TestSupport
    import Testing

    @testable import PersistentSync

    /// Devices whose programs have different versions of a class.
    @Suite(.onSQLite("a server is not a device"))
    struct ClassVersionTests {
        typealias Old = VersionModel.Old
        typealias New = VersionModel.New
        typealias Place = VersionModel.Place

        private func makeTrips(_ devices: StoreDevices) throws {
            try devices[0].use {
                let trips = try ["a", "b"].map { try Old.Trip(key: $0) }
                for trip in trips {
                    (trip.title, trip.lastName, trip.guest, trip.price) = ("Alps", "Smith", trips[1], "10")
                    (trip.place, trip.main) = (Place(city: "Bern", number: 3), "uno")
                    (trip.tags, trip.days, trip.codes) = (["q", "r"], ["5", "6"], [3, 4])
                    (trip.names, trip.notes, trip.best, trip.visits) = (["z"], [7, 8], 8, 3)
                    try trip.save()
                }
            }
        }

        /// What a device shows of an object, in the later version.
        private func text(_ key: String, _ devices: StoreDevices, _ device: Int) throws -> [String] {
            try devices[device].use {
                let trip = try #require(try New.Journey.find(key))
                return [
                    trip.title, trip.surname, trip.friend?.key ?? "-", "\(trip.price) \(trip.nights)", trip.when,
                    "\(trip.place.city) \(trip.place.number)", trip.main.joined(separator: ","),
                    trip.tags.sorted().joined(separator: ","), "\(trip.days)",
                    trip.codes.sorted().joined(separator: ","), trip.labels?.joined(separator: ",") ?? "nil",
                    trip.notes.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ","),
                    "\(trip.stars) \(trip.best) \(trip.visits)",
                ]
            }
        }

        @Test func `values that a new version of a class converts reach all devices, and no edit is lost`() throws {
            let devices = try StoreDevices(2, VersionModel.old)
            try makeTrips(devices)
            try devices.meet()
            // Device 1 is updated. Device 0 edits in the earlier version after that.
            try devices.update(1, VersionModel.new)
            try devices.meet()
            try devices[0].use {
                let trip = try #require(try Old.Trip.find("a"))
                #expect(trip.days == ["5", "6"] && trip.tags == ["q", "r"] && trip.price == "10")
                (trip.lastName, trip.guest, trip.price, trip.main) = ("Jones", trip, "20", "due")
                (trip.when, trip.place.number) = (Date(timeIntervalSince1970: 999), 7)
                trip.tags.append("s")
                trip.days.append("9")
                trip.codes = [4, 17]
                trip.names = ["z", "y"]
                trip.notes.append(9)
                (trip.stars, trip.best, trip.visits) = (7, 20, 4)
                try trip.save()
                let other = try Old.Trip(key: "c")
                (other.title, other.lastName, other.price, other.days) = ("Sea", "Lee", "77", ["1"])
                try other.save()
            }
            try devices[1].use {
                let trip = try #require(try New.Journey.find("b"))
                (trip.surname, trip.price, trip.place.number, trip.nights) = ("Bee", 30, 8, 2)
                trip.main.append("tre")
                trip.tags.insert("t")
                trip.days = [6, 8]
                trip.codes.insert("x")
                trip.labels = nil
                trip.notes[5] = 5
                (trip.stars, trip.best, trip.visits) = (trip.stars + 1, 1, 2)
                try trip.save()
            }
            try devices.meet()
            try devices.update(0, VersionModel.new)
            try devices.meet()
            try devices.add(VersionModel.new)
            try devices.meet()
            let (a, b, c) = (
                [
                    "Alps", "Jones", "a", "20 7", "1970-01-01T00:16:39Z", "Bern 7", "due", "q,r,s", "[5, 6, 9]",
                    "17,4", "z,y", "0:7,1:8,2:9", "7 20 4",
                ],
                [
                    "Alps", "Bee", "b", "30 2", "1970-01-01T00:00:00Z", "Bern 8", "uno,tre", "q,r,t", "[6, 8]",
                    "3,4,x", "nil", "0:7,1:8,5:5", "6 1 2",
                ],
                ["Sea", "Lee", "-", "77 7", "1970-01-01T00:00:00Z", " 0", "", "", "[1]", "", "nil", "", "5 0 0"]
            )
            for device in 0...2 {
                try #expect(text("a", devices, device) == a, "device \(device)")
                try #expect(text("b", devices, device) == b, "device \(device)")
                let last = try text("c", devices, device)
                // A string became a list, so its initial value is an element.
                #expect(last.enumerated().allSatisfy { $0.offset == 6 || $0.element == c[$0.offset] }, "\(last)")
            }
        }

        @Test func `a new version changes nothing for devices that all have it, and a list that it made stays one`()
            throws
        {
            let devices = try StoreDevices(2, VersionModel.old)
            try makeTrips(devices)
            try devices.meet()
            for device in 0...1 { try devices.update(device, VersionModel.new) }
            try devices.meet()
            try devices[0].use {
                let trip = try #require(try New.Journey.find("a"))
                trip.main.insert("zero", at: 0)
                trip.stars += 2
                try trip.save()
            }
            try devices.meet()
            // The declarations of the classes are the same, and the files are opened again.
            for device in 0...1 { try devices.update(device, VersionModel.new) }
            try devices.meet()
            for device in 0...1 {
                let texts = try text("a", devices, device)
                #expect(texts[6] == "zero,uno" && texts[8] == "[5, 6]" && texts[12] == "7 8 3", "\(texts)")
            }
        }

        @Test func `objects of a renamed class are the same objects for devices of both versions`() throws {
            let devices = try StoreDevices(2, VersionModel.old)
            try devices[0].use {
                let (animal, dog) = (try Old.Animal(key: "a"), try Old.Dog(key: "d"))
                (animal.name, dog.name, dog.bark) = ("Ann", "Rex", "loud")
                for object in [animal, dog] { try object.save() }
            }
            try devices.meet()
            try devices.update(1, VersionModel.new)
            try devices[1].use {
                let (hound, animal) = (try #require(try New.Hound.find("d")), try #require(try New.Creature.find("a")))
                (hound.bark, animal.mate) = ("LOUD", hound)
                for object in [hound, animal] { try object.save() }
                let puppy = try New.Hound(key: "p")
                puppy.name = "Pup"
                try puppy.save()
            }
            try devices.meet()
            try devices[0].use {
                let dogs = try Old.Dog.all().sorted { $0.name < $1.name }
                #expect(dogs.map(\.name) == ["Pup", "Rex"] && dogs.last?.bark == "LOUD")
                try #expect(Old.Animal.find("a")?.mate === dogs.last)
                dogs.last?.name = "Max"
                try dogs.last?.save()
            }
            try devices.meet()
            try devices[1].use { try #expect(New.Hound.find("d")?.name == "Max") }
            #expect(try devices[1].replica.waiting() == [])
            let key = try devices[1].use {
                let hound = try #require(try New.Hound.find("d"))
                return try #require(try devices[1].replica.key(of: hound))
            }
            #expect(devices[1].replica.className(of: key) == "Hound" && key.type == "Dog")
        }

        enum Unnamed {
            final class Tour: PersistentObject {
                override class var tableName: String { "trip" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                var title = ""
            }
        }

        enum Twice {
            final class Trip: PersistentObject {
                override class var tableName: String { "trip_2" }
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
            }
        }

        enum OtherKeys {
            final class Trip: PersistentObject {
                override class var identity: Identity { .uuid }
                override class var isSynced: Bool { true }
            }
        }

        enum Reused {
            final class Trip: PersistentObject {
                override class var identity: Identity { .string }
                override class var isSynced: Bool { true }
                @Column("heading", renamedFrom: "title") var heading = ""
                var title = ""
            }
        }

        @Test func `a change that would separate the objects of two versions is refused with a remedy`() throws {
            func expectRefusal(_ part: String, _ classes: [PersistentObject.Type]) throws {
                let devices = try StoreDevices(1, VersionModel.old)
                try makeTrips(devices)
                try devices[0].replica.absorb()
                do {
                    try devices.update(0, classes)
                    try devices[0].replica.absorb()
                    Issue.record("\(classes) was not refused")
                } catch let error as SchemaError {
                    #expect("\(error)".contains(part), "\(error)")
                }
            }
            try expectRefusal("formerNames: [String] { [\"Trip\"] }", [Unnamed.Tour.self])
            try expectRefusal("know its objects by the name Trip", [New.Journey.self, Twice.Trip.self])
            try expectRefusal("cannot change the kind of its keys", [OtherKeys.Trip.self])
            try expectRefusal("heading was renamed, and devices", [Reused.Trip.self])
        }
    }
#endif
