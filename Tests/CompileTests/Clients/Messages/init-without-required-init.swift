// expect: 'required' initializer 'init()' must be provided by subclass of 'PersistentObject'
// A designated initializer needs `required init()` beside it.
import PersistentObjects

final class Badge: PersistentObject {
    var number: Int

    init(number: Int) {
        self.number = number
        super.init()
    }
}
