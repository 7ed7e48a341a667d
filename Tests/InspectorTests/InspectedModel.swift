import Foundation
import PersistentInspector
import PersistentObjects
import TestSupport

enum Status: String, Codable, CaseIterable {
    case active, retired
}

enum Level: Int, Codable {
    case low = 1
    case high = 7
}

struct Contact: Codable {
    var phone = ""
}

struct Place: Codable, Hashable {
    var city = ""
    var zip: Int?
}

/// A value whose column form only this program knows.
struct Temperature: PersistentValue, Equatable, Codable {
    static let columnType = ColumnType.real
    var celsius = 0.0

    init() {}
    init(databaseValue: DatabaseValue) throws {
        guard case .real(let kelvin) = databaseValue else { throw CocoaError(.coderInvalidValue) }
        celsius = kelvin - 273.15
    }
    var databaseValue: DatabaseValue { .real(celsius + 273.15) }
}

final class Firm: PersistentObject {
    @Unique var name = ""
    var city: String?
    @Inverse(\Worker.employer) var staff: [Worker] = []
}

final class Worker: PersistentObject {
    @Indexed var lastName = ""
    var nickname: String?
    var age = 0
    var small: Int8?
    var isActive = false
    var isMember: Bool?
    var height = 0.0
    var weight: Float?
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var died: Date?
    var token = UUID(uuidString: "00000000-0000-0000-0000-000000000000") ?? UUID()
    var site: URL?
    var photo = Data()
    var initial: Character = "?"
    @Column(scale: 2) var balance: Decimal = 0
    var wealth: Decimal?
    var status = Status.active
    var level: Level?
    var contact = Contact()
    @Embedded var home = Place()
    var warmth = Temperature()
    var employer: Firm?
    var tags: [String] = []
    var years: Set<Int> = []
    var ratings: [String: Double] = [:]
    var roles: [Status] = []
    var friends: [Worker] = []
    @Inverse(\Badge.owner) var badge: Badge?
    @Lazy var notes = ""
}

final class Badge: PersistentObject {
    var code = ""
    var owner: Worker?
}

final class Land: PersistentObject {
    override class var identity: Identity { .string }
    var name = ""
    var capital: City?
}

final class City: PersistentObject {
    override class var identity: Identity { .uuid }
    var name = ""
    var land: Land?
}

class Figure: PersistentObject {
    var name = ""
}

final class Ball: Figure {
    var radius = 1.0
}

/// A store with objects of all classes.
func makeStore(_ file: TemporaryStore, _ configuration: Store.Configuration = .init()) throws -> Store {
    let store = try file.open(configuration: configuration)
    try store.withSession { session in
        try session.transaction {
            let acme = Firm()
            (acme.name, acme.city) = ("Acme", "Graz")
            let globex = Firm()
            globex.name = "Globex"
            var workers: [Worker] = []
            for number in 0..<12 {
                let worker = Worker()
                worker.lastName = ["Smith", "smith", "Ärger", "O'Neil", "100%", "Jones"][number % 6]
                worker.nickname = number % 3 == 0 ? nil : "nick_\(number)"
                worker.age = 20 + number
                worker.small = number % 4 == 0 ? nil : Int8(number)
                worker.isActive = number % 2 == 0
                worker.isMember = number % 3 == 0 ? nil : number % 3 == 1
                worker.height = 1.5 + Double(number) / 16
                worker.weight = number % 5 == 0 ? nil : Float(number) + 0.5
                worker.born = Date(timeIntervalSinceReferenceDate: Double(number) * 86400)
                worker.died = number % 4 == 1 ? Date(timeIntervalSinceReferenceDate: 1e9 + Double(number)) : nil
                worker.token = UUID(uuidString: "6BA7B810-9DAD-41D1-80B4-00C04FD4300\(number % 10)") ?? UUID()
                worker.site = number % 2 == 0 ? URL(string: "https://example.org/\(number)") : nil
                worker.photo = Data([UInt8(number), 0xAB])
                worker.initial = Character(String(worker.lastName.prefix(1)))
                worker.balance = Decimal(number) + (Decimal(string: "0.25") ?? 0)
                worker.wealth = number % 3 == 2 ? nil : Decimal(string: "1000000000000000000\(number).5")
                worker.status = number % 4 == 3 ? .retired : .active
                worker.level = number % 3 == 0 ? nil : number % 3 == 1 ? .low : .high
                worker.contact.phone = "\(number)"
                worker.home = Place(city: number % 2 == 0 ? "Graz" : "Linz", zip: number % 3 == 0 ? nil : 8000 + number)
                worker.employer = number % 3 == 0 ? acme : number % 3 == 1 ? globex : nil
                worker.tags = (0..<number % 3).map { "t\($0)" }
                worker.years = number % 2 == 0 ? [1999, 2000 + number] : []
                worker.ratings = number % 4 == 0 ? ["x": 1.5, "y": Double(number)] : [:]
                worker.roles = number % 2 == 0 ? [.active] : []
                worker.friends = Array(workers.suffix(number % 3))
                worker.notes = "note \(number)"
                workers.append(worker)
                if number % 2 == 0 {
                    let badge = Badge()
                    (badge.code, badge.owner) = ("B\(number)", worker)
                    try badge.save()
                }
            }
            try session.save(workers)
            let land = try Land(key: "AT")
            land.name = "Austria"
            let city = try City(key: "6BA7B810-9DAD-41D1-80B4-00C04FD430C8")
            (city.name, city.land) = ("Vienna", land)
            land.capital = city
            try session.save([land])
            let (figure, ball) = (Figure(), Ball())
            (figure.name, ball.name, ball.radius) = ("plain", "round", 2.5)
            try session.save([figure, ball])
        }
    }
    return store
}

/// The output of a command of the inspector, and its exit status.
struct Inspection {
    let lines: [String]
    let status: Int32

    init(_ words: String...) throws { try self.init(words) }

    init(_ words: [String]) throws {
        let output = Recorder<String>()
        status = try InspectorCommand(words).run { output.add($0) }
        lines = output.all
    }

    var text: String { lines.joined(separator: "\n") }
}

/// The message of a command that fails.
func refusal(_ words: String...) -> String { refusal(words) }

func refusal(_ words: [String]) -> String {
    do {
        return "no error: \(try Inspection(words).text)"
    } catch { return "\(error)" }
}
