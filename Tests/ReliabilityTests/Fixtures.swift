import Foundation
import PersistentObjects
import TestSupport
import Testing

/// The class that the stores of these tests hold.
final class Person: PersistentObject {
    override class var tableName: String { "person" }
    @Indexed var lastName = ""
    var age: Int?
    var weight = 0.0
    var picture: [UInt8] = []
}

extension Store.Configuration {
    /// For tests that drop edits on purpose.
    static var quiet: Store.Configuration { .init(lostEdits: .ignore) }

    /// Drops edits as well, with this busy timeout.
    static func waiting(_ time: Duration) -> Store.Configuration { .init(busyTimeout: time, lostEdits: .ignore) }
}

extension TemporaryStore {
    /// Fills the file with people and closes it.
    func fill(_ count: Int = 50) throws {
        let store = try open(configuration: .quiet)
        try store.withSession { session throws in
            try session.save(
                (0..<count).map { number in
                    let person = Person()
                    person.lastName = "Name \(number)"
                    person.age = number
                    person.picture = [UInt8](repeating: UInt8(number % 256), count: 100)
                    return person
                })
        }
    }

    /// The bytes of the file.
    var contents: Data {
        get throws { try Data(contentsOf: URL(filePath: path)) }
    }

    /// Replaces the file.
    func write(_ data: Data) throws { try data.write(to: URL(filePath: path)) }

    /// The number of people in the file, according to the `sqlite3` tool.
    var peopleCount: Int? {
        get throws { Int(try sqlite("SELECT count(*) FROM person")) }
    }
}

/// Returns a new person with a name.
func person(_ lastName: String) -> Person {
    let person = Person()
    person.lastName = lastName
    return person
}

/// The code of the `StoreError` that `body` throws, or nil if it throws none.
func code(of body: () throws -> Void) -> StoreError.Code? {
    do { try body() } catch let error as StoreError { return error.code } catch { return nil }
    return nil
}
