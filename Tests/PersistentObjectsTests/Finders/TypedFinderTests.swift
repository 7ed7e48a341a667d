import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// Typed finders: each method for each type of property.
struct TypedFinderTests {
    enum Status: String, Codable { case active, retired }
    enum Plain: Codable { case one, two }
    struct Point: Codable, Equatable { var x = 0 }

    class Base: PersistentObject {
        override class var isAbstract: Bool { self == Base.self }
        var inherited = ""
        @Indexed var wrapped = 0
    }

    final class Thing: Base {
        override class var tableName: String { "thing" }
        var text = ""
        var maybeText: String?
        var number = 0
        var maybe: Int?
        var small: UInt8 = 0
        var double = 0.0
        var float: Float = 0
        var isOn = false
        var maybeOn: Bool?
        var status = Status.active
        var maybeStatus: Status?
        var plain = Plain.one
        var date = Date(timeIntervalSinceReferenceDate: 0)
        var maybeDate: Date?
        var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        var url = URL(filePath: "/")
        var price = Decimal(0)
        var data = Data()
        var bytes: [UInt8] = []
        var letter: Character = "a"
        var point = Point()
        @Unique @Column("mail") var email: String? = nil
        @Transient var transient = 0
        var shout: String { text.uppercased() }
        var alias: String {
            get { text }
            set { text = newValue }
        }
        let constant = 5
    }

    private func withThings(_ body: (Session, [Thing]) throws -> Void) throws {
        try withTemporarySession { session, _ in
            let things = [Thing(), Thing(), Thing()]
            for thing in things[..<2] {
                thing.inherited = "base"
                (thing.wrapped, thing.text, thing.maybeText, thing.number, thing.maybe) = (1, "x", "y", 2, 3)
                (thing.small, thing.double, thing.float, thing.isOn, thing.maybeOn) = (4, 5.5, 6.5, true, false)
                (thing.status, thing.maybeStatus, thing.plain) = (.retired, .active, .two)
                thing.date = Date(timeIntervalSinceReferenceDate: 7)
                thing.maybeDate = thing.date
                thing.uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8))
                (thing.url, thing.price, thing.data) = (URL(filePath: "/x"), Decimal(9), Data([1]))
                (thing.bytes, thing.letter, thing.point) = ([2], "b", Point(x: 3))
            }
            things[1].email = "a@b.c"
            try session.save(things)
            try body(session, things)
        }
    }

    @Test func `findBy finds values of each type`() throws {
        try withThings { _, things throws in
            let two = Array(things[..<2])
            let date = Date(timeIntervalSinceReferenceDate: 7)
            let uuid = two[0].uuid
            let answers = [
                try Thing.findBy.inherited("base"), try Thing.findBy.wrapped(1), try Thing.findBy.text("x"),
                try Thing.findBy.maybeText("y"), try Thing.findBy.number(2), try Thing.findBy.maybe(3),
                try Thing.findBy.small(4), try Thing.findBy.double(5.5), try Thing.findBy.float(6.5),
                try Thing.findBy.isOn(true), try Thing.findBy.maybeOn(false), try Thing.findBy.status(.retired),
                try Thing.findBy.maybeStatus(.active), try Thing.findBy.plain(.two), try Thing.findBy.date(date),
                try Thing.findBy.maybeDate(date), try Thing.findBy.uuid(uuid),
                try Thing.findBy.url(URL(filePath: "/x")),
                try Thing.findBy.price(9), try Thing.findBy.data(Data([1])), try Thing.findBy.bytes([2]),
                try Thing.findBy.letter("b"), try Thing.findBy.point(Point(x: 3)),
            ]
            for (index, answer) in answers.enumerated() { expect(answer, two, "\(index)") }
        }
    }

    @Test func `nil finds objects without a value`() throws {
        try withThings { _, things throws in
            let last = [things[2]]
            let variable: Int? = nil
            let answers = [
                try Thing.findBy.maybeText(nil), try Thing.findBy.maybe(nil), try Thing.findBy.maybe(variable),
                try Thing.findBy.maybeOn(nil), try Thing.findBy.maybeStatus(nil), try Thing.findBy.maybeDate(nil),
            ]
            for (index, answer) in answers.enumerated() { expect(answer, last, "\(index)") }
            #expect(try Thing.countBy.email(nil) == 2 && Thing.findBy.email("a@b.c") == [things[1]])
        }
    }

    @Test func `each typed finder method returns its own result type`() throws {
        try withThings { _, things throws in
            #expect(try Thing.findFirstBy.text("x") === things[0])
            #expect(try Thing.findFirstBy.maybe(nil) === things[2])
            #expect(try Thing.findFirstBy.text("nobody") == nil)
            #expect(try Thing.findOnlyBy.email("a@b.c") === things[1])
            let none = #expect(throws: StoreError.self) { try Thing.findOnlyBy.email("x") }
            let several = #expect(throws: StoreError.self) { try Thing.findOnlyBy.text("x") }
            #expect(none?.code == .notFound && several?.code == .severalFound && several?.className == "Thing")
            #expect(try Thing.countBy.number(2) == 2 && Thing.countBy.maybe(nil) == 1 && Thing.countBy.text("") == 1)
            #expect(try Thing.existsBy.status(.retired) && !Thing.existsBy.text("nobody") && Thing.existsBy.isOn(false))
            #expect(try Thing.deleteBy.text("nobody") == 0 && Thing.deleteBy.maybe(nil) == 1)
            #expect(things[2].isDeleted && !things[0].isDeleted)
            try Thing.deleteBy.status(.retired)
            try expect(Thing.count(), 0)
        }
    }

    @Test func `findBy.id finds the object, and nil finds nothing`() throws {
        try withThings { _, things throws in
            #expect(try Thing.findBy.id(2) == [things[1]] && Thing.findFirstBy.id(3) === things[2])
            #expect(try Thing.findBy.id(nil).isEmpty && Thing.countBy.id(9) == 0 && Thing.existsBy.id(1))
            #expect(try Thing.deleteBy.id(1) == 1 && things[0].isDeleted)
        }
    }

    @Test func `a computed property that only forwards to a stored property works like it`() throws {
        try withThings { _, things throws in
            try expect(Thing.findBy.alias("x"), [things[0], things[1]])
        }
    }

    @Test func `a property that is not stored throws with an explanation before any SQL runs`() throws {
        try withThings { session, _ throws in
            let log = statements(of: session) {
                for find in [
                    { try Thing.findBy.shout("X") }, { try Thing.findBy.transient(0) },
                    { try Thing.findBy.constant(5) },
                ] {
                    let error = #expect(throws: FinderError.self) { try find() }
                    guard case .notStoredProperty("Thing", _, .computed)? = error else {
                        Issue.record("\(String(describing: error))")
                        continue
                    }
                    #expect(error?.description.contains("only stored properties can be looked up") == true)
                }
                let delete = #expect(throws: FinderError.self) { try Thing.deleteBy.shout("X") }
                #expect(delete?.description.hasPrefix("Thing: ") == true)
            }
            #expect(log.isEmpty)
            let counts = try [Thing.countBy.number(2), Thing.countBy.text("x")]
            #expect(counts == [2, 2], "probing leaves no trace")
        }
    }

    @Test func `a value that no column can hold throws an error that names the property`() throws {
        try withThings { session, _ throws in
            let error = #expect(throws: StoreError.self) { try Thing.findBy.double(.nan) }
            #expect(error?.code == .notRepresentable && error?.property == "double" && error?.className == "Thing")
            #expect(throws: StoreError.self) { try Thing.deleteBy.float(.nan) }
            #expect(try Thing.findBy.double(.infinity).isEmpty && Thing.count() == 3)
            expect(session.busyStatementCount, 0)
        }
    }

    @Test func `a typed finder is planned once per property, and its statement is prepared once`() throws {
        try withThings { session, things throws in
            let space = try session.space(of: Thing.self)
            _ = try Thing.findBy.text("x")
            struct Made: Error {}
            let plan = try space.equalities.plan(for: \Thing.text) { throw Made() }
            let statement = try plan.selectStatement(space)
            statement.finish()
            for text in ["x", "y", "", "z"] { _ = try Thing.findBy.text(text) }
            #expect(try space.equalities.plan(for: \Thing.text) { throw Made() } === plan)
            let again = try plan.selectStatement(space)
            again.finish()
            #expect(again === statement)
            let log = try statements(of: session) { _ = try Thing.findBy.text("x") }
            #expect(log == [plan.select.text] && plan.select.text.hasSuffix(#" WHERE "thing"."text" = ?1"#))
            #expect(things.count == 3)
        }
    }

    @Test func `classes that inherit a property have separate plans for it`() throws {
        final class Other: Base {
            override class var tableName: String { "other_things" }
        }
        try withThings { _, things throws in
            let other = Other()
            other.inherited = "base"
            try other.save()
            #expect(try Other.findBy.inherited("base") == [other] && Other.findBy.wrapped(0) == [other])
            try expect(Thing.findBy.inherited("base"), [things[0], things[1]])
        }
    }

    @Test func `an abstract class cannot be queried`() throws {
        try withThings { _, _ throws in
            let error = #expect(throws: SchemaError.self) { try Base.findBy.inherited("base") }
            expect(error, .isAbstract(className: "Base"))
            #expect(throws: SchemaError.self) { try Base.findByInherited("base") }
            #expect(throws: SchemaError.self) { try Base.all() }
        }
    }
}
