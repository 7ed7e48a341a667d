import Foundation
import PersistentObjects

final class Ring: PersistentObject {
    var number = 0
    @OnDelete(.cascade) var next: Ring?
}

/// The `chain` run: a list of a million linked objects, on a stack of 512 KB.
func runChain(_ options: Options) throws -> String {
    let count = options.rounds ?? 1_000_000
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/chain.sqlite"
    let result = scratch.path + "/figures"
    try ChildProcess.run {
        let lines = try inThreads(1) { _ in try linkAndUnlink(count, path) }
        try Data(lines[0].utf8).write(to: URL(filePath: result))
    }
    let figures = try String(contentsOfFile: result, encoding: .utf8)
    return "\(count) linked objects on a stack of 512 KB: \(figures)"
}

func linkAndUnlink(_ count: Int, _ path: String) throws -> String {
    let store = try Store(path, configuration: .init(onNote: { _ in }))
    defer { store.close() }
    var steps: [String] = []
    func measure<R>(_ name: String, _ body: () throws -> R) rethrows -> R {
        let start = ContinuousClock.now
        defer { steps.append("\(name) \(String(format: "%.1f", (ContinuousClock.now - start) / .seconds(1))) s") }
        return try body()
    }
    try store.withSession { session in
        var first: Ring? = measure("built in") {
            var first: Ring?
            for number in (0..<count).reversed() {
                let ring = Ring()
                (ring.number, ring.next) = (number, first)
                first = ring
            }
            return first
        }
        try measure("saved") { try first?.save() }
        measure("released") { first = nil }
    }
    try store.withSession { session in
        var first = try measure("found") { try Ring.findFirstBy.number(0) }
        var (walked, place) = (0, first)
        while let ring = place {
            try require(ring.number == walked, "object \(walked) is \(ring.number)")
            (walked, place) = (walked + 1, ring.next)
        }
        try require(walked == count, "\(walked) of \(count) were found")
        try measure("deleted by rule") { try first?.delete() }
        let left = try Ring.count()
        try require(left == 0, "\(left) are left")
        measure("released") { first = nil }
    }
    return steps.joined(separator: ", ")
}
