import Foundation
import PersistentObjects

// The classes for the engine faults, with each kind of property and of relation once.

final class FaultClub: PersistentObject {
    override class var tableName: String { "fault_club" }
    override class var identity: Identity { .string }
    var name = ""
    var rules: [String] = []
    @Inverse(\FaultMember.club) var members: [FaultMember]
}

class FaultMember: PersistentObject {
    override class var tableName: String { "fault_member" }
    override class var versionProperty: AnyKeyPath? { \FaultMember.version }
    @Indexed var name = ""
    @Unique var email: String?
    var age: Int?
    var weight = 0.0
    var born: Date?
    var version = 0
    var club: FaultClub?
    weak var friend: FaultMember?
    @Lazy var photo: Data?
    @Lazy var mentor: FaultMember?
    var tags: Set<String> = []
    var scores: [String: Int] = [:]
    @OnDelete(.cascade) var letters: [FaultLetter] = []
    var byName: [String: FaultClub] = [:]
}

final class FaultTrainer: FaultMember {
    var level = 1
    var trained: Set<FaultMember> = []
}

final class FaultLetter: PersistentObject {
    override class var tableName: String { "fault_letter" }
    override class var identity: Identity { .uuid }
    override class var softDeletes: Bool { true }
    @Searchable var text = ""
    var deletedAt: Date?
    var about: FaultMember?
}

/// An existing table.
final class FaultLine: PersistentObject {
    override class var tableName: String { "FaultLine" }
    override class var origin: TableOrigin { .existing }
    @Column("Quantity") var quantity = 0
    @Column("Product") var product: FaultProduct?

    static let tables = [
        "CREATE TABLE FaultProduct (Code TEXT PRIMARY KEY, Name TEXT)",
        """
        CREATE TABLE FaultLine (LineID INTEGER PRIMARY KEY, Quantity INTEGER NOT NULL,
            Product TEXT REFERENCES FaultProduct (Code))
        """,
        "INSERT INTO FaultProduct VALUES ('A', 'Apple'), ('B', 'Bread')",
        "INSERT INTO FaultLine VALUES (1, 10, 'A'), (2, 20, 'B'), (3, 30, 'A')",
    ]
}

final class FaultProduct: PersistentObject {
    override class var tableName: String { "FaultProduct" }
    override class var origin: TableOrigin { .existing }
    override class var primaryKey: [AnyKeyPath] { [\FaultProduct.code] }
    @Column("Code") var code = ""
    @Column("Name") var name: String?
    @Inverse(\FaultLine.product) var lines: [FaultLine]
}

/// The tables of the members in a later version of the program.
enum FaultLater {
    final class Club: PersistentObject {
        override class var tableName: String { "fault_club" }
        override class var identity: Identity { .string }
        var name: String? = ""
        var rules: Set<String> = []
        var founded = 1900
    }

    final class Member: PersistentObject {
        override class var tableName: String { "fault_person" }
        override class var formerTableNames: [String] { ["fault_member"] }
        @Column("full_name", renamedFrom: "name") var name = ""
        @Unique var email: String?
        var age: Double?
        var weight = "0"
        var tags: [String] = []
        var club: Club?
    }
}
