// expect: property wrapper cannot be applied to a computed property
// expect: invalid redeclaration of synthesized property
// `@Inverse` cannot be used in an `@Observable` class either.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Inverse(\Person.employer) var people: [Person] = []
}
