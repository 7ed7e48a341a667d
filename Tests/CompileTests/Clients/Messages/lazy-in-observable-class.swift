// expect: property wrapper cannot be applied to a computed property
// expect: invalid redeclaration of synthesized property
// `@Lazy` has no twin: it needs a place for what is not loaded yet.
import Observation
import PersistentObjects

@Observable final class Badge: PersistentObject {
    @Lazy var picture: [UInt8]?
}
