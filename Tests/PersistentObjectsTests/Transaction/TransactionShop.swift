import Foundation
import PersistentObjects

/// The classes of the transaction tests, with properties of all types that a rollback must restore.
enum Shop {
    final class Customer: PersistentObject {
        override class var tableName: String { "shop_customer" }
        var name = ""
        @Unique var number: Int?
        var createdAt: Date?
        var updatedAt: Date?
        @Inverse(\Order.customer) var orders: [Order]
        @Inverse(\Card.holder, onDelete: .cascade) var card: Card?
        @Inverse(\Club.members) var clubs: [Club]
    }

    final class Card: PersistentObject {
        override class var tableName: String { "shop_card" }
        var number = 0
        var holder: Customer?
    }

    final class Club: PersistentObject {
        override class var tableName: String { "shop_club" }
        var name = ""
        var members: [Customer] = []
    }

    class Order: PersistentObject {
        override class var tableName: String { "shop_order" }
        var title = ""
        var customer: Customer?
        weak var adviser: Customer?
        @Lazy var payer: Customer?
        @Lazy var remarks: [String] = []
        @Lazy var receipt = Data()
        var tags: [String] = []
        var marks: Set<Int> = []
        var scores: [String: Int]?
        @OnDelete(.cascade) var lines: [Line] = []
        var extras: Set<Line> = []
        var shelf: [String: Line] = [:]
        var details = Details()
    }

    final class Rush: Order {
        var deadline: Date?
        var helper: Order?
    }

    final class Line: PersistentObject {
        override class var tableName: String { "shop_line" }
        var text = ""
        var amount = 1
    }

    /// A value that contains an instance, which can change without the property being set.
    struct Details: Codable {
        var counter = Counter()
        var note = ""
    }

    final class Counter: Codable, CustomStringConvertible {
        var count = 0
        var description: String { "\(count)" }
    }

    final class Account: PersistentObject {
        override class var tableName: String { "shop_account" }
        var owner = ""
        var balance = 0
        @Unique var number: Int?
        var tags: [String] = []
        var note = Note()
        struct Note: Codable, Equatable { var text = "" }
    }

    final class Token: PersistentObject {
        override class var tableName: String { "shop_token" }
        override class var identity: Identity { .uuid }
        var text = ""
    }

    final class Memo: PersistentObject {
        override class var tableName: String { "shop_memo" }
        override class var softDeletes: Bool { true }
        var text = ""
        var deletedAt: Date?
        @OnDelete(.cascade) var parts: [Memo] = []
    }

    static func customer(_ name: String) -> Customer {
        let customer = Customer()
        customer.name = name
        return customer
    }

    static func account(_ owner: String, _ balance: Int = 0) -> Account {
        let account = Account()
        account.owner = owner
        account.balance = balance
        return account
    }

    static func line(_ text: String) -> Line {
        let line = Line()
        line.text = text
        return line
    }

    static func order<T: Order>(_ title: String, of type: T.Type = T.self) -> T {
        let order = T()
        order.title = title
        return order
    }
}
