import ModelRuns
import TestSupport
import Testing

/// `endurance stress` in short: what uses threads must be met in several runs.
struct SessionStressTests {
    @Test func `tasks that read and write lose nothing when they are cancelled and their store is closed`() async {
        await #expect(throws: Never.self) {
            try await ModelRuns.stress(rounds: Scale.of(40), operations: Scale.of(300))
        }
    }

    @Test func `tasks that fetch and drop the same rows have one object a row each`() async {
        await #expect(throws: Never.self) { try await Task { try ModelRuns.churn(operations: Scale.of(50_000)) }.value }
    }
}
