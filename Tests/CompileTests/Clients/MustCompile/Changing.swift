// Queries that change their objects, and queries for many objects.
import PersistentObjects

enum Mood: String { case good, bad }

class Place: PersistentObject {
    var name = ""
}

class Guest: PersistentObject {
    var firstName = ""
    var lastName = ""
    var nick: String?
    var age = 0
    var bonus: Int?
    var height = 1.5
    var mood = Mood.good
    var isActive = false
    var isMarried: Bool?
    var place: Place?
    var host: Guest?
    var tags: [String] = []
    @Lazy var photo: [UInt8]?
    @Inverse(\Guest.host) var guests: [Guest]
}

func changes(_ place: Place, _ age: Int, _ nick: String?) throws {
    let query = Guest.where { $0.age > 3 }
    try query.update { $0.age += 1 }
    try query.update { $0.age = age }
    try query.update { $0.age = $0.age + 1 }
    try query.update { $0.place = place }
    let count = try query.order(by: \.age).limit(3).update {
        $0.age += 1; $0.age -= age; $0.age *= 2; $0.age += $0.age
        $0.lastName = $0.firstName + "x"
        $0.lastName += "y"
        $0.mood = .bad
        $0.nick = nil
        $0.nick = nick
        $0.nick = $0.lastName
        $0.nick += "z"
        $0.bonus = $0.age * 2
        $0.bonus += 3
        $0.age = $0.bonus ?? 0
        $0.height = $0.height * 2 + 1
        $0.isActive = true
        $0.isActive = $0.age > 3 && $0.isMarried
        $0.isMarried = nil
        $0.place = nil
        $0.place = $0.host.place
        $0.nick = $0.place.name
        $0.age = $0.tags.count
        $0.photo = [1, 2]
    }
    _ = count
    try query.delete()
}

func much() async throws {
    try Guest.query.forEachBatch(of: 500) { batch in for guest in batch { try guest.save() } }
    try Guest.query.forEach { guest in try guest.delete() }
    let guests = try Guest.query.lazily()
    print(guests.count, try guests[17].lastName)
    for guest in try Guest.query.including(\.photo, \.guests).untracked().all() { print(guest.guests.count) }
    for try await guest in Guest.where({ $0.age > 3 }).stream() { guest.age += 1 }
}

@MainActor func muchOnTheMainActor() async throws {
    for try await guest in Guest.query.stream() { try guest.delete() }
    try Guest.query.forEach { try $0.delete() }
}
