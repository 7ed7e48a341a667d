// Values declared without annotations in a module whose default isolation is the main actor, and custom value types.
import Foundation
import PersistentObjects

struct Address: Codable, Equatable {
    var street = ""
    var lines: [String] = []
}

enum Status: String, Codable {
    case active
    case retired
}

final class Person: PersistentObject {
    var address = Address()
    var former: [Address] = []
    var status = Status.active
    var statuses: [String: Status] = [:]
    var temperature = Celsius(degrees: 20)
    var coldest: Celsius?
}

nonisolated struct Celsius: PersistentValue, Equatable {
    var degrees: Double

    static var columnType: ColumnType { .real }

    init(degrees: Double) { self.degrees = degrees }

    init(databaseValue: DatabaseValue) throws {
        guard case .real(let degrees) = databaseValue else { throw NotCelsius() }
        self.degrees = degrees
    }

    var databaseValue: DatabaseValue { .real(degrees) }
}

nonisolated struct NotCelsius: Error {}

func use() throws {
    let person = Person()
    person.address.street = "x"
    person.former.append(person.address)
    person.status = .retired
    print(try Person.findBy.status(.active), try Person.findByStatus(Status.active), person.coldest as Any)
}
