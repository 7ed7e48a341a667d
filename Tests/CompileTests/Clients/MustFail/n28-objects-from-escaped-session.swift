// expect: non-Sendable 'Person?'-typed result can not be returned from actor-isolated instance method
// A background session returned from `perform` cannot return its objects to other isolations.
import PersistentObjects

extension BackgroundSession {
    func person(_ id: Int64) throws -> Person? { try Person.find(id) }
}

func leak(_ store: Store) async throws {
    let escaped = try await store.perform { session in session }
    let person = try await escaped.person(1)
    print(person as Any)
}
