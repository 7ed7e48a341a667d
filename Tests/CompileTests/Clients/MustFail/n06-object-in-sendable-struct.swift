// expect: stored property 'person' of 'Sendable'-conforming struct 'Holder' has non-Sendable type 'Person'
// compiles in: MainActor default
// Objects are not Sendable, so what holds one is not either. (Where the main actor is the default, the struct
// is isolated to it, and safe.)
import PersistentObjects

struct Holder: Sendable {
    var person: Person
}
