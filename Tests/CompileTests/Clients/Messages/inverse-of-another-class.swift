// expect: no exact matches in call to initializer
// The key path of an inverse begins at the class of its objects.
import PersistentObjects

final class Town: PersistentObject {
    @Inverse(\Person.employer) var companies: [Company]
}
