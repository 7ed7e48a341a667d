// expect: property 'id' with type 'UUID' cannot override a property with type 'Int64?'
// `id` is the one name that a class cannot reuse.
import Foundation
import PersistentObjects

final class Badge: PersistentObject {
    var id = UUID()
}
