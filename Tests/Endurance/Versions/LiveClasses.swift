import PersistentObjects

/// The first version of a class. `New` can use the same file. `Other` is incompatible with it.
enum Old {
    final class Guest: PersistentObject {
        @Unique var number = 0
        var name = ""
        var age: Int?
        var tags: [String] = []
    }
}

enum New {
    final class Guest: PersistentObject {
        @Unique var number = 0
        var name = ""
        @Indexed var age: Int?
        var tags: [String] = []
        var nick: String? = "none"
        var visits: [Int] = []
    }
}

enum Other {
    final class Guest: PersistentObject {
        @Unique var number = 0
        @Column("title", renamedFrom: "name") var title = ""
        var age = ""
        var tags: Set<String> = []
    }
}
