// expect: property wrapper cannot be applied to a computed property
// An `@Observable` class cannot have property wrappers. Each has a replacement in the class.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Indexed var number = 0
}
