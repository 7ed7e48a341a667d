// expect: 'required' initializer 'init()' must be provided by subclass of 'PersistentObject'
// A class with a designated initializer must also declare `required init()`.
import PersistentObjects

final class Badge: PersistentObject {
    var number: Int

    init(number: Int) {
        self.number = number
        super.init()
    }
}
