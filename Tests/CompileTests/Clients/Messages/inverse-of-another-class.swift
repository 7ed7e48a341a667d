// expect: no exact matches in call to initializer
// The key path of an inverse starts at the class of its objects.
import PersistentObjects

final class Town: PersistentObject {
    @Inverse(\Person.employer) var companies: [Company]
}
