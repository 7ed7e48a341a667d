import PersistentObjects

/// A number that all writers increment.
final class Counter: PersistentObject {
    @Unique var number = 0
    var value = 0
}

/// The record of one increment by one writer.
final class Receipt: PersistentObject {
    @Indexed var writer = 0
    var serial = 0
    weak var counter: Counter?
}
