import Foundation
import PersistentObjects

/// The kind of identity of a class.
protocol TransferIdentity {
    static var identity: PersistentObject.Identity { get }
    static var table: String { get }
}

enum Automatic: TransferIdentity {
    static let identity = PersistentObject.Identity.integer
    static let table = "numbered"
}

enum Given: TransferIdentity {
    static let identity = PersistentObject.Identity.given
    static let table = "given"
}

enum Worded: TransferIdentity {
    static let identity = PersistentObject.Identity.string
    static let table = "worded"
}

enum Unique16: TransferIdentity {
    static let identity = PersistentObject.Identity.uuid
    static let table = "unique16"
}

/// A class with properties of every kind, which refers to itself and to the classes of all identities.
class Node<I: TransferIdentity>: PersistentObject {
    override class var identity: Identity { I.identity }
    override class var tableName: String { I.table }

    /// The number of the object in its graph.
    @Unique var tag = 0

    var int = Int.start
    var int8 = Int8.start
    var uint64 = UInt64.start
    var flag = Bool.start
    var double = Double.start
    var float = Float.start
    var text = String.start
    var character = Character.start
    var url = URL.start
    var decimal = Decimal.start
    @Column(scale: 2) var price = Decimal(0)
    var data = Data.start
    var bytes: [UInt8] = [2]
    var uuid = UUID.start
    var date = Date.start
    var word = WordCase.a
    var number = NumberCase.one
    var compound = Compound()
    @Embedded var place = Compound()
    @Embedded var perhapsPlace: Compound?
    var celsius = Celsius.start

    var perhapsInt: Int?
    var perhapsDouble: Double?
    var perhapsText: String?
    var perhapsDecimal: Decimal?
    var perhapsData: Data?
    var perhapsDate: Date?
    var perhapsCompound: Compound?
    var perhapsFlag: Bool?

    var ints: [Int] = []
    var perhapsInts: [Int]?
    var someTexts: [String?] = []
    var doubles: Set<Double> = []
    var texts: Set<String> = []
    var datas: [Data] = []
    var dates: [String: Date] = [:]
    var decimals: [Int: Decimal] = [:]
    var words: [WordCase] = []
    var compounds: [Compound] = []

    // These refer to classes of the same and of other identities.
    var next: Node<I>?
    var friends: [Node<I>] = []
    var circle: Set<Node<I>> = []
    var named: [String: Node<I>] = [:]
    var toNumbered: Node<Automatic>?
    var toGiven: Node<Given>?
    var toWorded: Node<Worded>?
    var toUnique: Node<Unique16>?
    var manyGiven: [Node<Given>] = []
    var manyWorded: Set<Node<Worded>> = []
    var manyUnique: [Int: Node<Unique16>] = [:]
}

/// A subclass with additional columns.
final class Leaf<I: TransferIdentity>: Node<I> {
    var extra: [Double] = []
    var note: String?
    var twin: Leaf<I>?
}
