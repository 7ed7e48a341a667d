// expect: property wrapper cannot be applied to a computed property
// expect: invalid redeclaration of synthesized property
// `@Lazy` has no class-level replacement, because it needs storage for the unloaded state.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Lazy var picture: [UInt8]?
}
