import PersistentObjects
import PersistentObjectsTesting

/// The error if the library and the model differ.
struct ModelDifference: Error {
    let text: String
}

/// A run of operations on a store with up to three sessions, compared with the model.
final class ModelRun {
    /// The number of bytes of an operation. It is fixed, so that a run without some operations is also a run.
    static let width = 6

    private let bytes: [UInt8]
    private var place = 0
    var random = ModelRandom(seed: 0)
    private let file: TemporaryStore
    private(set) var version = ModelVersion.first
    private(set) var store: Store
    /// The expected rows of the file, as the session in a transaction sees them; as all sessions do if there is none.
    var rows: [Int: ModelRow] = [:]
    private(set) var sides: [ModelSide] = []
    var levels: [ModelLevel] = []
    var nextNumber = 1
    /// Whether the current commit is that of an undo, which adds no undo level.
    var isUndoing = false
    /// The number of commits.
    var time = 0
    private(set) var count = 0
    private let isLogged: Bool
    private(set) var log: [String] = []

    init(_ bytes: [UInt8], isLogged: Bool = false) throws {
        self.bytes = bytes
        self.isLogged = isLogged
        file = try TemporaryStore()
        store = try file.open(configuration: Self.configuration)
    }

    private static var configuration: Store.Configuration {
        .init(durability: .relaxed, busyTimeout: .milliseconds(100), onNote: { _ in })
    }

    /// The byte that determines the kind of run.
    private var head: UInt8 { bytes.first ?? 0 }
    private var sideCount: Int { [1, 2, 1, 3][Int(head & 3)] }
    private var recordsUndo: Bool { head & 4 == 0 }

    func run() throws {
        while place == 0 || place < bytes.count {
            try store.prepare(version.types)
            try openSides(sideCount) { [version] in
                defer { version.unlink(sides.flatMap { $0.known.values.compactMap(\.object) }) }
                while let code = nextOperation() {
                    let side = sides[Int(random.next() >> 8) % sides.count]
                    if try step(side, code, depth: 0) == .endsSessions { return }
                }
            }
            sides = []
            store.close()
            store = try file.open(configuration: Self.configuration)
            try store.prepare(version.types)
            try checkFile()
        }
        store.close()
    }

    private func openSides(_ count: Int, _ body: () throws -> Void) throws {
        guard count > 0 else {
            sides.reverse()
            return try body()
        }
        try store.withSession { session in
            sides.append(ModelSide(count - 1, session))
            session.recordsUndo = recordsUndo && count == 1
            try openSides(count - 1, body)
        }
    }

    /// The next operation's number; nil at the end.
    func nextOperation() -> Int? {
        if place == 0 { place = 1 }
        guard place < bytes.count else { return nil }
        let slot = bytes[place..<min(place + Self.width, bytes.count)]
        place += Self.width
        count += 1
        random = ModelRandom(seed: slot.dropFirst().reduce(0) { $0 << 8 | UInt64($1) })
        return Int(slot.first ?? 0) % 64
    }

    func upgrade() { version = .second }
    func note(_ text: @autoclosure () -> String) { if isLogged { log.append(text()) } }
    func wrong(_ text: String) -> ModelDifference { ModelDifference(text: text) }
    func expect(_ isRight: Bool, _ text: @autoclosure () -> String) throws { if !isRight { throw wrong(text()) } }
}

/// Random numbers that are the same for the same seed (SplitMix64).
struct ModelRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed &>> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed &>> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed &>> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
    mutating func isOne(in chance: Int) -> Bool { below(chance) == 0 }
    mutating func pick<T>(_ list: [T]) -> T? { list.isEmpty ? nil : list[below(list.count)] }
}
