import Foundation
import ModelRuns
import PersistentObjects
import TestSupport
import Testing

/// A history recorded from the library has no anomaly, and a manipulated history has one.
struct RecordedHistoryTests {
    final class Numbers: PersistentObject {
        override class var tableName: String { "recorded_numbers" }
        @Unique var number = 0
        var values: [Int] = []
    }

    /// Four threads read and append in transactions. They read each list before they append to it.
    private static func record() throws -> History {
        let file = try TemporaryStore()
        let store = try file.open(configuration: .init(durability: .relaxed, busyTimeout: .seconds(60)))
        try store.withSession { session in
            try session.save(
                (0..<3).map { number in
                    let numbers = Numbers()
                    numbers.number = number
                    return numbers
                })
        }
        let operations = Recorder<History.Operation>(), errors = Recorder<String>()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            do {
                for round in 0..<20 { operations.add(try work(store, thread * 100 + round, &random)) }
            } catch { errors.add("\(error)") }
        }
        expect(errors.all, [])
        let lists = try store.withSession { _ in
            Dictionary(uniqueKeysWithValues: try Numbers.all().map { ($0.number, $0.values) })
        }
        return History(operations.all.sorted { $0.began < $1.began }, lists: lists)
    }

    private static var now: Int { Int(DispatchTime.now().uptimeNanoseconds) }

    private static func work(_ store: Store, _ id: Int, _ random: inout SeededGenerator) throws -> History.Operation {
        let lists = (0..<3).shuffled(using: &random).prefix(2), appends = Int.random(in: 0..<4, using: &random) > 0
        let began = now
        var steps: [History.Step] = []
        try store.withSession { session in
            try session.transaction {
                for list in lists {
                    let numbers = try #require(try Numbers.where { $0.number == list }.first())
                    steps.append(.read(list: list, numbers.values))
                    guard appends else { continue }
                    let value = id * 10 + list
                    numbers.values.append(value)
                    try numbers.save()
                    steps.append(.append(list: list, value: value))
                }
            }
        }
        return History.Operation(id, steps, .done, from: began, to: now)
    }

    /// Introduces an error that the library must never make. Returns the kind of anomaly.
    private static func damage(
        _ history: inout History, _ way: Int, _ random: inout SeededGenerator
    ) throws -> Anomaly.Kind {
        func pick<C: Collection>(_ all: C) throws -> C.Element { try #require(all.randomElement(using: &random)) }
        let list = try pick(history.lists.keys.sorted())
        var values = try #require(history.lists[list])
        let place = try pick(values.indices.dropLast())
        // An operation that read a list with values and appended to it.
        let operation = try pick(
            history.operations.indices.filter { index in
                let steps = history.operations[index].steps
                if steps.count == 4, case .read(_, let values) = steps[0] { return !values.isEmpty }
                return false
            })
        guard case .read(let readList, let read) = history.operations[operation].steps[0],
            case .append(_, let appended) = history.operations[operation].steps[1]
        else { throw Failure() }
        switch way {
        case 0:
            values.remove(at: place)
            history.lists[list] = values
            return .lostAppend
        case 1:
            values.swapAt(place, place + 1)
            history.lists[list] = values
            return .incompatibleOrder
        case 2:
            history.lists[list] = values + [values[place]]
            return .duplicate
        case 3:
            history.operations[operation].outcome = .failed
            return .failedAppend
        case 4:
            history.lists[list] = values + [999_999]
            return .stranger
        case 5:
            // The operation has not seen the last value, although it wrote after it.
            history.operations[operation].steps[0] = .read(list: readList, Array(read.dropLast()))
            return .singleAntiDependency
        case 6:
            history.operations[operation].steps.append(.read(list: readList, read.dropLast() + [appended]))
            return .unrepeatableRead
        case 7:
            let end = history.operations.map(\.ended).max() ?? 0
            history.operations.append(
                History.Operation(77_777, [.read(list: list, values.dropLast())], .done, from: end + 1, to: end + 2))
            return .staleRead
        default:
            // The history states that the operation was undone, but its value is there.
            let end = history.operations.map(\.ended).max() ?? 0
            let undo = History.Kind.undo(of: history.operations[operation].id)
            history.operations.append(
                History.Operation(77_777, [], .done, kind: undo, from: end + 1, to: end + 2))
            return .undoneAppend
        }
    }

    private struct Failure: Error {}

    @Test func `a recorded history has no anomaly, and each manipulation of it is detected`() throws {
        let history = try Self.record()
        let found = history.anomalies
        #expect(found.isEmpty, "\(found)")
        #expect(history.lists.values.reduce(0) { $0 + $1.count } > 80)
        for seed in 0..<10 {
            for way in 0..<9 {
                var random = SeededGenerator(seed: UInt64(seed)), damaged = history
                let kind = try Self.damage(&damaged, way, &random)
                let found = damaged.anomalies
                #expect(found.contains { $0.kind == kind }, "seed \(seed), way \(way): \(found)")
            }
        }
    }
}
