// expect: conformance of 'LazyMapSequence<Base, Element>' to 'Sendable' is unavailable
// expect: as a 'sending' result risks causing data races
// A lazy collection carries the objects that it is to map.
import PersistentObjects

func leak(_ store: Store) async throws {
    let names = try await store.perform { session in
        let people = try Person.all()
        return people.lazy.map(\.lastName)
    }
    print(names.count)
}
