import Foundation
import TestSupport
import Testing

/// An edit, and whether it counts as a change.
struct Edit: Sendable, CustomTestStringConvertible {
    let name: String
    let property: String
    let isSeen: Bool
    let change: @Sendable (Subject) -> Void

    static func seen(_ name: String, _ property: String, _ change: @escaping @Sendable (Subject) -> Void) -> Edit {
        Edit(name: name, property: property, isSeen: true, change: change)
    }
    static func notSeen(_ name: String, _ property: String, _ change: @escaping @Sendable (Subject) -> Void) -> Edit {
        Edit(name: name, property: property, isSeen: false, change: change)
    }
    var testDescription: String { name }
}

/// The same string in another buffer.
func rebuilt(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }

let edits: [Edit] = [
    .seen("another text", "text") { $0.text = "other" },
    .seen("a longer text", "text") { $0.text += " and much more than fits inline" },
    .seen("another long text", "long") { $0.long.append("!") },
    .notSeen("an equal text in another buffer", "long") { $0.long = rebuilt($0.long) },
    .notSeen("an equal text that had more room", "text") { subject in
        var text = String(repeating: "x", count: 100)
        text.removeAll(keepingCapacity: true)
        text += subject.text
        subject.text = text
    },
    .seen("NFC to NFD", "accented") { $0.accented = "cafe\u{301}" },
    .seen("NFC to NFD in a character", "letter") { $0.letter = "e\u{301}" },
    .seen("NFC to NFD in a substring", "cut") { $0.cut = "cafe\u{301}" },
    .seen("NFC to NFD in an element", "texts") { $0.texts[0] = "cafe\u{301}" },
    .notSeen("an equal substring of another text", "cut") { $0.cut = "a caf\u{e9}".dropFirst(2) },
    .seen("nil to empty", "maybe") { $0.maybe = "" },
    .seen("nil to zero", "maybeNumber") { $0.maybeNumber = 0 },
    .seen("nil to 0.0", "maybeReal") { $0.maybeReal = 0 },
    .seen("nil to a date", "maybeDate") { $0.maybeDate = Date(timeIntervalSinceReferenceDate: 0) },
    .notSeen("nil over junk", "maybeNumber") { subject in
        subject.maybeNumber = -1
        subject.maybeNumber = nil
    },
    .notSeen("there and back", "number") { subject in
        subject.number = 2
        subject.number = 1
    },
    .seen("one bit", "number") { $0.number ^= 1 << 63 },
    .seen("a small number beside others", "small") { $0.small = -1 },
    .seen("0.0 to -0.0", "real") { $0.real = -0.0 },
    .seen("0.0 to -0.0 in a Float", "single") { $0.single = -0.0 },
    .seen("0.0 to -0.0 in an element", "reals") { $0.reals[0] = -0.0 },
    .seen("the least number", "real") { $0.real = .leastNonzeroMagnitude },
    .seen("NaN", "real") { $0.real = .nan },
    .seen("NaN in an array", "reals") { $0.reals = [.nan] },
    .seen("a flag", "flag") { $0.flag.toggle() },
    .seen("a date", "date") { $0.date += 0.001 },
    .seen("a UUID", "uuid") { $0.uuid = UUID() },
    .notSeen("an equal UUID", "uuid") { $0.uuid = UUID(uuidString: $0.uuid.uuidString) ?? UUID() },
    .seen("a decimal", "price") { $0.price += 1 },
    .notSeen("1.0 for 1", "price") { $0.price = Decimal(sign: .plus, exponent: -1, significand: 10) },
    .notSeen("1.00 for 1", "price") { $0.price = Decimal(string: "1.00") ?? 0 },
    .seen("a URL", "link") { $0.link = URL(filePath: "/a/c") },
    .notSeen("the same URL, relative to a base", "link") {
        $0.link = URL(string: "b", relativeTo: URL(string: "file:///a/")) ?? $0.link
    },
    .seen("a byte", "data") { $0.data[1] = 9 },
    .seen("a byte through a pointer", "data") {
        $0.data.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in bytes[0] = 9 }
    },
    .notSeen("equal bytes in another buffer", "data") { $0.data = Data([0, 1, 2, 3]).dropFirst() },
    .seen("an element of bytes", "bytes") { $0.bytes[0] = 9 },
    .seen("an element", "numbers") { $0.numbers[2] = 9 },
    .seen("an element through a pointer", "numbers") { $0.numbers.withUnsafeMutableBufferPointer { $0[0] = 9 } },
    .seen("an element more", "numbers") { $0.numbers.append(4) },
    .notSeen("sorting what is sorted", "numbers") { $0.numbers.sort() },
    .notSeen("equal elements in another buffer", "numbers") { $0.numbers = Array(1...3) },
    .seen("a value of a dictionary", "scores") { $0.scores["a"] = 9 },
    .seen("a key more", "scores") { $0.scores["d"] = 4 },
    .notSeen("another order of keys", "scores") { subject in
        var other = [String: Int](minimumCapacity: 1000)
        for (key, value) in subject.scores.sorted(by: { $0.key > $1.key }) { other[key] = value }
        subject.scores = other
    },
    .notSeen("another order of keys that are no text", "byUUID") { subject in
        var other = [UUID: Int](minimumCapacity: 1000)
        for (key, value) in subject.byUUID.sorted(by: { $0.value > $1.value }) { other[key] = value }
        subject.byUUID = other
    },
    .seen("a value for a key that is no text", "byUUID") { subject in
        for key in subject.byUUID.keys where subject.byUUID[key] == 7 { subject.byUUID[key] = 8 }
    },
    .seen("an element of a set", "set") { $0.set.insert("e") },
    .notSeen("another order of a set", "set") { subject in
        var other = Set<String>(minimumCapacity: 1000)
        for text in subject.set.sorted(by: >) { other.insert(text) }
        subject.set = other
    },
    .notSeen("another order of an optional set", "maybeSet") {
        $0.maybeSet = Set((0..<100).reversed()).filter { $0 < 20 }
    },
    .seen("NFC to NFD in a set", "set") { subject in
        subject.set.remove("a")
        subject.set.insert("a\u{301}")
    },
    .notSeen("padding", "padded") { subject in
        withUnsafeMutableBytes(of: &subject.padded) { bytes in for index in 1..<8 { bytes[index] = 0xEE } }
    },
    .seen("a field of a structure", "padded") { $0.padded.number = 9 },
    .seen("a field that the user's == ignores", "lenient") { $0.lenient.name = "b" },
    .seen("the payload of an enumeration", "shape") { $0.shape = .circle(2) },
    .seen("another case of the same bits", "shape") { $0.shape = .label("1") },
    .notSeen("the same case made again", "shape") { $0.shape = .circle(Double("1") ?? 0) },
    .notSeen("a text payload made again", "maybeShape") { $0.maybeShape = .both(0, String("b".reversed())) },
    .seen("zero to minus zero in a payload", "maybeShape") { $0.maybeShape = .both(-0.0, "b") },
    .seen("NFC to NFD in a payload", "maybeShape") { subject in
        subject.maybeShape = .both(0, "caf\u{e9}")
        subject.maybeShape = .both(0, "cafe\u{301}")
    },
    .seen("a case without a payload", "maybeShape") { $0.maybeShape = Shape.none },
    .seen("an enumeration to nil", "maybeShape") { $0.maybeShape = nil },
    .seen("a payload in an array of arrays", "shapes") { $0.shapes[0][0] = .label("b") },
    .seen("a payload in a box", "branch") { $0.branch = .fork(left: .leaf(1, ["a"]), right: nil) },
    .seen("a payload deep in boxes", "branch") { subject in
        guard case .fork(let left, _) = subject.branch, case .leaf(let number, var texts) = left else { return }
        texts[0] += "b"
        subject.branch = .fork(left: .leaf(number, texts), right: nil)
    },
    .notSeen("boxes made again", "branch") { $0.branch = .fork(left: .leaf(0, ["a"]), right: nil) },
    .seen("a class in a payload changed in place", "remark") { subject in
        if case .note(let note) = subject.remark { note.text = "m" }
    },
    .notSeen("another instance in a payload that says the same", "remark") { $0.remark = .note(SharedNote()) },
    .seen("a structure in one of its own type", "category") { $0.category.parts[0].name = "c" },
    .seen("a Codable class changed in place", "note") { $0.note.text = "m" },
    .seen("an array in a Codable class", "note") { $0.note.list[0] = 2 },
    .notSeen("another instance that says the same", "note") { $0.note = SharedNote() },
    .seen("nil to an instance", "maybeNote") { $0.maybeNote = SharedNote() },
    .seen("a class inside a structure changed in place", "holder") { $0.holder.note.text = "m" },
    .seen("a structure beside its class", "holder") { $0.holder.number = 2 },
    .seen("a class inside an array changed in place", "notes") { $0.notes[1].list.append(2) },
    .seen("a value of the user's", "temperature") { $0.temperature.degrees = 21 },
    .seen("a class of the user's changed in place", "counter") { $0.counter.count = 2 },
    .notSeen("another instance of the user's that says the same", "counter") { $0.counter = Counter(1) },
    .seen("a lane of a vector", "vector") { $0.vector[3] = 1 },
]
