// expect: type 'DeleteRule' has no member 'casade'
import PersistentObjects

final class Badge: PersistentObject {
    @OnDelete(.casade) var owner: Person? = nil
}
