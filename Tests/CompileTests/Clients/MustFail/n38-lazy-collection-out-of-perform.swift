// expect: conformance of 'LazyMapSequence<Base, Element>' to 'Sendable' is unavailable
// expect: as a 'sending' result risks causing data races
// A lazy collection holds the objects that it maps.
import PersistentObjects

func leak(_ store: Store) async throws {
    let names = try await store.perform { session in
        let people = try Person.all()
        return people.lazy.map(\.lastName)
    }
    print(names.count)
}
