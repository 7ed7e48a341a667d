/// Lets a number of tasks run concurrently. Other tasks wait in the order of their arrival.
actor Slots {
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
