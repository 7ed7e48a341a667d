import PersistentObjects

/// Two versions of a class that can both use the file, and a third that the first cannot live with.
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
