import TestSupport

/// Runs the compiler on clients, against the modules that the running tests were built with.
struct Compiler {
    /// What the compiler said.
    struct Outcome: Sendable {
        var status: Int32
        var output: String

        var succeeded: Bool { status == 0 }

        /// The texts of all errors, without their places.
        var errors: [String] {
            output.split(separator: "\n").compactMap { line in
                guard let label = line.firstRange(of: "error: ") else { return nil }
                let place = line[..<label.lowerBound]
                return place.isEmpty || place.hasSuffix(": ") ? String(line[label.upperBound...]) : nil
            }
        }
    }

    static func compile(_ client: Client, in configuration: Configuration, strictly: Bool) async throws -> Outcome {
        let settings = configuration.flags + (strictly ? ["-warnings-as-errors"] : [])
        return try await slots.use {
            let ended = try await SwiftCompiler.check(client.files, settings: settings, module: "Client")
            return Outcome(status: ended.status, output: ended.output + ended.errors)
        }
    }

    /// At most two compilers at once, however many tests wait.
    private static let slots = Slots(2)
}

/// Lets a number of tasks in at once, the others in the order they came.
private actor Slots {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func use<R: Sendable>(_ work: @Sendable () async throws -> R) async throws -> R {
        await enter()
        defer { leave() }
        return try await work()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
