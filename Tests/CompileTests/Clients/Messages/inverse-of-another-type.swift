// expect: no exact matches in call to initializer
// The key path of an inverse leads to a reference or a collection of references.
import PersistentObjects

final class Town: PersistentObject {
    @Inverse(\Company.name) var companies: [Company]
}
