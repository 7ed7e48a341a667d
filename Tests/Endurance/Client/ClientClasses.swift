import PersistentObjects

class Shape: PersistentObject {
    var name = ""
    var size = 0
}

final class Circle: Shape {
    var radius = 1.0
}

class Polygon: Shape {
    var corners: [Int] = []
}

final class Square: Polygon {
    @OnDelete(.cascade) var label: Label?
}

final class Label: PersistentObject {
    var text = ""
}

/// Classes that are first used by many tasks at once.
final class Late1: PersistentObject {
    var number = 0
    @Indexed var tag = ""
}

final class Late2: PersistentObject {
    var number = 0
    var late: Late1?
}

final class Late3: PersistentObject {
    var number = 0
    var list: [Late2] = []
}
