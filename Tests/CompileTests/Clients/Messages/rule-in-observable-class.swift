// expect: property wrapper cannot be applied to a computed property
// In an `@Observable` class, `class var deleteRules` replaces `@OnDelete`.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @OnDelete(.cascade) var owner: Person? = nil
}
