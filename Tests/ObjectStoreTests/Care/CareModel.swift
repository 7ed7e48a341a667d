import Foundation
import PersistentObjects
import TestSupport
import Testing

// Classes with each kind of property and collection.

enum CareStatus: String { case active, retired }

struct CareAddress: Codable, Equatable {
    var street = ""
    var floors: [Int] = []
}

final class CareCompany: PersistentObject {
    var name = ""
}

class CarePerson: PersistentObject {
    @Indexed var lastName = ""
    @Unique var email: String?
    var age: Int?
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var token = UUID()
    var price = Decimal(0)
    var isActive = true
    var status = CareStatus.active
    var address = CareAddress()
    var tags: [String] = []
    var years: Set<Int>?
    var ratings: [String: Double] = [:]
    var friends: [CarePerson] = []
    var employer: CareCompany?
    @Lazy var photo: Data?
}

final class CareEmployee: CarePerson {
    var salary = 0.0
    var boss: CareEmployee?
}

final class CareNote: PersistentObject {
    @Searchable var title = ""
    @Searchable var text: String?
}

final class CareCountry: PersistentObject {
    override class var identity: Identity { .string }
    var name = ""
}

enum CareModel {
    static func prepare(_ store: Store) throws {
        try store.prepare(CareCompany.self, CarePerson.self, CareEmployee.self, CareNote.self, CareCountry.self)
    }

    /// Saves five people (the last two are employees), two companies, three notes and a country.
    static func fill(_ session: Session) throws {
        let companies = ["Acme", "Bolt"].map { name in
            let company = CareCompany()
            company.name = name
            return company
        }
        var people: [CarePerson] = (1...3).map { _ in CarePerson() }
        let (boss, clerk) = (CareEmployee(), CareEmployee())
        (boss.salary, clerk.boss) = (100, boss)
        people += [boss, clerk]
        for (place, person) in people.enumerated() {
            person.lastName = "Name \(place + 1)"
            person.email = place < 3 ? "\(place + 1)@example.com" : nil
            person.age = place == 0 ? nil : 20 + place
            person.price = Decimal(place) / 4
            person.address = CareAddress(street: "Street \(place)", floors: Array(0..<place))
            person.tags = (0..<place).map { "tag \($0)" }
            person.years = place == 1 ? nil : Set(2000..<2000 + place)
            person.ratings = ["x": Double(place), "y": 0.5]
            person.friends = Array(people[..<place])
            person.employer = companies[place % 2]
            person.photo = place == 2 ? Data([1, 2, 3]) : nil
        }
        let notes = ["The quick fox", "A lazy dog", "Trees"].map { title in
            let note = CareNote()
            (note.title, note.text) = (title, title == "Trees" ? nil : "about \(title)")
            return note
        }
        let country = try CareCountry(key: "DE")
        country.name = "Germany"
        try session.save(companies + people + notes + [country])
    }
}

/// Runs `body` with a filled store file and a store that has it open.
func withCareStore<R>(
    _ configuration: Store.Configuration = .init(lostEdits: .ignore), _ body: (Store, TemporaryStore) throws -> R
) throws -> R {
    let file = try TemporaryStore()
    let store = try file.open(configuration: configuration)
    defer { store.close() }
    try store.withSession { session throws in
        try CareModel.prepare(store)
        try CareModel.fill(session)
    }
    return try body(store, file)
}

/// The code of the error that `body` throws, or nil if it throws none.
func careCode(of body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch let error as StoreError { return error.code } catch { return nil }
    return nil
}
