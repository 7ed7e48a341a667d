import Foundation
import PersistentObjects

// The classes that the fault scripts store: every kind of property and of relation.

final class Orchestra: PersistentObject {
    @Unique var name = ""
    var founded: Int?
    var cities: [String] = []
    var awards: Set<Int> = []
    var ratings: [String: Double] = [:]
    var poster: [UInt8] = []
    // Weak, so that no reference cycle keeps unused objects alive.
    weak var leader: Musician?
    @OnDelete(.cascade) var concerts: [Concert] = []
    @Inverse(\Musician.orchestra) var musicians: [Musician]

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

class Musician: PersistentObject {
    @Indexed var name = ""
    var orchestra: Orchestra?
    @Inverse(\Instrument.owner, onDelete: .cascade) var instruments: [Instrument]

    convenience init(_ name: String) {
        self.init()
        self.name = name
    }
}

final class Soloist: Musician {
    var fee = 1.5
}

final class Instrument: PersistentObject {
    var kind = ""
    weak var owner: Musician?

    convenience init(_ kind: String) {
        self.init()
        self.kind = kind
    }
}

final class Concert: PersistentObject {
    var title = ""
    @Lazy var programme: Data?

    convenience init(_ title: String) {
        self.init()
        self.title = title
    }
}

/// Two versions of a class.
enum FirstHall {
    final class Hall: PersistentObject {
        var name = ""
        var seats = "0"
        var tag = ""
    }
}

enum SecondHall {
    final class Hall: PersistentObject {
        @Column("full_name", renamedFrom: "name") var fullName = ""
        var seats = 0
        var tag: [String] = []
        @Unique var code: Int?
    }
}

/// A class without a table in any file until a script uses it.
final class Visitor: PersistentObject {
    @Unique var name = ""
    var friends: [Visitor] = []
    var ticket: Ticket?
}

final class Ticket: PersistentObject {
    var price = 1
}
