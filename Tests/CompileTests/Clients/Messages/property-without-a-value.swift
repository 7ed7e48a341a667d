// expect: class 'Badge' has no initializers
// A stored property needs an initial value.
import PersistentObjects

final class Badge: PersistentObject {
    var number: Int
}
