// expect: class 'Badge' has no initializers
// A stored property needs a value to start with.
import PersistentObjects

final class Badge: PersistentObject {
    var number: Int
}
