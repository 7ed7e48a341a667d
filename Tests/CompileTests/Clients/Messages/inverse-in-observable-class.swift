// expect: property wrapper cannot be applied to a computed property
// expect: invalid redeclaration of synthesized property
// Nor has `@Inverse` a twin.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Inverse(\Person.employer) var people: [Person] = []
}
