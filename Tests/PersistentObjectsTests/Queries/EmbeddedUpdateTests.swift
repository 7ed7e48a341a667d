import PersistentObjects
import TestSupport
import Testing

/// An update detects a field's new value even if it equals the default; an update that cannot detect it is refused.
@Suite struct EmbeddedUpdateTests {
    struct Inner: Codable, Equatable {
        var number = 0
    }
    enum Only: String, Codable { case one }

    struct Label: Codable, Equatable {
        var text = ""
        var inner: Inner?
        var tags: [String] = []
        var notes: [String]?
        var marks: [String: Int] = [:]
        var only = Only.one
    }

    final class Crate: PersistentObject {
        override class var tableName: String { "embedded_crate" }
        @Embedded var label = Label()
    }

    /// Its decoder accepts no placeholder value.
    struct Strict: Codable, Equatable {
        var text = "x"
        init() {}
        init(from decoder: any Decoder) throws {
            text = try decoder.singleValueContainer().decode(String.self)
            guard text.hasPrefix("x") else { throw Refused() }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
    struct Refused: Error {}

    struct Holder: Codable, Equatable {
        var name = ""
        var strict: [Strict] = []
        init() {}
    }

    final class Box: PersistentObject {
        override class var tableName: String { "embedded_box" }
        @Embedded var holder = Holder()
    }

    @Test func `an update can set a field to its default value`() throws {
        try withTemporarySession { session, _ in
            let crate = Crate()
            crate.label = Label(
                text: "a", inner: Inner(number: 3), tags: ["t"], notes: ["n"], marks: ["m": 1], only: .one)
            try crate.save()
            let sets: [((inout Assignments<Crate>) -> Void, (inout Label) -> Void)] = [
                ({ $0.label.inner = nil }, { $0.inner = nil }), ({ $0.label.tags = [] }, { $0.tags = [] }),
                ({ $0.label.notes = nil }, { $0.notes = nil }), ({ $0.label.marks = [:] }, { $0.marks = [:] }),
                ({ $0.label.text = "" }, { $0.text = "" }), ({ $0.label.only = .one }, { $0.only = .one }),
                ({ $0.label.inner = Inner(number: 5) }, { $0.inner = Inner(number: 5) }),
                ({ $0.label.tags = ["u", "v"] }, { $0.tags = ["u", "v"] }),
            ]
            var expected = crate.label
            for (set, change) in sets {
                try Crate.query.update(set)
                change(&expected)
                try session.reset()
                try expect(#require(try Crate.query.first()).label, expected)
            }
        }
    }

    @Test func `an update whose assignment cannot be detected throws, and the whole value can be set`() throws {
        try withTemporarySession { session, _ in
            let box = Box()
            box.holder.name = "a"
            box.holder.strict = [Strict()]
            try box.save()
            let error = #expect(throws: QueryError.self) { try Box.query.update { $0.holder.strict = [] } }
            let text = "\(String(describing: error))"
            #expect(text.contains("holder.strict, so it cannot detect") && text.contains("$0.holder = "))
            #expect(throws: QueryError.self) { try Box.query.update { $0.holder.name = "b" } }
            #expect(box.holder.strict.count == 1 && box.holder.name == "a")
            var holder = Holder()
            holder.name = "c"
            try Box.query.update { $0.holder = holder }
            #expect(box.holder == holder)
        }
    }
}
