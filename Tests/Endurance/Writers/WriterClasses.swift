import PersistentObjects

/// A number that all writers raise.
final class Counter: PersistentObject {
    @Unique var number = 0
    var value = 0
}

/// What one writer has done once.
final class Receipt: PersistentObject {
    @Indexed var writer = 0
    var serial = 0
    weak var counter: Counter?
}
