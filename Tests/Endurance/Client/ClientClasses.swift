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

/// A class that many tasks use for the first time at once, as `Late2` and `Late3`.
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
