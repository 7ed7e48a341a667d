// expect: property 'id' with type 'UUID' cannot override a property with type 'Int64?'
// `id` is the only reserved property name.
import Foundation
import PersistentObjects

final class Badge: PersistentObject {
    var id = UUID()
}
