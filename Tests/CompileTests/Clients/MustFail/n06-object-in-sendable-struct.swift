// expect: stored property 'person' of 'Sendable'-conforming struct 'Holder' has non-Sendable type 'Person'
// compiles in: MainActor default
// Objects are not Sendable, so a type that contains an object is not Sendable either. (If the main actor is the
// default, the struct is isolated to it, and therefore safe.)
import PersistentObjects

struct Holder: Sendable {
    var person: Person
}
