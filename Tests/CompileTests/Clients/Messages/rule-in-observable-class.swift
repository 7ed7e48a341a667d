// expect: property wrapper cannot be applied to a computed property
// The twin of `@OnDelete` is `class var deleteRules`.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @OnDelete(.cascade) var owner: Person? = nil
}
