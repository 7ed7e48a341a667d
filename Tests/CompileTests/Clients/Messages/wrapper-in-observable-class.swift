// expect: property wrapper cannot be applied to a computed property
// Beside `@Observable` no wrapper can stand: each has a twin on the class.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Indexed var number = 0
}
